import type { BatteryCase, Named, RouteCases } from '../../../../test/battery/battery.ts';
import { CURSOR, PAGE_SIZE, type Parameter } from '../../../../test/battery/cases/query-values.ts';
import { addEndpoint } from '../../../../test/outbox/webhooks.ts';

const table = 'webhook_endpoints';
const newEndpoint = { url: 'https://hooks.example.com/paydesk', description: 'Anything', types: ['invoice.*'] };
const range = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' };

const DELIVERIES: Record<string, Parameter> = {
  perPage: PAGE_SIZE,
  cursor: CURSOR,
  state: { takes: ['pending', 'delivered', 'failed'], refuses: ['', 'x', 'Failed', 'pending,failed'] },
};

export const CASES: RouteCases = {
  ...casesOf('/operator/webhook-endpoints', {
    ...{ view: 'operator', all: 'operator' },
    limit: { table, most: 20, owner: 'operator' },
    names: { table, make: async (service) => (await addEndpoint(service, null, newEndpoint)).id },
  }),
  ...casesOf('/payments/webhook-endpoints', {
    ...{ view: 'platform.applications.view', all: 'platform.applications.all' },
    limit: { table, most: 20 },
    names: { table, make: async (service, actor) => (await addEndpoint(service, actor, newEndpoint)).id },
  }),
};

type Side = Required<Pick<BatteryCase, 'limit'>> & {
  view: BatteryCase['access'];
  all: BatteryCase['access'];
  names: Named;
};

function casesOf(prefix: string, { view, all, names, limit }: Side): RouteCases {
  return {
    [`GET ${prefix}`]: { access: view },
    [`POST ${prefix}`]: { access: all, body: () => newEndpoint, limit },
    [`GET ${prefix}/:endpoint_id`]: { access: view, names },
    [`PUT ${prefix}/:endpoint_id`]: {
      access: all,
      body: () => ({ ...newEndpoint, status: 'enabled' }),
      update: () => ({
        url: 'https://hooks.example.com/other',
        description: 'Something else',
        types: ['payment.captured'],
        status: 'disabled',
      }),
      names,
    },
    [`DELETE ${prefix}/:endpoint_id`]: { access: all, names },
    [`POST ${prefix}/:endpoint_id/rotate-secret`]: { access: all, names },
    [`POST ${prefix}/:endpoint_id/test`]: { access: all, names },
    [`GET ${prefix}/:endpoint_id/deliveries`]: { access: view, names, parameters: DELIVERIES },
    [`POST ${prefix}/:endpoint_id/replay`]: { access: all, body: () => range, names },
  };
}
