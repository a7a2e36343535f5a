import type { BatteryCase, RouteCases } from '../../../test/battery/battery.ts';
import { SESSION } from '../../../test/battery/cases/query-values.ts';
import { PASSWORD } from '../../../test/customers/actors.ts';

const SIGN_UP: BatteryCase = {
  access: 'public',
  body: () => ({
    first_name: 'Grace',
    last_name: 'Hopper',
    email: `${crypto.randomUUID()}@example.com`,
    password: PASSWORD,
  }),
  parameters: { session: SESSION },
};

export const CASES: RouteCases = {
  'POST /auth/signup/admin': SIGN_UP,
  // With the e-mail of the other one.
  'POST /auth/signup/customer': { ...SIGN_UP, sampleRefusal: /^409 / },
};
