/**
 * A local stand-in for Stripe: an HTTP server with state that follows the published API in its shapes, ids, idempotency keys, errors and
 * signatures. It has the same faults as the sandbox gateway.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxControl } from '../../../src/gateways/sandbox/sandbox.control.ts';
import { waitFor } from '../../../src/gateways/sandbox/server/delays.ts';
import { behaviorOf, createFaults, type Faults } from '../../../src/gateways/sandbox/server/faults.ts';
import { createPending, dropPending, type Pending } from '../../../src/gateways/sandbox/server/operate.ts';
import { type CallCounts, createCallCounts } from '../../../src/gateways/sandbox/server/routes.ts';
import { fromStripeAmount } from '../../../src/gateways/stripe/answers/stripe.amounts.ts';
import type { GatewayLedger } from '../../invariants/invariants.books.ts';
import { answerWithFault, sendJson } from '../gateway-faults.ts';
import { type Collections, type Journal, openJournal } from '../stand-in.journal.ts';
import { BALANCE_ROUTES, expandCharge } from './stripe-server.balance.ts';
import type { StripeBooks } from './stripe-server.books.ts';
import * as stripe from './stripe-server.books.ts';
import * as cards from './stripe-server.cards.ts';
import { endDebits } from './stripe-server.debits.ts';
import { STRIPE_FAULT_WORDS } from './stripe-server.faults.ts';
import type { KeyedRequest } from './stripe-server.keys.ts';
import { type Dispute, invalid, missing, type PaymentIntent, type StripeEvent } from './stripe-server.objects.ts';
import { listOf, type Route, refuseWrongParameters, type StripeRoutes } from './stripe-server.routes.ts';
import { OUTSIDE_ROUTES, SETUP_ROUTES } from './stripe-server.setups.ts';

export const STRIPE_SECRET_KEY = 'sk_test_theTestsAloneKnowThis';
export const STRIPE_WEBHOOK_SECRET = 'whsec_theTestsAloneKnowThisToo';

export type StripeServer = {
  url: string;
  port: number;
  /** Injects faults and reads the books, as with the sandbox gateway. */
  control: SandboxControl;
  books: StripeBooks;
  /** Returns the headers with which Stripe would send this body to a webhook. */
  sign(body: string, options?: { secret?: string; timestamp?: number }): Record<string, string>;
  /** Returns the events about a payment, the oldest first. */
  eventsOf(paymentIntentId: string): StripeEvent[];
  close(): Promise<void>;
};

/** `journal` is a file that keeps the books when the process is killed. If it already exists, its books are loaded. */
export type StripeServerOptions = { port?: number; books?: StripeBooks; journal?: string };

const PAYMENT = '/v1/payment_intents/([\\w-]+)';
const ROUTES: StripeRoutes = [
  ['POST /v1/payment_methods', 'tokenize', (books, { form }) => cards.createPaymentMethod(books, form)],
  [
    'POST /v1/payment_methods/(\\w+)/attach',
    'other',
    (books, { id, form }) => cards.attachPaymentMethod(books, id, form),
  ],
  ['POST /v1/payment_methods/(\\w+)/detach', 'tokenize', (books, { id }) => cards.detachPaymentMethod(books, id)],
  ['GET /v1/payment_methods/(\\w+)', 'other', (books, { id }) => cards.findPaymentMethod(books, id)],
  [
    'GET /v1/customers/search',
    'other',
    (books, { form }) => cards.searchMetadata(books, '/v1/customers/search', books.customers.values(), form),
  ],
  [
    'GET /v1/payment_intents/search',
    'ask',
    (books, { form }) => cards.searchMetadata(books, '/v1/payment_intents/search', books.intents.values(), form),
  ],
  ['POST /v1/customers/(\\w+)', 'other', (books, { id, form }) => cards.updateCustomer(books, id, form)],
  ['POST /v1/customers', 'other', (books, { form }) => cards.createCustomer(books, form)],
  ...SETUP_ROUTES,
  ...OUTSIDE_ROUTES,
  ['POST /v1/payment_intents', 'create', (books, { form, key }) => stripe.createPaymentIntent(books, form, key)],
  [`POST ${PAYMENT}/confirm`, 'confirm', (books, request, bend) => stripe.confirmPaymentIntent(books, request, bend)],
  [`POST ${PAYMENT}/cancel`, 'cancel', (books, { id, key }) => stripe.cancelPaymentIntent(books, id, key)],
  [`GET ${PAYMENT}`, 'find', (books, { id }) => stripe.findPaymentIntent(books, id)],
  ['POST /v1/refunds', 'refund', (books, { form, key }) => stripe.createRefund(books, form, key)],
  ['GET /v1/refunds', 'list', ({ refunds }, { form }) => listOf('/v1/refunds', refunds, form)],
  ...BALANCE_ROUTES,
  ['GET /v1/disputes', 'list', ({ disputes }, { form }) => listOf('/v1/disputes', disputes, form)],
  ['GET /v1/disputes/(\\w+)', 'find', ({ disputes }, { id }) => findDispute(disputes, id)],
  [
    'GET /v1/payment_intents',
    'list',
    (books, { form }) => {
      cards.requireCustomerOf(books, form);
      const { data, ...page } = listOf('/v1/payment_intents', [...books.intents.values()], form);
      return { ...page, data: data.map((intent) => expandCharge(books, intent, form)) };
    },
  ],
];

