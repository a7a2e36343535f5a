import type { RouteCases } from '../../../../test/battery/battery.ts';
import { SESSION } from '../../../../test/battery/cases/query-values.ts';
import { signUpBody } from '../../../../test/customers/accounts.ts';

export const CASES: RouteCases = {
  'GET /auth/invitations/:token': { access: 'public', sampleRefusal: /^404 .*invitation/ },
  'POST /auth/invitations/accept': {
    access: 'public',
    sampleRefusal: /^400 .*link/,
    body: () => {
      const { email: _email, ...names } = signUpBody();
      return { token: 'a'.repeat(43), ...names };
    },
    refusal: { status: 400, code: 'invalid_token' },
    parameters: { session: SESSION },
    longTexts: { token: 2_000 },
  },
};
