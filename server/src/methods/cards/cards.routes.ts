import type { FastifyInstance } from 'fastify';
import type { RawCardNumbers } from '../../platform/config/config.ts';
import { clientNetwork } from '../../platform/http/limits/client-network.ts';
import { route } from '../../platform/http/route/route.ts';
import {
  Card,
  CardWithAddressList,
  CreateCardBody,
  CreateCardWithoutNumberBody,
  UpdateCardBody,
} from './cards.schema.ts';
import {
  type CardDependencies,
  changeCard,
  findCard,
  findGatewayCard,
  type GatewayCard,
  listCards,
  refuseNumbers,
  removeCard,
  saveCard,
} from './cards.service.ts';

const tag = 'Cards';
const resource = 'card';

/** What the audit log keeps of a card: everything but the address. */
const SHOWN = ['addressId', 'method', 'isDefault', 'info', 'mandate', 'metadata'];
const nameOf = ({ info }: { info?: unknown }) => (info as Card['info'] | undefined)?.cardNumber;

/** Registers the routes for cards. */
export function registerCardRoutes(
  app: FastifyInstance,
  dependencies: CardDependencies,
  rawCardNumbers: RawCardNumbers,
): void {
  registerSaving(app, dependencies, rawCardNumbers);
  route(app, {
    method: 'GET',
    url: '/payments/cards',
    operationId: 'listCards',
    tag,
    summary: 'List cards',
    description: 'The newest card comes first. Each card has its address.',
    access: 'platform.billing.view',
    response: { 200: CardWithAddressList },
    errors: [],
    handler: ({ companyId }, db) => listCards(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/payments/cards/:card_id',
    operationId: 'updateCard',
    tag,
    summary: 'Change a card',
    description: 'Changes the expiry date of the card, or makes it the default card. A mandate keeps its own.',
    access: 'platform.billing.all',
    resource,
    body: UpdateCardBody,
    response: { 200: Card },
    errors: [],
    audit: {
      audience: 'company',
      action: 'card.updated',
      fields: SHOWN,
      name: nameOf,
      before: ({ companyId, ids }, tx) => findCard(tx, companyId, ids.card_id),
    },
    transaction: ({ companyId, ids, body }, tx) => changeCard(tx, companyId, ids.card_id, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/payments/cards/:card_id',
    operationId: 'deleteCard',
    tag,
    summary: 'Delete a card',
    description:
      'If you delete the default card, no other card becomes the default. A payment that waits until the customer has confirmed a ' +
      'charge of this card is canceled first.',
    access: 'platform.billing.all',
    resource,
    response: { 204: null },
    errors: ['service_unavailable'],
    audit: {
      audience: 'company',
      action: 'card.deleted',
      fields: SHOWN,
      name: nameOf,
      before: ({ companyId, ids }, tx) => findCard(tx, companyId, ids.card_id),
    },
    transaction: async ({ companyId, ids }, tx) => {
      await removeCard(tx, companyId, dependencies, ids.card_id);
      return null;
    },
  });
}

function registerSaving(app: FastifyInstance, dependencies: CardDependencies, rawCardNumbers: RawCardNumbers): void {
  route(app, {
    method: 'POST',
    url: '/payments/cards',
    operationId: 'createCard',
    tag,
    summary: 'Save a card',
    description:
      'With `setupId`, Paydesk saves the card or the mandate of a confirmed setup, and with `paymentMethod` a card that the gateway has ' +
      'already: in both cases it never sees the number. With `info`, Paydesk sends the number and the security code to the ' +
      'gateway and does not store them; with `RAW_CARD_NUMBERS=off` it refuses them. If the gateway refuses the number, the ' +
      'refusal counts like a refused charge (`PUT /payments/orders/{invoice_id}/pay`). A bank declines a card only when it is ' +
      'charged. A company can have at most 1,000 cards.',
    access: 'platform.billing.all',
    body: (rawCardNumbers === 'on' ? CreateCardBody : CreateCardWithoutNumberBody) as typeof CreateCardBody,
    response: { 201: Card },
    errors: [
      ...(['limit_reached', 'card_testing_suspected', 'payment_in_progress', 'service_unavailable'] as const),
      ...(['setup_not_confirmed', 'setup_used', 'raw_card_numbers_off'] as const),
    ],
    idempotency: 'create',
    audit: { audience: 'company', action: 'card.created', fields: SHOWN, name: nameOf },
    prepare: ({ companyId, body, request }) => {
      if (rawCardNumbers === 'off') refuseNumbers(body);
      return findGatewayCard(dependencies, companyId, body, clientNetwork(request.ip));
    },
    transaction: ({ companyId, body }, tx, card) =>
      saveCard(tx, companyId, body, card as GatewayCard, dependencies.describe),
  });
}