type Session = {
  books: StripeBooks;
  journal: Journal | null;
  faults: Faults;
  calls: CallCounts;
  pending: Pending;
};

/** Starts the stand-in on the loopback interface. With the `books` of an earlier one it continues from there. */
export async function startStripeServer({
  port = 0,
  books = stripe.createStripeBooks(),
  journal: path,
}: StripeServerOptions = {}): Promise<StripeServer> {
  const journal = path === undefined ? null : openJournal(path, collectionsOf(books));
  const pending = createPending();
  const session = { books, journal, faults: createFaults(), calls: createCallCounts(), pending };
  const { faults, calls } = session;
  const server = createServer((request, response) => {
    response.on('error', () => {});
    handle(session, request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    books,
    control: {
      armFault: async (fault) => void faults.arm(fault),
      clearFaults: async () => faults.clear(),
      endDelays: async () => {
        journal?.note(endDebits(books));
        await Promise.all([pending.latencies.endAll(), pending.lateEffects.endAll()]);
      },
      readFaults: async () =>
        structuredClone({ calls, pendingEffects: pending.lateEffects.count(), faults: faults.list() }),
      readLedger: async () => readLedger(books),
      forgetIdempotencyKeys: async () => {
        books.keys.forget();
        journal?.clear('keys');
      },
    },
    sign,
    eventsOf: (id) => books.events.filter(({ data }) => namesPayment(data.object, id)),
    close: () => closeServer(server, pending),
  };
}

async function handle(session: Session, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { books, journal, faults, calls, pending } = session;
  const { pathname, search } = new URL(request.url ?? '/', 'http://stripe.invalid');
  const body = await readBody(request);
  if (request.headers.authorization !== `Bearer ${STRIPE_SECRET_KEY}`) {
    return sendJson(response, STRIPE_FAULT_WORDS.unauthorized);
  }
  const found = findRoute(`${request.method} ${pathname}`);
  if (found === null) return sendJson(response, missing('url', true));
  const { perform, id } = found;
  // The adapter lists one customer's payments when it asks for a debt.
  const operation = found.operation === 'list' && search.includes('customer=') ? 'ask' : found.operation;
  if (operation !== 'other') calls[operation] += 1;
  if (body.includes('payment_method_types') && String(request.headers['stripe-version']) >= '2026-08-26')
    return sendJson(response, invalid('payment_method_types', 'payment_method_types_no_longer_supported'));
  const { latencyMs, fault } = operation === 'other' ? { latencyMs: 0, fault: null } : faults.take(operation);
  if (latencyMs > 0) await waitFor(pending.latencies, latencyMs);

  const { changeDecision = (honest) => honest, storesServerError = false } = behaviorOf(fault);
  const isPost = request.method === 'POST';
  const parameters = new URLSearchParams(isPost ? body : search);
  const form = Object.fromEntries(parameters);
  const key = isPost ? String(request.headers['idempotency-key'] ?? '') : '';
  parameters.sort();
  const keyed: KeyedRequest = {
    key,
    request: `${request.method} ${pathname} ${parameters}`,
    lock: isPost && (id || form.payment_intent) ? `object ${id || form.payment_intent}` : null,
    perform: () => {
      refuseWrongParameters(`${request.method} ${pathname}`, form);
      return perform(books, { id, form, key: key || null }, changeDecision);
    },
    recordChanges: (answer) => {
      if (isPost) journal?.note([id, key, form.payment_intent, 'id' in answer ? String(answer.id) : undefined]);
    },
    storesServerError,
  };
  const effect = () => books.keys.answerOnce(keyed);
  await answerWithFault({ fault, words: STRIPE_FAULT_WORDS, effect, response, pending });
}

function collectionsOf({
  customers,
  methods,
  intents,
  asked,
  setups,
  captures,
  refunds,
  events,
  keys,
  transactions,
}: StripeBooks): Collections {
  return {
    maps: { customers, methods, intents, asked, setups, keys: keys.kept },
    lists: { captures, refunds, events, transactions },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function findRoute(methodAndPath: string): (Route & { id: string }) | null {
  for (const [pattern, operation, perform] of ROUTES) {
    const match = new RegExp(`^${pattern}$`).exec(methodAndPath);
    if (match) return { operation, perform, id: match[1] ?? '' };
  }
  return null;
}

function findDispute(disputes: readonly Dispute[], id: string): Dispute {
  const found = disputes.find((dispute) => dispute.id === id);
  if (found === undefined) throw missing('dispute', true);
  return structuredClone(found);
}

/** Returns the ledger in the form of the sandbox's, which the invariant checks read. */
function readLedger({ intents, captures, refunds, disputes, asked }: StripeBooks): GatewayLedger {
  const money = (amount: number, code: string) => {
    const currency = code.toUpperCase();
    return { amountMinor: fromStripeAmount(amount, currency), currency };
  };
  return {
    cards: [],
    accounts: [],
    payments: [...intents.values()].map((intent) => ({
      id: intent.id,
      ...money(asked.get(intent.id)?.amount ?? 0, asked.get(intent.id)?.currency ?? intent.currency),
      sourceToken: asked.get(intent.id)?.sourceToken ?? '',
      reference: intent.metadata.paydesk_payment ?? '',
      status: statusOf(intent),
      declineCode: intent.last_payment_error?.decline_code ?? null,
      debt: intent.metadata.paydesk_debt ?? null,
    })),
    captures: captures.map(({ id, paymentId, amount, currency }) => ({ id, paymentId, ...money(amount, currency) })),
    refunds: refunds.map((refund) => ({
      id: refund.id,
      paymentId: refund.payment_intent,
      ...money(refund.amount, refund.currency),
      reference: refund.metadata.paydesk_refund ?? '',
    })),
    disputeMovements: disputes.flatMap((dispute) =>
      dispute.balance_transactions.map(({ id, amount, currency }) => ({
        id,
        paymentId: dispute.payment_intent,
        ...money(-amount, currency),
      })),
    ),
  };
}

/** The bank asks a holder who was not there, too: Stripe's error keeps the intent open. */
function statusOf({ status, last_payment_error: error }: PaymentIntent): GatewayLedger['payments'][number]['status'] {
  if (status === 'succeeded') return 'captured';
  if (status === 'canceled' || status === 'processing' || status === 'requires_action') return status;
  if (error === null) return 'created';
  return error.code === 'authentication_required' ? 'requires_action' : 'declined';
}

/** Written out instead of using Stripe's package, because that package verifies it (https://docs.stripe.com/webhooks#verify-manually). */
export function sign(
  body: string,
  { secret = STRIPE_WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1_000) } = {},
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${timestamp},v1=${signature}` };
}

function namesPayment(object: object, id: string): boolean {
  return ('id' in object && object.id === id) || ('payment_intent' in object && object.payment_intent === id);
}

async function closeServer(server: Server, pending: Pending): Promise<void> {
  dropPending(pending);
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
