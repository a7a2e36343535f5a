/**
 * A local stand-in for PayPal: an HTTP server with state that follows the published API in its shapes, request ids, errors and webhooks. It
 * has the same faults as the sandbox gateway.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GatewayOperation } from '../../../src/gateways/sandbox/bank/bank.schema.ts';
import type { SandboxControl } from '../../../src/gateways/sandbox/sandbox.control.ts';
import { waitFor } from '../../../src/gateways/sandbox/server/delays.ts';
import { behaviorOf, createFaults, type Faults } from '../../../src/gateways/sandbox/server/faults.ts';
import { createPending, dropPending, type Pending } from '../../../src/gateways/sandbox/server/operate.ts';
import { type CallCounts, createCallCounts } from '../../../src/gateways/sandbox/server/routes.ts';
import { type Answer, answerWithFault, type FaultWords, sendJson } from '../gateway-faults.ts';
import { type Journal, openJournal } from '../stand-in.journal.ts';
import type { BendDecision } from './paypal-server.books.ts';
import * as paypal from './paypal-server.books.ts';
import { findDispute, listDisputes } from './paypal-server.disputes.ts';
import type { Work } from './paypal-server.keys.ts';
import { readLedger } from './paypal-server.ledger.ts';
import { missing, type Order, PayPalError, type PayPalEvent } from './paypal-server.objects.ts';
import { searchTransactions } from './paypal-server.records.ts';
import { collectionsOf, createPayPalBooks, type PayPalBooks } from './paypal-server.state.ts';
import { type Signing, sign, verify } from './paypal-server.webhooks.ts';

export const PAYPAL_CLIENT_ID = 'AtheTestsClient_0123456789';
export const PAYPAL_CLIENT_SECRET = 'EtheTestsAloneKnowThis_0123456789';
const TOKEN_SECONDS = 32_400;

export type PayPalServer = {
  url: string;
  port: number;
  /** Injects faults and reads the books, as with the sandbox gateway. */
  control: SandboxControl;
  books: PayPalBooks;
  /** Returns the headers with which PayPal would send this body to a webhook. */
  sign(body: string, signing?: Signing): Record<string, string>;
  /** Returns the events about an order, the oldest first. */
  eventsOf(orderId: string): PayPalEvent[];
  /** Invalidates all access tokens issued so far. */
  endTokens(): void;
  /** Returns how many access tokens were issued. */
  countTokens(): number;
  close(): Promise<void>;
};
/** `journal` is a file that keeps the books when the process is killed. If it already exists, its books are loaded. */
export type PayPalServerOptions = { port?: number; books?: PayPalBooks; journal?: string };

type RouteRequest = { id: string; text: string; body: unknown; query: URLSearchParams; isFull: boolean };
type Route = {
  methodAndPath: RegExp;
  operation: GatewayOperation | 'other';
  /** Only one request at a time can lock the object in the path. */
  isLocking?: true;
  perform(books: PayPalBooks, request: RouteRequest, bend: BendDecision): Work;
};

