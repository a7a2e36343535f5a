import type { BatteryCase, RouteCases } from '../../../test/battery/battery.ts';
import { PASSWORD } from '../../../test/customers/actors.ts';

const CODE = { code: '000000' };
const AGAIN = { password: PASSWORD };
const refusal: BatteryCase['refusal'] = { status: 401, code: 'invalid_code', isFailedLogin: true };

export const CASES: RouteCases = {
  'GET /auth/totp': { access: 'user' },
  'POST /auth/totp': { access: 'user', body: () => AGAIN },
  'POST /auth/totp/confirm': { access: 'user', sampleRefusal: /^401 .*code/, body: () => CODE, refusal },
  'DELETE /auth/totp': { access: 'user', sampleRefusal: /^401 .*code/, body: () => ({ ...AGAIN, ...CODE }), refusal },
  'POST /auth/recovery-codes': { access: 'user', sampleRefusal: /^401 .*code/, body: () => CODE, refusal },
};
