import type { RouteCases } from '../../../../test/battery/battery.ts';
import { SESSION } from '../../../../test/battery/cases/query-values.ts';
import { PASSWORD } from '../../../../test/customers/actors.ts';
import { PASSKEY_TEXTS, unknownPasskey } from '../../../../test/identity/passkey-bodies.ts';

export const CASES: RouteCases = {
  'POST /auth/local': {
    access: 'public',
    body: ({ admin }) => ({ email: admin.email, password: PASSWORD }),
    parameters: { session: SESSION },
  },
  'POST /auth/local/second-factor': {
    access: 'public',
    sampleRefusal: /^401 /,
    body: () => ({ token: 'a'.repeat(43), ...unknownPasskey.used }),
    refusal: { status: 401, code: 'invalid_token' },
    parameters: { session: SESSION },
    longTexts: { token: 2_000, ...PASSKEY_TEXTS.used },
  },
  'POST /auth/passkeys/login/options': { access: 'public' },
  'POST /auth/passkeys/login': {
    access: 'public',
    sampleRefusal: /^401 .*passkey/,
    body: () => unknownPasskey.used,
    refusal: { status: 401, code: 'invalid_credentials' },
    parameters: { session: SESSION },
    longTexts: PASSKEY_TEXTS.used,
  },
};
