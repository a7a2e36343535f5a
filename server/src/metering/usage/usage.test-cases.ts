import type { RouteCases } from '../../../test/battery/battery.ts';
import { ANY_ID, INSTANT, PAGES, type Parameter } from '../../../test/battery/cases/query-values.ts';
import { usageEvent } from '../../../test/billing/usage.ts';

const USAGE_BOUND: Parameter = {
  takes: ['2024-02-29', '2026-10-01', '2026-10-01T00:00:00Z', '2026-10-01T05:45:00+05:45', '2000-01-01', '9998-12-31'],
  refuses: [...INSTANT.refuses, '1999-12-31', '9999-01-01', '2026-10-01T00:01:00Z', '2026-10-01T00:15:00.001Z'],
};

const filters: Record<string, Parameter> = {
  from: USAGE_BOUND,
  to: USAGE_BOUND,
  granularity: { takes: ['hour', 'day', 'month'], refuses: ['', 'HOUR', 'week', 'null', "day'", 'day,month'] },
  timezone: {
    takes: ['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Kathmandu', 'Etc/GMT+5'],
    refuses: ['', 'Europe/Nowhere', '+02:00', 'x', "UTC'", 'UTC;', 'a'.repeat(256)],
  },
  path: { takes: ['/v1/transcriptions', '/v1/*', '*', 'x', '%', "'", '\\'], refuses: ['', ' ', 'a'.repeat(256)] },
};

const parameters = { ...PAGES, ...filters };

export const CASES: RouteCases = {
  'POST /operator/usage': {
    access: 'operator',
    sampleRefusal: /^400 subject /,
    // Of now, so that no setting of the company makes it late.
    body: ({ admin }) => usageEvent(admin.companyId, { time: new Date().toISOString() }),
  },
  'GET /operator/usage': {
    access: 'operator',
    query: `companyId=${crypto.randomUUID()}`,
    parameters: { ...parameters, companyId: ANY_ID },
  },
  'GET /operator/usage.csv': {
    access: 'operator',
    query: `companyId=${crypto.randomUUID()}`,
    parameters: { ...filters, companyId: ANY_ID },
  },
  'GET /payments/usage': { access: 'platform.billing.view', parameters },
  'GET /payments/usage.csv': { access: 'platform.billing.view', parameters: filters },
};
