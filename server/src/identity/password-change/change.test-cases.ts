import type { RouteCases } from '../../../test/battery/battery.ts';
import { newEmail } from '../../../test/customers/accounts.ts';
import { PASSWORD } from '../../../test/customers/actors.ts';

export const CASES: RouteCases = {
  'PUT /auth/password': {
    access: 'user',
    body: () => ({ current_password: PASSWORD, new_password: PASSWORD }),
    notReadBack: 'nobody reads a password',
  },
  'POST /auth/password/forgot': { access: 'public', body: () => ({ email: newEmail() }) },
  'POST /auth/password/reset': {
    access: 'public',
    sampleRefusal: /^400 .*link/,
    body: () => ({ token: 'a'.repeat(43), new_password: PASSWORD }),
    longTexts: { token: 2_000 },
    changesNothing: 'no mail has the token',
  },
};