const ROUTES: readonly Route[] = [
  {
    methodAndPath: /^POST \/v3\/vault\/payment-tokens$/,
    operation: 'tokenize',
    perform: (books, { body }) => always(201, paypal.createPaymentToken(books, body)),
  },
  {
    methodAndPath: /^DELETE \/v3\/vault\/payment-tokens\/([\w-]+)$/,
    operation: 'tokenize',
    perform: (books, { id }) => {
      paypal.deletePaymentToken(books, id);
      return { status: 204 };
    },
  },
  {
    methodAndPath: /^POST \/v2\/checkout\/orders$/,
    operation: 'create',
    perform: (books, { body, isFull }) => showOrder(201, paypal.createOrder(books, body), isFull),
  },
  {
    methodAndPath: /^POST \/v2\/checkout\/orders\/(\w+)\/capture$/,
    operation: 'confirm',
    isLocking: true,
    perform: (books, request, bend) => showOrder(201, paypal.captureOrder(books, request, bend), request.isFull),
  },
  {
    methodAndPath: /^PATCH \/v2\/checkout\/orders\/(\w+)$/,
    operation: 'cancel',
    isLocking: true,
    perform: (books, { id, body }) => {
      paypal.patchOrder(books, id, body);
      return { status: 204 };
    },
  },
  {
    methodAndPath: /^GET \/v2\/checkout\/orders\/(\w+)$/,
    operation: 'find',
    perform: (books, { id }) => showOrder(200, paypal.requireOrder(books, id), true),
  },
  {
    methodAndPath: /^GET \/v2\/payments\/captures\/(\w+)$/,
    operation: 'other',
    perform: (books, { id }) => always(200, paypal.requireCapture(books, id).capture),
  },
  {
    methodAndPath: /^POST \/v2\/payments\/captures\/(\w+)\/refund$/,
    operation: 'refund',
    isLocking: true,
    perform: (books, { id, body, isFull }) => {
      const refund = paypal.refundCapture(books, id, body);
      const { status, links } = refund;
      return always(201, isFull ? refund : { id: refund.id, status, links });
    },
  },
  {
    methodAndPath: /^GET \/v1\/customer\/disputes\/([\w-]+)$/,
    operation: 'find',
    perform: (books, { id }) => always(200, findDispute(books, id)),
  },
  {
    methodAndPath: /^GET \/v1\/customer\/disputes$/,
    operation: 'list',
    perform: (books, { query }) => always(200, listDisputes(books, query)),
  },
  {
    methodAndPath: /^GET \/v1\/reporting\/transactions$/,
    operation: 'list',
    perform: (books, { query }) => always(200, searchTransactions(books, query)),
  },
  {
    methodAndPath: /^POST \/v1\/notifications\/verify-webhook-signature$/,
    operation: 'other',
    perform: (_books, { text }) => always(200, verify(text)),
  },
];

const WORDS: FaultWords = {
  rateLimited: new PayPalError(429, 'RATE_LIMIT_REACHED').answer,
  unauthorized: { status: 401, body: { error: 'invalid_token', error_description: 'Access Token not found in cache' } },
  forbidden: new PayPalError(403, 'NOT_AUTHORIZED', ['PERMISSION_DENIED']).answer,
  serverError: new PayPalError(500, 'INTERNAL_SERVER_ERROR').answer,
  unparsable: '{"id":"5O1',
  wrongShape: { id: null, status: 'COMPLETED', purchase_units: [{ payments: { captures: [{ amount: '1' }] } }] },
};

type Session = {
  books: PayPalBooks;
  journal: Journal | null;
  faults: Faults;
  calls: CallCounts;
  pending: Pending;
  tokens: Set<string>;
  issued: { count: number; isRefused: boolean };
};

