import type { Operation } from '../../src/platform/http/route/operation.ts';
import type { Access } from '../../src/platform/http/route/types.ts';
import { invoicesOf, runMonth, use } from '../billing/billing.ts';
import { credit } from '../billing/invoice-documents.ts';
import { usageEvent } from '../billing/usage.ts';
import {
  type Actor,
  cardBody,
  expectStatus,
  invoiceBody,
  issueInvoice,
  saveAddress,
  saveCard,
  signUpAdmin,
  signUpCustomer,
} from '../customers/actors.ts';
import { insertFailedJob } from '../harness/jobs.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { BILLING_CASES } from './battery.billing.ts';
import { LABEL_CASES } from './battery.labels.ts';
import { MAIL_CASES } from './battery.mails.ts';
import { PAYPAL_ACCOUNT_CASES } from './battery.paypal-accounts.ts';
import { RECOVERY_CASES } from './battery.recovery.ts';
import { REFUND_CASES } from './battery.refunds.ts';
import { SELLER_CASES } from './battery.seller.ts';
import { SESSION_CASES } from './battery.sessions.ts';
import { THRESHOLD_CASES } from './battery.thresholds.ts';
import { WEBHOOK_CASES } from './battery.webhooks.ts';
import { OPERATOR_CASES } from './cases/operators.ts';
import { SECOND_FACTOR_CASES } from './cases/second-factors.ts';
import { TEAM_CASES } from './cases/team.ts';

/** Two separate companies, and a customer, who has no company. */
export type World = { service: TestService; admin: Actor; other: Actor; customer: Actor; addressId: string };

/** What a path id refers to: the table, and a function that creates a row for an actor. */
export type Named = {
  table: string;
  make: (service: TestService, actor: Actor) => Promise<string>;
  /** It is a name, which is no UUID. */
  isName?: true;
};

/** What the battery needs to know about a route, besides its method and path. */
export type BatteryCase = {
  /** Who may call it according to the contract. */
  access: Access;
  /** Returns a body that the route accepts. */
  body?: (world: World) => object;
  /**
   * For an update: new values for every field that the answer also has, each different from what `names` creates. The default is `body`.
   */
  update?: (world: World) => object;
  /** Fields that the world's admin can't change; they have tests of their own. */
  fixed?: string[];
  /** The body is signed by an outside sender, which also defines its fields. */
  isSigned?: boolean;
  /**
   * What it is refused with, although the body has the right shape: its code, token or challenge is not from the service, or the caller may
   * not do it; and whether the audit log gets that as a failed login.
   */
  refusal?: { status: number; code: string; isFailedLogin?: true };
  /** A query without which the route answers 400. */
  query?: string;
  /** Others add parameters of their own. */
  takesAnyQuery?: true;
  /** What the last id of the path refers to. */
  names?: Named;
  /** The ids of the path before the last one, matching what `names` creates for the world's admin. */
  within?: (world: World) => string[];
};

/** Routes that take no token and no body. */
export const OUTSIDE_THE_BATTERY = /^\/(healthz|readyz|metrics|openapi\.json|docs|\.well-known)(\/|$)/;

const ADDRESS: Named = { table: 'addresses', make: saveAddress };
const CARD: Named = { table: 'cards', make: saveCard };
const COMPANY: Named = { table: 'companies', make: async (_service, { companyId }) => companyId };
const INVOICE: Named = {
  table: 'invoices',
  make: async (service, { companyId }) => (await issueInvoice(service, companyId)).id,
};

/** An invoice of a billing run, in a month that no other case uses. */
const BILLED_INVOICE: Named = { table: 'invoices', make: billNextMonth };

const CREDIT_NOTE: Named = {
  table: 'credit_notes',
  make: async (service, { companyId }) => {
    const invoice = await issueInvoice(service, companyId);
    return expectStatus(await credit(service, invoice.id, { amount: '1.00' }), 201).body.id;
  },
};

const FAILED_JOB: Named = { table: 'paydesk_jobs.job', make: insertFailedJob };

