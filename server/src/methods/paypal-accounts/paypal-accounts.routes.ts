import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../../platform/http/limits/client-network.ts';
import { route } from '../../platform/http/route/route.ts';
import {
  CreatePaypalAccountBody,
  PaypalAccount,
  PaypalAccountList,
  UpdatePaypalAccountBody,
} from './paypal-accounts.schema.ts';
import {
  changeAccount,
  findAccount,
  listAccounts,
  type PaypalAccountDependencies,
  removeAccount,
  saveAccount,
  type Vaulted,
  vaultAccount,
} from './paypal-accounts.service.ts';

const tag = 'PayPal accounts';
const resource = 'PayPal account';
const nameOf = ({ email }: { email?: unknown }) => email;

/** Registers the routes for PayPal accounts, which invoices of the method `paypal` are charged to. */
export function registerPaypalAccountRoutes(app: FastifyInstance, dependencies: PaypalAccountDependencies): void {
  registerSaving(app, dependencies);
  registerReadingAndChanging(app, dependencies);
}

function registerSaving(app: FastifyInstance, dependencies: PaypalAccountDependencies): void {
  route(app, {
    method: 'POST',
    url: '/payments/paypal-accounts',
    operationId: 'createPaypalAccount',
    tag,
    summary: 'Save a PayPal account',
    description:
      'Paydesk sends the setup token to the payment gateway and does not store it. If the company has already saved the ' +
      'account, the answer is that account. PayPal declines an account when it is charged, not when it is saved. A company ' +
      'can have at most 100 PayPal accounts.',
    access: 'platform.billing.all',
    body: CreatePaypalAccountBody,
    response: { 201: PaypalAccount },
    errors: [
      'paypal_not_available',
      'limit_reached',
      'card_testing_suspected',
      'payment_in_progress',
      'service_unavailable',
    ],
    idempotency: 'create',
    audit: { audience: 'company', action: 'paypal_account.created', name: nameOf },
    prepare: ({ companyId, body, request }) => vaultAccount(dependencies, companyId, body, clientNetwork(request.ip)),
    transaction: ({ companyId, body }, tx, vaulted) =>
      saveAccount(tx, companyId, vaulted as Vaulted, body.isDefault ?? false),
  });
}

function registerReadingAndChanging(app: FastifyInstance, dependencies: PaypalAccountDependencies): void {
  route(app, {
    method: 'GET',
    url: '/payments/paypal-accounts',
    operationId: 'listPaypalAccounts',
    tag,
    summary: 'List PayPal accounts',
    description: 'The newest account comes first.',
    access: 'platform.billing.view',
    response: { 200: PaypalAccountList },
    errors: [],
    handler: ({ companyId }, db) => listAccounts(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/payments/paypal-accounts/:account_id',
    operationId: 'updatePaypalAccount',
    tag,
    summary: 'Change a PayPal account',
    description: 'Makes the account the default, or takes the default from it.',
    access: 'platform.billing.all',
    resource,
    body: UpdatePaypalAccountBody,
    response: { 200: PaypalAccount },
    errors: [],
    audit: {
      audience: 'company',
      action: 'paypal_account.updated',
      name: nameOf,
      before: ({ companyId, ids }, tx) => findAccount(tx, companyId, ids.account_id),
    },
    transaction: ({ companyId, ids, body }, tx) => changeAccount(tx, companyId, ids.account_id, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/payments/paypal-accounts/:account_id',
    operationId: 'deletePaypalAccount',
    tag,
    summary: 'Delete a PayPal account',
    description: 'If you delete the default account, no other account becomes the default.',
    access: 'platform.billing.all',
    resource,
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'company',
      action: 'paypal_account.deleted',
      name: nameOf,
      before: ({ companyId, ids }, tx) => findAccount(tx, companyId, ids.account_id),
    },
    transaction: async ({ companyId, ids }, tx) => {
      await removeAccount(tx, companyId, dependencies, ids.account_id);
      return null;
    },
  });
}