/** Starts the stand-in on the loopback interface. With the `books` of an earlier one it continues from there. */
export async function startPayPalServer({
  port = 0,
  books = createPayPalBooks(),
  journal: path,
}: PayPalServerOptions = {}): Promise<PayPalServer> {
  const journal = path === undefined ? null : openJournal(path, collectionsOf(books));
  const session: Session = {
    books,
    journal,
    faults: createFaults(),
    calls: createCallCounts(),
    pending: createPending(),
    tokens: new Set(),
    issued: { count: 0, isRefused: false },
  };
  const { faults, calls, pending, tokens, issued } = session;
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
        await Promise.all([pending.latencies.endAll(), pending.lateEffects.endAll()]);
      },
      readFaults: async () =>
        structuredClone({ calls, pendingEffects: pending.lateEffects.count(), faults: faults.list() }),
      readLedger: async () => readLedger(books),
      forgetIdempotencyKeys: async () => {
        books.requestIds.forget();
        journal?.clear('requestIds');
      },
    },
    sign,
    eventsOf: (orderId) => books.events.filter(({ resource }) => JSON.stringify(resource).includes(orderId)),
    endTokens: () => tokens.clear(),
    countTokens: () => issued.count,
    async close() {
      dropPending(pending);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(session: Session, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { books, journal, faults, calls, pending, tokens, issued } = session;
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://paypal.invalid');
  const text = await readText(request);
  if (pathname === '/v1/oauth2/token') return sendJson(response, issueToken(session, request, text));
  const { authorization = '', prefer, 'paypal-request-id': requestId } = request.headers;
  if (!tokens.has(authorization.replace(/^Bearer /, ''))) return sendJson(response, WORDS.unauthorized);
  const methodAndPath = `${request.method} ${pathname}`;
  const route = ROUTES.find((one) => one.methodAndPath.test(methodAndPath));
  if (route === undefined) return sendJson(response, missing().answer);
  const { operation, isLocking, perform } = route;
  const id = route.methodAndPath.exec(methodAndPath)?.[1] ?? '';
  if (operation !== 'other') calls[operation] += 1;
  const { latencyMs, fault } = operation === 'other' ? { latencyMs: 0, fault: null } : faults.take(operation);
  if (latencyMs > 0) await waitFor(pending.latencies, latencyMs);

  // The client is refused from now on: now its access token, next time its secret.
  if (fault?.kind === 'unauthorized') issued.isRefused = true;
  const { changeDecision = (honest) => honest, storesServerError = false } = behaviorOf(fault);
  const routed = { id, text, body: parse(text), query, isFull: prefer === 'return=representation' };
  const orderId = books.orders.has(id) ? id : orderOf(books, id);
  const effect = () =>
    books.requestIds.answerOnce({
      requestId: request.method === 'POST' ? String(requestId ?? '') : '',
      kind: String(route.methodAndPath),
      lock: isLocking ? `object ${orderId}` : null,
      perform: () => perform(books, routed, changeDecision),
      recordChanges: (key, work) => {
        if (request.method !== 'GET') journal?.note([orderId, key ?? undefined, ...idsMade(work, routed.body)]);
      },
      storesServerError,
    });
  await answerWithFault({ fault, words: WORDS, effect, response, pending });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
}

/** Issues an access token (https://developer.paypal.com/api/rest/authentication/). */
function issueToken({ tokens, issued }: Session, { headers }: IncomingMessage, text: string): Answer {
  const credentials = Buffer.from(`${PAYPAL_CLIENT_ID}:${PAYPAL_CLIENT_SECRET}`).toString('base64');
  const isRefused = issued.isRefused || headers.authorization !== `Basic ${credentials}`;
  issued.isRefused = false;
  if (isRefused) {
    return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } };
  }
  if (new URLSearchParams(text).get('grant_type') !== 'client_credentials') {
    return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'Grant type is not supported' } };
  }
  issued.count += 1;
  const token = `A21AA${randomBytes(40).toString('base64url')}`;
  tokens.add(token);
  const body = { scope: 'https://uri.paypal.com/services/payments', access_token: token, token_type: 'Bearer' };
  return { status: 200, body: { ...body, app_id: 'APP-80W284485P519543T', expires_in: TOKEN_SECONDS, nonce: '2026' } };
}

function always(status: number, body: object): Work {
  return { status, body: structuredClone(body) };
}

function showOrder(status: number, { id: orderId }: Order, isFull: boolean): Work {
  return { status, orderId, isFull };
}

/**
 * The ids that the journal has to write: of a new order, of a new account and the setup token that was exchanged for
 * it, or the invoice id of a refund.
 */
function idsMade(work: Work, body: unknown): (string | undefined)[] {
  if ('orderId' in work) return [work.orderId];
  const named = [['invoice_id'], ['payment_source', 'token', 'id']].map((path) => paypal.readPath(body, ...path));
  return [paypal.readPath(work.body, 'id'), ...named].map((id) => (typeof id === 'string' ? id : undefined));
}

function orderOf(books: PayPalBooks, captureId: string): string {
  return books.captures.find(({ id }) => id === captureId)?.orderId ?? captureId;
}
