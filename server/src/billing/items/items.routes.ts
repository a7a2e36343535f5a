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
      "The company's next invoice takes it, as a line of its own after the usage: that of a month which is over and not billed yet, " +
      'or of the running one. The upcoming invoice shows it at once.',
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
    description: 'The newest first: those that wait for an invoice, and those that are on one.',
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
    description: 'As long as it waits for an invoice.',
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
