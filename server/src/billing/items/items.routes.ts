import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import { route } from '../../platform/http/route/route.ts';
import { Item, ItemBody, ItemList, ItemQuery } from './items.schema.ts';
import { createItem, listItems, removeItem } from './items.service.ts';

const tag = 'Operator';

/** Registers the routes for one-off items, which a company's next invoice takes beside its usage. */
export function registerItemRoutes(app: FastifyInstance, { clock }: { clock: Clock }): void {
  route(app, {
    method: 'POST',
    url: '/operator/companies/:company_id/items',
    operationId: 'createItem',
    tag,
    summary: 'Add a one-off item',
    description:
      "The company's next invoice includes the item, as a line after the usage. That invoice bills the last month that has ended " +
      'and is not billed yet, or else the current month. The upcoming invoice shows the item at once.',
    access: 'operator',
    resource: 'company',
    body: ItemBody,
    exactNumbers: ['amount', 'unitAmount'],
    response: { 201: Item, 200: Item },
    errors: ['reference_taken', 'limit_reached'],
    idempotency: 'create',
    heldWithCharges: true,
    audit: { audience: 'company', action: 'item.created', name: ({ title }) => title },
    transaction: async ({ ids, body, reply }, tx) => {
      const { status, item } = await createItem(tx, ids.company_id, body, clock());
      reply.code(status);
      return item;
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/items',
    operationId: 'listItems',
    tag,
    summary: "List a company's one-off items",
    description: 'Lists the items that wait for an invoice and the items that are on one, the newest first.',
    access: 'operator',
    resource: 'company',
    query: ItemQuery,
    response: { 200: ItemList },
    errors: [],
    handler: ({ ids, query }, db) => listItems(db, ids.company_id, query),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/companies/:company_id/items/:item_id',
    operationId: 'deleteItem',
    tag,
    summary: 'Remove a one-off item',
    description: 'An item can be removed as long as it waits for an invoice.',
    access: 'operator',
    resource: 'item',
    response: { 204: null },
    errors: ['item_invoiced'],
    heldWithCharges: true,
    audit: { audience: 'company', action: 'item.deleted' },
    transaction: async ({ ids }, tx) => {
      await removeItem(tx, ids.company_id, ids.item_id);
      return null;
    },
  });
}
