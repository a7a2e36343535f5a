import type { RouteCases } from '../../../test/battery/battery.ts';

export const CASES: RouteCases = {
  'GET /operator/integration': { access: 'operator' },
  'PUT /operator/integration': {
    access: 'operator',
    body: () => ({ allowedOrigins: [`https://${crypto.randomUUID()}.example`, 'http://localhost:5173'] }),
  },
};
