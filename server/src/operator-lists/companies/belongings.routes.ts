import type { FastifyInstance } from 'fastify';
import { AddressList } from '../../customers/addresses/addresses.schema.ts';
import { listAddresses } from '../../customers/addresses/addresses.service.ts';
import { CardWithAddressList } from '../../methods/cards/cards.schema.ts';
import { listCards } from '../../methods/cards/cards.service.ts';
import { PaypalAccountList } from '../../methods/paypal-accounts/paypal-accounts.schema.ts';
import { listAccounts } from '../../methods/paypal-accounts/paypal-accounts.service.ts';
import { EndpointList } from '../../outbox/webhooks/endpoints/endpoints.schema.ts';
import { listEndpoints } from '../../outbox/webhooks/endpoints/endpoints.service.ts';
import { route } from '../../platform/http/route/route.ts';
import { BelongingsQuery, OperatorApiKeyList, OperatorMemberList } from './belongings.schema.ts';
import { listApiKeysOf, listMembersOf, requireCompany } from './belongings.service.ts';

const tag = 'Operator';
const resource = 'company';
const access = 'operator';
const AS_LISTED = 'What the company itself lists, to read only and without secrets. The newest comes first.';

/** What belongs to a company, for the operator to read. */
export function registerBelongingRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/members',
    operationId: 'listOperatorMembers',
    summary: "List a company's members",
    ...{ tag, resource, access, description: AS_LISTED },
    query: BelongingsQuery,
    response: { 200: OperatorMemberList },
    errors: [],
    handler: ({ ids, query }, db) => listMembersOf(db, ids.company_id, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/api-keys',
    operationId: 'listOperatorApiKeys',
    summary: "List a company's API keys",
    ...{ tag, resource, access, description: AS_LISTED },
    query: BelongingsQuery,
    response: { 200: OperatorApiKeyList },
    errors: [],
    handler: ({ ids, query }, db) => listApiKeysOf(db, ids.company_id, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/webhook-endpoints',
    operationId: 'listWebhookEndpointsOfCompany',
    summary: "List a company's webhook endpoints",
    ...{ tag, resource, access, description: AS_LISTED },
    response: { 200: EndpointList },
    errors: [],
    handler: async ({ ids }, db) => {
      await requireCompany(db, ids.company_id);
      return listEndpoints(db, ids.company_id);
    },
  });
  registerMethods(app);
}

function registerMethods(app: FastifyInstance): void {
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/addresses',
    operationId: 'listOperatorAddresses',
    summary: "List a company's addresses",
    ...{ tag, resource, access, description: AS_LISTED },
    response: { 200: AddressList },
    errors: [],
    handler: async ({ ids }, db) => {
      await requireCompany(db, ids.company_id);
      return listAddresses(db, ids.company_id);
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/cards',
    operationId: 'listOperatorCards',
    summary: "List a company's cards",
    ...{ tag, resource, access, description: AS_LISTED },
    response: { 200: CardWithAddressList },
    errors: [],
    handler: async ({ ids }, db) => {
      await requireCompany(db, ids.company_id);
      return listCards(db, ids.company_id);
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/companies/:company_id/paypal-accounts',
    operationId: 'listOperatorPaypalAccounts',
    summary: "List a company's PayPal accounts",
    ...{ tag, resource, access, description: AS_LISTED },
    response: { 200: PaypalAccountList },
    errors: [],
    handler: async ({ ids }, db) => {
      await requireCompany(db, ids.company_id);
      return listAccounts(db, ids.company_id);
    },
  });
}
