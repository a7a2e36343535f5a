import type { BatteryCase, RouteCases } from '../../../test/battery/battery.ts';
import { newEmail } from '../../../test/customers/accounts.ts';
import { PASSWORD } from '../../../test/customers/actors.ts';

const BY_LINK: BatteryCase = {
  access: 'public',
  body: () => ({ token: 'a'.repeat(43) }),
  longTexts: { token: 2_000 },
  changesNothing: 'no mail has the token',
  sampleRefusal: /^400 .*link/,
};

export const CASES: RouteCases = {
  'POST /auth/email/verify': BY_LINK,
  'POST /auth/email/revert': BY_LINK,
  'PUT /auth/email': {
    access: 'user',
    sampleRefusal: /^409 /,
    body: () => ({ email: newEmail(), password: PASSWORD }),
    notReadBack: 'the e-mail is another one only once its link is followed',
  },
  'POST /auth/email/verification': { access: 'user' },
};
