import type { FastifyInstance } from 'fastify';
import { findInvoiceCompany } from '../../billing/invoices/invoices.service.ts';
import { route } from '../../platform/http/route/route.ts';
import { InvoiceLink } from './links.schema.ts';
import { createLink, describeLink, type LinkSettings, readLink, revokeLink } from './links.service.ts';

const COMMON = { resource: 'invoice', errors: [] } as const;
const AUDIT = { audience: 'company', fields: ['createdAt', 'expiresAt'] } as const;
const CREATED = { idempotency: 'create', answersSecret: true, response: { 201: InvoiceLink } } as const;

const READ =
  'Returns the address of a page on which the invoice can be read and paid without a login. The link is made when it is first asked for, ' +
  'and anew after it has expired. It is in every mail about the invoice, and works until 30 days after `dueAt`, or after it was made if ' +
  'that is later. After it was revoked, the answer is 404.';
const REPLACE = 'Makes a new link. The one before opens nothing any more, in mails either.';
const REVOKE = 'The link opens nothing any more, and the invoice has none until a new one is created.';

/** Registers the routes for the link to the hosted page of an invoice. */
export function registerLinkRoutes(app: FastifyInstance, settings: LinkSettings): void {
  registerOfCompany(app, settings);
  registerOfOperator(app, settings);
}

function registerOfCompany(app: FastifyInstance, settings: LinkSettings): void {
  const common = { ...COMMON, url: '/payments/orders/:invoice_id/link', tag: 'Invoices' } as const;
  route(app, {
    ...common,
    method: 'GET',
    operationId: 'getInvoiceLink',
    summary: 'Read the link to pay an invoice',
    description: READ,
    access: 'platform.billing.view',
    response: { 200: InvoiceLink },
    handler: ({ companyId, ids }, db) => readLink(db, settings, companyId, ids.invoice_id),
  });
  route(app, {
    ...common,
    ...CREATED,
    method: 'POST',
    operationId: 'replaceInvoiceLink',
    summary: 'Replace the link to pay an invoice',
    description: REPLACE,
    access: 'platform.billing.all',
    audit: {
      ...AUDIT,
      action: 'invoice_link.replaced',
      before: ({ companyId, ids }, tx) => describeLink(tx, companyId, ids.invoice_id),
    },
    transaction: ({ companyId, ids }, tx) => createLink(tx, settings, companyId, ids.invoice_id),
  });
  route(app, {
    ...common,
    method: 'DELETE',
    operationId: 'revokeInvoiceLink',
    summary: 'Revoke the link to pay an invoice',
    description: REVOKE,
    access: 'platform.billing.all',
    response: { 204: null },
    audit: {
      ...AUDIT,
      action: 'invoice_link.revoked',
      before: ({ companyId, ids }, tx) => describeLink(tx, companyId, ids.invoice_id),
    },
    transaction: ({ companyId, ids }, tx) => revokeLink(tx, settings, companyId, ids.invoice_id),
  });
}

function registerOfOperator(app: FastifyInstance, settings: LinkSettings): void {
  const common = {
    ...COMMON,
    url: '/operator/invoices/:invoice_id/link',
    tag: 'Operator',
    access: 'operator',
  } as const;
  route(app, {
    ...common,
    method: 'GET',
    operationId: 'getOperatorInvoiceLink',
    summary: "Read the link to pay any company's invoice",
    description: READ,
    response: { 200: InvoiceLink },
    handler: async ({ ids: { invoice_id: id } }, db) => readLink(db, settings, await findInvoiceCompany(db, id), id),
  });
  route(app, {
    ...common,
    ...CREATED,
    method: 'POST',
    operationId: 'replaceOperatorInvoiceLink',
    summary: "Replace the link to pay any company's invoice",
    description: REPLACE,
    audit: {
      ...AUDIT,
      action: 'invoice_link.replaced',
      before: ({ ids }, tx) => describeLink(tx, null, ids.invoice_id),
    },
    transaction: async ({ ids: { invoice_id: id } }, tx) =>
      createLink(tx, settings, await findInvoiceCompany(tx, id), id),
  });
  route(app, {
    ...common,
    method: 'DELETE',
    operationId: 'revokeOperatorInvoiceLink',
    summary: "Revoke the link to pay any company's invoice",
    description: REVOKE,
    response: { 204: null },
    audit: {
      ...AUDIT,
      action: 'invoice_link.revoked',
      before: ({ ids }, tx) => describeLink(tx, null, ids.invoice_id),
    },
    transaction: async ({ ids: { invoice_id: id } }, tx) =>
      revokeLink(tx, settings, await findInvoiceCompany(tx, id), id),
  });
}
