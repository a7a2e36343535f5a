import type { RouteCases } from '../../../test/battery/battery.ts';
import { PAGES } from '../../../test/battery/cases/query-values.ts';

export const CASES: RouteCases = {
  'GET /operator/recovery/invoices': { access: 'operator', parameters: PAGES },
  'POST /operator/recovery/release': { access: 'operator', body: () => ({ invoices: ['INV-000001'] }) },
};
