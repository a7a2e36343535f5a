/** Calls every operation of Stripe's adapter. */
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { LONG_DETAILS, paymentKeys } from '../../src/gateways/gateway/gateway.testing.ts';
import type { CardDetails, Gateway, GatewayBookRequest } from '../../src/gateways/gateway/gateway.ts';
import { createStripeGateway } from '../../src/gateways/stripe/stripe.gateway.ts';
import { payOut } from '../stand-ins/stripe/stripe-server.balance.ts';
import type { StripeBooks } from '../stand-ins/stripe/stripe-server.books.ts';
import { confirmDebitInBrowser, createDebit, endDebit } from '../stand-ins/stripe/stripe-server.debits.ts';
import { openDispute } from '../stand-ins/stripe/stripe-server.disputes.ts';
import { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } from '../stand-ins/stripe/stripe-server.ts';
import { ASKED, GONE } from './stripe-mock.observer.ts';

const IBAN = 'DE89370400440532013000';
const CARD: Omit<CardDetails, 'holder'> = {
  number: '4242424242424242',
  securityCode: '123',
  expMonth: 12,
  expYear: new Date().getUTCFullYear() + 3,
  name: 'Ada Lovelace',
  country: 'GB',
};

type Holder = { companyId: string; companyExternalId: string; customer: string };
/** `books` are the stand-in's; null for a server without state, whose ids may be any. */
type Run = {
  gateway: Gateway;
  books: StripeBooks | null;
  attempt: <Result>(name: string, call: () => Promise<Result> | undefined) => Promise<Result | undefined>;
};

/** Calls every operation of the adapter at this server. @returns how each of them failed that did */
export async function driveAdapter({ url, books }: { url: string; books: StripeBooks | null }): Promise<string[]> {
  const keys = { secretKey: STRIPE_SECRET_KEY, publishableKey: 'pk_test_any', webhookSecret: STRIPE_WEBHOOK_SECRET };
  const gateway = createStripeGateway({ baseUrl: url, ...keys });
  const failures: string[] = [];
  const attempt: Run['attempt'] = async (name, call) => {
    try {
      return await call();
    } catch (error) {
      failures.push(`${name} fails: ${error}`);
      return undefined;
    }
  };
  const run = { gateway, books, attempt };
  const company = { companyId: randomUUID(), companyExternalId: 'acme' };
  const card = await attempt('tokenizeCard', () =>
    gateway.tokenizeCard({ ...CARD, holder: { ...company, customer: null } }),
  );
  const holder = { ...company, customer: card?.customer ?? 'cus_1' };
  await attempt('describeCustomer', () =>
    gateway.describeCustomer?.({ ...holder, name: 'Ada', email: 'a@example.com' }),
  );
  await attempt('describeCustomer', () => gateway.describeCustomer?.({ ...holder, name: '', email: null }));
  await driveSetups(run, holder);
  await driveDebits(run, holder);
  const sourceToken = card?.token ?? 'cus_1/pm_1';
  const gatewayPaymentId = await drivePayments(run, sourceToken);
  await driveDebts(run, { holder, gatewayPaymentId, sourceToken });
  await driveRefunds(run, gatewayPaymentId);
  await driveBooks(run, gatewayPaymentId);
  await driveEvents(run, gatewayPaymentId);
  await attempt('detachSource', () => gateway.detachSource?.(sourceToken));
  return failures;
}

async function driveSetups({ gateway: { fields, takeCard }, books, attempt }: Run, holder: Holder): Promise<void> {
  for (const method of ['Card', 'sepa_debit'] as const) {
    const request = { setupId: randomUUID(), method, holder };
    const setup = await attempt(`createSetup of ${method}`, () => fields?.createSetup(request));
    const id = setup?.id ?? 'seti_1';
    if (books !== null && method === 'sepa_debit') confirmDebitInBrowser(books, id, IBAN);
    await attempt(`findSetup of ${method}`, () => fields?.findSetup(id));
  }
  const cardId = books === null ? 'pm_1' : ([...books.methods.keys()][0] ?? '');
  await attempt('takeCard of a card', () => takeCard?.(cardId, holder));
  if (books === null) await attempt('takeOnce', () => fields?.takeOnce?.(cardId, holder));
}

async function driveDebits({ gateway, books, attempt }: Run, holder: Holder): Promise<void> {
  const id = books === null ? 'pm_debit' : createDebit(books, IBAN).id;
  await attempt('takeCard of a debit', () => gateway.takeCard?.(id, holder));
  for (const session of ['on', 'off'] as const) {
    const request = { ...requestOf(`${holder.customer}/${id}/sepa_debit`), currency: 'EUR' };
    const created = await attempt('createPayment of a debit', () => gateway.createPayment(request));
    const confirmation = confirmationOf(created?.id ?? 'pi_1', request.sourceToken, session);
    await attempt(`confirmPayment of a debit, ${session} session`, () => gateway.confirmPayment(confirmation));
    if (books !== null) endDebit(books, confirmation.gatewayPaymentId);
  }
}

