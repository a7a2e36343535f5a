/** Helpers for the tests of gateways. */

import { randomUUID } from 'node:crypto';
import { listObjects, readPages } from './gateway.objects.ts';
import type {
  AccountSetup,
  CardDetails,
  ConfirmRequest,
  Gateway,
  GatewayBookPage,
  GatewayBookRequest,
  GatewayPayment,
  PaymentDetails,
  PaymentRequest,
} from './gateway.ts';

/** The beginning of the time that tests look at. */
export const anHourAgo = () => new Date(Date.now() - 3_600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Reads all entries of one kind; by default those around now. */
export const readAll = <Entry>(
  list: (request: GatewayBookRequest) => Promise<GatewayBookPage<Entry>>,
  range = { from: anHourAgo(), to: inAnHour() },
) => toArray(readPages(list, range));

/** Reads everything that the gateway has created in the last hour. */
export const readObjects = (gateway: Gateway) => toArray(listObjects(gateway, anHourAgo()));

async function toArray<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

/** Details as long as they may be. */
export const LONG_DETAILS: PaymentDetails = {
  ...{ installation: randomUUID(), invoiceId: randomUUID(), sourceId: randomUUID(), invoiceNumber: 'INV-B-00000042' },
  ...{
    total: '9'.repeat(20),
    taxRate: '12.3456,'.repeat(250),
    creditMinor: '9'.repeat(18),
    usage: '2026-09:1234567.50,'.repeat(105),
  },
};

/** What each payment of the contract test is of. */
export const CONTRACT_AMOUNT = { amountMinor: 1_999n, currency: 'USD' };

/** An adapter under the contract test. */
export type ContractSubject = {
  gateway: Gateway;
  /** A source that can be charged. */
  succeedingSource(): Promise<string>;
  /** A source whose charge is declined with `declineCode`. */
  decliningSource(): Promise<string>;
  declineCode: string;
  /** Whether reading a declined payment shows the decline; otherwise it is `created` again. */
  remembersDeclines: boolean;
  /** For gateways that take cards: one that succeeds, and one whose charge is declined. */
  cards?: { succeeding: CardDetails; declining: CardDetails };
  /** For gateways that hold accounts: an account whose holder has approved it, with a new setup token each time. */
  accounts?: { email: RegExp; approve(): Promise<AccountSetup> };
  /** For gateways whose cards can ask: a source that asks in every session, and how its holder answers. */
  asking?: { source(): Promise<string>; answer(payment: GatewayPayment, outcome: 'succeed' | 'fail'): Promise<void> };
  /** How often money was captured for this payment, in the gateway's own books. */
  countCaptures(gatewayPaymentId: string): Promise<number>;
  close(): Promise<void>;
};

/** What the parts of the contract test have in common. */
export type Steps = {
  subject(): ContractSubject;
  gateway(): Gateway;
  requestFor(source: Promise<string>): Promise<PaymentRequest>;
  /** With a source that succeeds, unless another is given. */
  create(source?: Promise<string>): Promise<GatewayPayment>;
  /** With the source that the payment was created for. */
  confirm(gatewayPaymentId: string, idempotencyKey?: string): Promise<GatewayPayment>;
};

/** Unique keys of a new payment: its idempotency key, our id, and a debt of its own. */
export function paymentKeys(): Pick<PaymentRequest, 'idempotencyKey' | 'reference' | 'debt' | 'sequence' | 'details'> {
  const [companyId, reference] = [randomUUID(), randomUUID()];
  // A debt that ends like a number is an invoice id in other words at PayPal.
  const debt = `ref:${companyId}:${reference}x`;
  return { idempotencyKey: randomUUID(), reference, debt, sequence: 1, details: {} };
}

/** A request to confirm, by default with a new key and a source that the adapter ignores. */
export function confirmationOf(
  gatewayPaymentId: string,
  idempotencyKey: string = randomUUID(),
  sourceToken = 'source_any',
): ConfirmRequest {
  return { gatewayPaymentId, idempotencyKey, sourceToken, session: 'on', returnUrl: 'https://billing.example.com/pay' };
}

/** A part of the subject that this gateway must have. */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The subject lacks what its sources need.');
  return value;
}

/** The steps of the contract test at a gateway. */
export function createSteps(subject: () => ContractSubject): Steps {
  const gateway = () => subject().gateway;
  const sourceOf = new Map<string, string>();
  async function requestFor(source: Promise<string>): Promise<PaymentRequest> {
    return { ...paymentKeys(), ...CONTRACT_AMOUNT, sourceToken: await source };
  }
  return {
    subject,
    gateway,
    requestFor,
    async create(source = subject().succeedingSource()) {
      const request = await requestFor(source);
      const payment = await gateway().createPayment(request);
      sourceOf.set(payment.id, request.sourceToken);
      return payment;
    },
    async confirm(gatewayPaymentId, idempotencyKey) {
      const sourceToken = sourceOf.get(gatewayPaymentId) ?? (await subject().succeedingSource());
      return gateway().confirmPayment(confirmationOf(gatewayPaymentId, idempotencyKey, sourceToken));
    },
  };
}
