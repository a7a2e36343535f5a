import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import type { DescribeCustomer } from '../saved/saved.service.ts';
import { CardSetup, CreateCardSetupBody, CreatedCardSetup } from './card-setups.schema.ts';
import { type BegunSetup, beginSetup, readSetup, type SetupDependencies, saveSetup } from './card-setups.service.ts';

const tag = 'Cards';
const resource = 'card setup';

/** Registers the routes of setups, in which the gateway takes a card's number in place of Paydesk. */
export function registerCardSetupRoutes(
  app: FastifyInstance,
  dependencies: SetupDependencies & { describe: DescribeCustomer },
): void {
  route(app, {
    method: 'POST',
    url: '/payments/card-setups',
    operationId: 'createCardSetup',
    tag,
    summary: 'Begin to save a card in the fields of the gateway',
    description:
      'The browser confirms the setup with `clientSecret` in the fields of the gateway, so that the number of the card never ' +
      'reaches Paydesk. `POST /payments/cards` with `setupId` then saves the card. With Stripe, confirm it with `confirmSetup` ' +
      'of Stripe.js; with the sandbox, with `POST /gateways/sandbox/setups/confirm`. With the method `sepa_debit`, the holder ' +
      'of an account types its IBAN instead, and accepts the mandate for direct debits.',
    access: 'platform.billing.all',
    body: CreateCardSetupBody,
    bodyIsOptional: true,
    response: { 201: CreatedCardSetup },
    errors: ['card_setups_not_configured', 'service_unavailable'],
    idempotency: 'create',
    audit: { unrecorded: 'A setup gives nobody anything yet; saving its card is recorded.' },
    prepare: ({ companyId, body }) => beginSetup(dependencies, companyId, body),
    transaction: ({ companyId, body }, tx, begun) => saveSetup(tx, companyId, dependencies, body, begun as BegunSetup),
  });
  route(app, {
    method: 'GET',
    url: '/payments/card-setups/:setup_id',
    operationId: 'getCardSetup',
    tag,
    summary: 'Read a card setup',
    description: 'The status is that of the gateway.',
    access: 'platform.billing.view',
    resource,
    response: { 200: CardSetup },
    errors: ['service_unavailable'],
    handler: ({ companyId, ids }) => readSetup(dependencies, companyId, ids.setup_id),
  });
}