/** Every route with its case. A route that is missing here fails the suite. */
export const BATTERY: Record<string, BatteryCase> = {
  ...SESSION_CASES,
  ...SECOND_FACTOR_CASES,
  ...MAIL_CASES,
  ...OPERATOR_CASES,

  'POST /payments/cards': { access: 'platform.billing.all', body: ({ addressId }) => cardBody(addressId) },
  'GET /payments/cards': { access: 'platform.billing.view' },
  'PUT /payments/cards/:card_id': {
    access: 'platform.billing.all',
    body: () => ({ isDefault: true, info: { expMonth: 11, expYear: 2090 } }),
    names: CARD,
  },
  'DELETE /payments/cards/:card_id': { access: 'platform.billing.all', names: CARD },

  'GET /payments/billing-information': { access: 'platform.billing.view' },
  'PUT /payments/billing-information': {
    access: 'platform.billing.all',
    body: () => ({
      firstName: 'Grace',
      lastName: 'Hopper',
      phoneNumber: '+1 555 0100',
      country: 'US',
      address: '1 Navy Yard',
      zipCode: '20374',
      province: 'DC',
      city: 'Washington',
      organization: 'Compilers',
      taxId: 'US-1',
    }),
  },

  'GET /payments/billing-settings': { access: 'platform.billing.view' },
  'PUT /payments/billing-settings': {
    access: 'platform.billing.all',
    body: () => ({ paymentMethod: 'default' }),
    update: () => ({ paymentMethod: 'paypal' }),
  },

  'GET /payments/usage': { access: 'platform.billing.view' },
  'GET /payments/orders': { access: 'platform.billing.view' },
  'GET /payments/orders/:invoice_id': { access: 'platform.billing.view', names: INVOICE },
  'PUT /payments/orders/:invoice_id/pay': { access: 'platform.billing.all', names: INVOICE },

  'POST /payments/addresses': { access: 'platform.billing.all', body: addressBody },
  'GET /payments/addresses': { access: 'platform.billing.view' },
  'PUT /payments/addresses/:address_id': {
    access: 'platform.billing.all',
    body: addressBody,
    names: ADDRESS,
  },
  'DELETE /payments/addresses/:address_id': { access: 'platform.billing.all', names: ADDRESS },

  'POST /operator/invoices': {
    access: 'operator',
    body: ({ admin }) => invoiceBody(admin.companyId, { method: 'Card', taxRate: '20', metadata: null }),
  },
  'GET /operator/invoices': { access: 'operator' },
  'GET /operator/invoices/:invoice_id': { access: 'operator', names: INVOICE },
  'GET /payments/orders/:invoice_id/pdf': { access: 'platform.billing.view', names: INVOICE },
  'GET /payments/credit-notes/:credit_note_id/pdf': { access: 'platform.billing.view', names: CREDIT_NOTE },
  'GET /payments/orders/:invoice_id/credit-notes': { access: 'platform.billing.view', names: INVOICE },
  'POST /operator/invoices/:invoice_id/credit-notes': {
    access: 'operator',
    body: () => ({ details: [{ title: 'Failed requests', amount: '1.00' }], reason: 'Outage' }),
    names: INVOICE,
  },
  'GET /operator/invoices/:invoice_id/credit-notes': { access: 'operator', names: INVOICE },
  'POST /operator/invoices/:invoice_id/void': { access: 'operator', names: INVOICE },
  'POST /operator/invoices/:invoice_id/recompute': { access: 'operator', names: BILLED_INVOICE },
  ...SELLER_CASES,
  'GET /operator/companies': { access: 'operator' },

  'POST /operator/usage': { access: 'operator', body: ({ admin }) => usageEvent(admin.companyId) },
  'GET /operator/usage': { access: 'operator', query: `companyId=${crypto.randomUUID()}` },
  'GET /operator/companies/:company_id/billing-settings': { access: 'operator', names: COMPANY },
  'PUT /operator/companies/:company_id/billing-settings': {
    access: 'operator',
    body: () => ({
      currency: 'USD',
      taxRate: '20',
      exemptWithTaxId: true,
      timezone: 'Europe/Berlin',
      lateUsage: { kind: 'refuse', days: 30 },
      invoiceGraceHours: 24,
      collection: 'by_card',
      netDays: 14,
      dunningDays: [2, 5],
      paymentMethod: 'default',
    }),
    update: () => ({
      currency: 'EUR',
      taxRate: '19',
      exemptWithTaxId: true,
      timezone: 'Asia/Tokyo',
      lateUsage: { kind: 'refuse', days: 60 },
      invoiceGraceHours: 48,
      collection: 'manual',
      netDays: 30,
      dunningDays: [1, 2],
      paymentMethod: 'Card',
      numberPrefix: 'ACME-',
    }),
    names: COMPANY,
  },

  'GET /operator/jobs': { access: 'operator' },
  'POST /operator/jobs/:job_id/retry': { access: 'operator', names: FAILED_JOB },
  'GET /company/audit-log': { access: 'platform.admins.view' },
  'GET /company/audit-log.csv': { access: 'platform.admins.view' },
  'GET /operator/audit-log': { access: 'operator' },
  'GET /operator/audit-log.csv': { access: 'operator' },
  'GET /operator/audit-log/verification': { access: 'operator' },

  ...BILLING_CASES,
  ...LABEL_CASES,
  ...PAYPAL_ACCOUNT_CASES,
  ...RECOVERY_CASES,
  ...REFUND_CASES,
  ...TEAM_CASES,
  ...THRESHOLD_CASES,
  ...WEBHOOK_CASES,
};