/** @returns a captured payment */
async function drivePayments({ gateway, books, attempt }: Run, sourceToken: string): Promise<string> {
  const create = async () => {
    const created = await attempt('createPayment', () => gateway.createPayment(requestOf(sourceToken)));
    return created?.id ?? 'pi_1';
  };
  const [on, off, canceled] = [await create(), await create(), await create()];
  for (const [id, session] of [[on, 'on'] as const, [off, 'off'] as const]) {
    const confirmation = confirmationOf(id, sourceToken, session);
    await attempt(`confirmPayment, ${session} session`, () => gateway.confirmPayment(confirmation));
  }
  const returnUrl = 'https://billing.example.com/pay/token';
  await attempt('askCustomer', () =>
    gateway.askCustomer?.({ gatewayPaymentId: books === null ? ASKED : off, returnUrl }),
  );
  await attempt('cancelPayment', () => gateway.cancelPayment(canceled));
  await attempt('findPayment', () => gateway.findPayment(on));
  return on;
}

async function driveDebts(
  { gateway, attempt }: Run,
  { holder, gatewayPaymentId, sourceToken }: { holder: Holder; gatewayPaymentId: string; sourceToken: string },
): Promise<void> {
  const { companyId, customer } = holder;
  const asked = { debt: `ref:${companyId}:x`, companyId, known: [{ gatewayPaymentId, reference: randomUUID() }] };
  const list = (known: { customer: string | null; sourceTokens: string[] }) =>
    attempt('listPaymentsOfDebt', () => gateway.listPaymentsOfDebt({ ...asked, ...known }));
  await list({ customer, sourceTokens: [sourceToken] });
  await list({ customer: null, sourceTokens: [] });
  await list({ customer: GONE, sourceTokens: [] });
}

async function driveRefunds({ gateway, attempt }: Run, gatewayPaymentId: string): Promise<void> {
  const details = { installation: randomUUID(), key: 'key', creditNoteId: randomUUID(), reason: 'as agreed' };
  const request = { gatewayPaymentId, amountMinor: 100n, reference: randomUUID(), idempotencyKey: randomUUID() };
  await attempt('refundPayment', () => gateway.refundPayment({ ...request, details }));
  await attempt('findRefund', () => gateway.findRefund(gatewayPaymentId, request.reference));
  await attempt('listRefundsOf', () => gateway.listRefundsOf(gatewayPaymentId));
}

async function driveBooks({ gateway, books, attempt }: Run, gatewayPaymentId: string): Promise<void> {
  const dispute = books === null ? 'dp_1' : openDispute(books, gatewayPaymentId).id;
  const payout = books === null ? 'po_1' : payOut(books, books.transactions).id;
  const movement = books?.transactions[0]?.id ?? 'txn_1';
  const from = new Date(Date.now() - 3_600_000);
  const range = { from, to: new Date(Date.now() + 3_600_000), cursor: null };
  const lists = {
    listPayments: (request: GatewayBookRequest) => gateway.listPayments(request),
    listRefunds: (request: GatewayBookRequest) => gateway.listRefunds(request),
    listDisputes: (request: GatewayBookRequest) => gateway.listDisputes?.(request),
    listMovements: (request: GatewayBookRequest) => gateway.listMovements?.(request),
    listPayouts: (request: GatewayBookRequest) => gateway.listPayouts?.(request),
  };
  for (const [name, list] of Object.entries(lists)) {
    const page = await attempt<{ nextCursor: string | null }>(name, () => list(range));
    const cursor = page?.nextCursor ?? null;
    if (cursor !== null) await attempt<unknown>(`${name}, second page`, () => list({ ...range, cursor }));
  }
  await attempt('findDispute', () => gateway.findDispute?.(dispute));
  await attempt('findMovement', () => gateway.findMovement?.(movement));
  await attempt('findPayout', () => gateway.findPayout?.(payout));
  await attempt('listMovementsOfPayout', () => gateway.listMovementsOfPayout?.(payout, null));
}

/** Reads an event. Stripe sends them, so that there is no request of ours. */
async function driveEvents({ gateway, attempt }: Run, id: string): Promise<void> {
  const object = { id, object: 'payment_intent', metadata: {} };
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', data: { object } });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: STRIPE_WEBHOOK_SECRET });
  await attempt('readGatewayEvent', async () => {
    const headers = { 'stripe-signature': signature };
    const event = await gateway.readGatewayEvent?.({ body: Buffer.from(body), headers });
    if (event?.gatewayPaymentId !== id) throw new Error('It names another payment.');
  });
}

function requestOf(sourceToken: string) {
  const details = { ...LONG_DETAILS, companyExternalId: 'acme' };
  return { ...paymentKeys(), amountMinor: 1_099n, currency: 'USD', sourceToken, details };
}

function confirmationOf(gatewayPaymentId: string, sourceToken: string, session: 'on' | 'off') {
  const returnUrl = session === 'on' ? 'https://billing.example.com/pay/token' : '';
  return { gatewayPaymentId, sourceToken, session, returnUrl, idempotencyKey: randomUUID() };
}
