import type { RouteCases } from '../../../test/battery/battery.ts';
import { PASSWORD } from '../../../test/customers/actors.ts';

export const CASES: RouteCases = {
  'GET /auth/me': { access: 'user' },
  'PUT /auth/me': {
    access: 'user',
    body: () => ({
      first_name: 'Grace',
      last_name: 'Hopper',
      phone: '+1 555 0100',
      country: 'US',
      city: 'Arlington',
      avatar: 'https://cdn.example.com/grace.png',
      language: 'en-US',
      timezone: 'America/New_York',
      default_app: 'billing',
    }),
  },
  'DELETE /auth/me': {
    access: 'user',
    sampleRefusal: /^409 /,
    body: () => ({ password: PASSWORD }),
    // The company has no other admin.
    refusal: { status: 409, code: 'last_admin' },
  },
};