function addressBody(): object {
  return {
    firstName: 'Grace',
    lastName: 'Hopper',
    streetAddress: '1 Navy Yard',
    aptNumber: '2',
    state: 'DC',
    zipCode: '20374',
    country: 'US',
  };
}

/** The months are long ago, so that their runs come before all others. */
let billedMonths = 0;

async function billNextMonth(service: TestService, actor: Actor): Promise<string> {
  const month = new Date(Date.UTC(2010, billedMonths, 1)).toISOString();
  billedMonths += 1;
  await use(service, actor, '/v1/billed', 1, month);
  await runMonth(service, month.slice(0, 7));
  const invoices = await invoicesOf(service, actor);
  return invoices.find(({ startAt }: { startAt: string }) => startAt === month).id;
}

/** Signs up the companies and the customer that the battery needs. */
export async function prepareWorld(service: TestService): Promise<World> {
  const [admin, other, customer] = await Promise.all([
    signUpAdmin(service),
    signUpAdmin(service),
    signUpCustomer(service),
  ]);
  return { service, admin, other, customer, addressId: await saveAddress(service, admin) };
}

/** Splits a route as the battery writes it into method and path. */
export function splitRoute(route: string): { method: string; url: string } {
  const [method = '', url = ''] = route.split(' ');
  return { method, url };
}

/** Fills in the ids of a route's path, in order. Missing ids are random. */
export function fillPath(url: string, ...ids: (string | undefined)[]): string {
  const given = ids.values();
  return url.replace(/:\w+/g, () => given.next().value ?? crypto.randomUUID());
}

/** The credential with which a route can be called; undefined for a public route. */
export function credentialFor({ service, admin }: World, { access }: BatteryCase): string | undefined {
  if (access === 'public') return undefined;
  return access === 'operator' ? service.operatorKey : admin.token;
}

/** The operation of a route of the battery. */
export function operationOf({ service }: World, route: string): Operation {
  const { method, url } = splitRoute(route);
  const operation = service.operations.find((one) => one.method === method && one.url === url);
  if (operation === undefined) throw new Error(`There is no operation ${route}`);
  return operation;
}

/** The routes of the battery that satisfy a condition, for `describe.each` and `test.each`. */
export function routesWhere(condition: (entry: BatteryCase, method: string) => boolean): [string, BatteryCase][] {
  return Object.entries(BATTERY).filter(([route, entry]) => condition(entry, splitRoute(route).method));
}

/**
 * Fails the test unless the answer is an error with this status and code, in the standard shape and with its request
 * id.
 */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  const { error } = answer.body ?? {};
  const problems = [
    ...(answer.status === status && error?.code === code ? [] : [`expected ${status} ${code}`]),
    ...(error?.requestId === answer.headers.get('x-request-id') ? [] : ['the request id is not that of the header']),
    ...(status !== 401 || answer.headers.get('www-authenticate') === 'Bearer' ? [] : ['WWW-Authenticate is missing']),
  ];
  if (problems.length > 0)
    throw new Error(`${problems.join(', ')}, but the answer was ${answer.status}: ${answer.text}`);
}
