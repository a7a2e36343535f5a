import type { Actor } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';
import { addEndpoint } from '../outbox/webhooks.ts';

const table = 'webhook_endpoints';
const newEndpoint = { url: 'https://hooks.example.com/paydesk', description: 'Anything', types: ['invoice.*'] };
const range = { startAt: '2026-10-01T00:00:00Z', endAt: '2026-10-02T00:00:00Z' };

/** The battery's cases for webhook endpoints and for the gateways' webhooks. */
export const WEBHOOK_CASES = {
  'POST /gateways/paypal/webhooks': { access: 'public' as const, body: () => ({ id: 'WH-1' }), isSigned: true },
  'POST /gateways/stripe/webhooks': { access: 'public' as const, body: () => ({ id: 'evt_1' }), isSigned: true },
  'GET /operator/events': { access: 'operator' as const },
  ...casesOf('/operator/webhook-endpoints', 'operator' as const, 'operator' as const, async (service: TestService) => {
    return (await addEndpoint(service, null, newEndpoint)).id;
  }),
  ...casesOf(
    '/payments/webhook-endpoints',
    'platform.applications.view' as const,
    'platform.applications.all' as const,
    async (service: TestService, actor: Actor) => (await addEndpoint(service, actor, newEndpoint)).id,
  ),
};

function casesOf<View, All>(
  prefix: string,
  view: View,
  all: All,
  make: (service: TestService, actor: Actor) => Promise<string>,
) {
  const names = { table, make };
  return {
    [`GET ${prefix}`]: { access: view },
    [`POST ${prefix}`]: { access: all, body: () => newEndpoint },
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
    [`GET ${prefix}/:endpoint_id/deliveries`]: { access: view, names },
    [`POST ${prefix}/:endpoint_id/replay`]: { access: all, body: () => range, names },
  };
}
