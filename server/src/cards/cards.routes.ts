import type { FastifyInstance } from 'fastify';
import type { TokenizedCard } from '../gateways/gateway.ts';
import { route } from '../http/route.ts';
import { Type } from '../http/type.ts';
import { Card, CardWithAddress, CreateCardBody, UpdateCardBody } from './cards.schema.ts';
import { type CardDependencies, changeCard, listCards, removeCard, saveCard, tokenizeCard } from './cards.service.ts';

const tag = 'Cards';
const resource = 'card';

/** Payment cards (specification 4.1). */
export function registerCardRoutes(app: FastifyInstance, dependencies: CardDependencies): void {
  route(app, {
    method: 'POST',
    url: '/payments/cards',
    tag,
    summary: 'Save a card',
    description:
      'The number and the security code go to the payment gateway alone. A card is declined when it is charged, not here. ' +
      'A company may have 1,000.',
    access: 'platform.billing.all',
    body: CreateCardBody,
    response: { 201: Card },
    errors: ['limit_reached', 'service_unavailable'],
    idempotency: 'create',
    prepare: ({ companyId, body }) => tokenizeCard(dependencies, companyId, body),
    transaction: ({ companyId, body }, tx, tokenized) =>
      saveCard(tx, companyId, dependencies, body, tokenized as TokenizedCard),
  });
  route(app, {
    method: 'GET',
    url: '/payments/cards',
    tag,
    summary: 'List cards',
    description: 'Newest first, each with its address.',
    access: 'platform.billing.view',
    response: { 200: Type.Array(CardWithAddress) },
    errors: [],
    handler: ({ companyId }, db) => listCards(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/payments/cards/:card_id',
    tag,
    summary: 'Change a card',
    description: 'Its expiry, and whether it is the default card.',
    access: 'platform.billing.all',
    resource,
    body: UpdateCardBody,
    response: { 200: Card },
    errors: [],
    transaction: ({ companyId, id, body }, tx) => changeCard(tx, companyId, id, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/payments/cards/:card_id',
    tag,
    summary: 'Delete a card',
    description: 'Deleting the default card makes no other card the default.',
    access: 'platform.billing.all',
    resource,
    response: { 204: null },
    errors: [],
    transaction: async ({ companyId, id }, tx) => {
      await removeCard(tx, companyId, id);
      return null;
    },
  });
}
