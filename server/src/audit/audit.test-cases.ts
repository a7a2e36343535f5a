import type { RouteCases } from '../../test/battery/battery.ts';
import { ANY_ID, ID, PAGES, SNAKE_PAGES, TIME } from '../../test/battery/cases/query-values.ts';

const FILTERS = {
  action: { takes: ['card.created', 'x', '%'], refuses: ['', ' ', 'a'.repeat(256)] },
  actor: { takes: [ID, 'x'], refuses: ['', 'a'.repeat(256)] },
  target: { takes: [ID, 'x'], refuses: ['', 'a'.repeat(256)] },
  from: TIME,
  to: TIME,
};

const REQUEST = { takes: [ID, 'request-1'], refuses: ['', 'a'.repeat(256)] };
const COMPANY_FILTERS = { ...FILTERS, request_id: REQUEST };
const OPERATOR_FILTERS = { companyId: ANY_ID, ...FILTERS, requestId: REQUEST };

export const CASES: RouteCases = {
  'GET /company/audit-log': { access: 'platform.admins.view', parameters: { ...SNAKE_PAGES, ...COMPANY_FILTERS } },
  'GET /company/audit-log.csv': { access: 'platform.admins.view', parameters: COMPANY_FILTERS },
  'GET /operator/audit-log': { access: 'operator', parameters: { ...PAGES, ...OPERATOR_FILTERS } },
  'GET /operator/audit-log.csv': { access: 'operator', parameters: OPERATOR_FILTERS },
  'GET /operator/audit-log/verification': {
    access: 'operator',
    parameters: {
      cursor: {
        takes: [`${ID}.0`, `${ID}.5000`],
        refuses: ['', 'x', ID, `${ID}.`, `${ID}.x`, `${ID}.-1`, "'"],
      },
    },
  },
};
