import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/calendar/clock.ts';
import { route } from '../../platform/http/route/route.ts';
import {
  CreatePriceBody,
  EndPriceBody,
  Price,
  PriceList,
  PriceQuery,
  PriceQuote,
  PriceQuoteQuery,
} from './prices.schema.ts';
import {
  createPrice,
  endPrice,
  type FindBilledWithUsage,
  listPrices,
  quotePrice,
  readPrice,
  removePrice,
} from './prices.service.ts';

const tag = 'Prices';
const resource = 'price';
const nameOf = ({ path }: { path?: unknown }) => path;

/** Prices of requests. The operator sets them; a version is never edited. */
export function registerPriceRoutes(
  app: FastifyInstance,
  { clock, findBilledWithUsage }: { clock: Clock; findBilledWithUsage: FindBilledWithUsage },
): void {
  registerPrices(app, findBilledWithUsage);
  registerQuote(app, clock);
  registerSinglePrices(app, findBilledWithUsage);
}

function registerPrices(app: FastifyInstance, findBilledWithUsage: FindBilledWithUsage): void {
  route(app, {
    method: 'POST',
    url: '/operator/prices',
    operationId: 'createPrice',
    tag,
    summary: 'Set a price',
    description:
      'Sets a price, or a new version of a price: a version of the same path, currency and company that begins later replaces ' +
      'the earlier one from then on. Versions are never edited. The longest matching path wins, and an exact path beats a ' +
      'prefix, but every matching override beats every general price. Send only the fields of the chosen `model`. Billed amounts ' +
      'never change: a version that would change the price of usage on an invoice is refused.',
    access: 'operator',
    body: CreatePriceBody,
    response: { 201: Price },
    errors: ['price_superseded', 'period_billed'],
    idempotency: 'create',
    audit: { audience: 'company', action: 'price.created', name: nameOf },
    transaction: ({ body }, tx) => createPrice(tx, body, findBilledWithUsage),
  });
  route(app, {
    method: 'GET',
    url: '/operator/prices',
    operationId: 'listPrices',
    tag,
    summary: 'List prices',
    description: 'Every version, sorted by path, currency and company, newest first. All filters combine with AND.',
    access: 'operator',
    query: PriceQuery,
    response: { 200: PriceList },
    errors: [],
    handler: ({ query }, db) => listPrices(db, query),
  });
}

function registerQuote(app: FastifyInstance, clock: Clock): void {
  route(app, {
    method: 'GET',
    url: '/operator/prices/quote',
    operationId: 'quotePrice',
    tag,
    summary: 'Read what requests cost',
    description:
      'Returns what so many requests of a path cost in one period, without tax, by the price that applies at an instant.',
    access: 'operator',
    query: PriceQuoteQuery,
    response: { 200: PriceQuote },
    errors: [],
    handler: ({ query }, db) => quotePrice(db, query, clock()),
  });
}

function registerSinglePrices(app: FastifyInstance, findBilledWithUsage: FindBilledWithUsage): void {
  route(app, {
    method: 'GET',
    url: '/operator/prices/:price_id',
    operationId: 'getPrice',
    tag,
    summary: 'Read a price',
    access: 'operator',
    resource,
    response: { 200: Price },
    errors: [],
    handler: ({ ids }, db) => readPrice(db, ids.price_id),
  });
  route(app, {
    method: 'POST',
    url: '/operator/prices/:price_id/end',
    operationId: 'endPrice',
    tag,
    summary: 'End a price',
    description:
      'Ends the newest version of a price; a version can be ended once. From then on, the next best matching price applies to ' +
      'its paths, or none; a later version may follow. The request is refused if usage on an invoice would lose its price.',
    access: 'operator',
    resource,
    body: EndPriceBody,
    response: { 200: Price },
    examples: { 200: { effectiveTo: '2027-01-01T00:00:00.000Z' } },
    errors: ['price_superseded', 'price_ended', 'period_billed'],
    idempotency: 'create',
    audit: {
      audience: 'company',
      action: 'price.ended',
      name: nameOf,
      before: ({ ids }, tx) => readPrice(tx, ids.price_id),
    },
    transaction: ({ ids, body }, tx) => endPrice(tx, ids.price_id, body.effectiveTo, findBilledWithUsage),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/prices/:price_id',
    operationId: 'deletePrice',
    tag,
    summary: 'Delete a price',
    description:
      'Deletes a version of a price that no invoice has used. The version before it then stays in force in its place.',
    access: 'operator',
    resource,
    response: { 204: null },
    errors: ['price_in_force'],
    audit: {
      audience: 'company',
      action: 'price.deleted',
      name: nameOf,
      before: ({ ids }, tx) => readPrice(tx, ids.price_id),
    },
    transaction: async ({ ids }, tx) => {
      await removePrice(tx, ids.price_id, findBilledWithUsage);
      return null;
    },
  });
}
