/**
 * The sandbox payment gateway: an HTTP API with JSON bodies over its own ledger. Every request carries the shared secret,
 * because a port on the loopback interface is open to every user of the machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultKind, GatewayOperation } from '../bank/bank.schema.ts';
import { endDueDebits, LedgerRefusal } from '../bank/charges.ts';
import { openLedger } from '../bank/ledger.ts';
import * as answers from './answers.ts';
import { waitFor } from './delays.ts';
import { behaviorOf, createFaults } from './faults.ts';
import { createPending, dropPending, operate } from './operate.ts';
import { createCallCounts, findRoute, type RouteContext } from './routes.ts';

const maximumBodyBytes = 16 * 1024;
const minimumSecretLength = 16;
/** Longer than any client keeps an idle connection, so that the server closes none while a request arrives. */
const keepAliveTimeoutMs = 65_000;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 20_000;
/** How long requests in progress may take to finish when the gateway closes. */
const closeTimeoutMs = 2_000;

/** A log entry has no path and no body, because either may contain card data. `status` is null if no answer was sent. */
export type SandboxLogEntry = {
  operation: GatewayOperation | 'test' | 'refused';
  status: number | null;
  fault: FaultKind | null;
  durationMs: number;
  /** The code of an unexpected error. */
  error?: string;
};

export type SandboxGatewayOptions = {
  ledgerPath: string;
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** At least 16 visible ASCII characters; requests carry it as a bearer token. */
  secret: string;
  log?: (entry: SandboxLogEntry) => void;
};

export type SandboxGateway = {
  url: string;
  port: number;
  /** Finishes the requests in progress, drops hanging requests and late effects, and closes the ledger. */
  close(): Promise<void>;
};

type Session = RouteContext & {
  isAuthorized(request: IncomingMessage): boolean;
  log(entry: SandboxLogEntry): void;
  closing: AbortController;
};

/** Starts the gateway. Rejects if the port is in use, the ledger can't be opened or the secret is too weak. */
export async function startSandboxGateway(options: SandboxGatewayOptions): Promise<SandboxGateway> {
  const { host, secret } = options;
  if (secret.length < minimumSecretLength || !/^[\x21-\x7e]+$/.test(secret)) {
    throw new Error(`The sandbox gateway's secret needs at least ${minimumSecretLength} visible ASCII characters.`);
  }
  const session: Session = {
    database: await openLedger(options.ledgerPath),
    faults: createFaults(),
    counts: createCallCounts(),
    pending: createPending(),
    isAuthorized: (request) => sameText(request.headers.authorization ?? '', `Bearer ${secret}`),
    log: options.log ?? (() => {}),
    closing: new AbortController(),
  };

  const server = createServer({
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: 1_000,
  });
  server.on('request', (request, response) => void handle(session, request, response));
  try {
    server.listen(options.port, host);
    await once(server, 'listening');
  } catch (error) {
    session.database.close();
    throw error;
  }
  // Without a listener, an error such as too many open files would end the process.
  server.on('error', (error) => {
    session.log({ operation: 'refused', status: null, fault: null, durationMs: 0, error: errorCode(error) });
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  let closed: Promise<void> | undefined;
  return {
    url,
    port,
    close() {
      closed ??= closeSession(server, session);
      return closed;
    },
  };
}

async function handle(session: Session, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedMs = performance.now();
  const entry: SandboxLogEntry = { operation: 'refused', status: null, fault: null, durationMs: 0 };
  // A broken connection is expected here and must not end the process.
  response.on('error', () => {});
  try {
    await respond(session, request, response, entry);
  } catch (error) {
    if (!session.closing.signal.aborted) entry.error = errorCode(error);
    response.destroy();
  }
  if (response.writableEnded) entry.status = response.statusCode;
  entry.durationMs = Math.round(performance.now() - startedMs);
  session.log(entry);
}

async function respond(
  session: Session,
  request: IncomingMessage,
  response: ServerResponse,
  entry: SandboxLogEntry,
): Promise<void> {
  if (!session.isAuthorized(request)) return refuseUnread(response, 401, 'unauthorized');
  const found = findRoute(request.method ?? '', request.url ?? '');
  if (!found) return refuseUnread(response, 404, 'path_unknown');
  const { route, id } = found;
  entry.operation = route.operation;

  const body = await readBody(request);
  if (body === 'too_large') return refuseUnread(response, 413, 'body_too_large');
  if (body === 'not_json') return answers.sendAnswer(response, answers.refusal(400, 'body_not_json'));
  const input = { id, body: body.json };
  if (route.operation === 'test') {
    return answers.sendAnswer(
      response,
      execute(entry, session, () => route.perform(session, input)),
    );
  }

  session.counts[route.operation] += 1;
  const { latencyMs, fault } = session.faults.take(route.operation);
  entry.fault = fault?.kind ?? (latencyMs > 0 ? 'latency' : null);
  if (latencyMs > 0) await waitFor(session.pending.latencies, latencyMs);
  const effect = () => execute(entry, session, () => route.perform(session, input, behaviorOf(fault)));
  operate({ fault, effect, response, pending: session.pending });
}

/** Ends the debits that are due. Turns a refusal of the ledger into an answer, and an unexpected error into a 500 without details. */
function execute(entry: SandboxLogEntry, { database }: Session, perform: () => unknown): answers.Answer {
  try {
    endDueDebits(database);
    return { status: 200, body: perform() ?? {} };
  } catch (error) {
    if (error instanceof LedgerRefusal) return answers.refusal(error.status, error.code);
    entry.error = errorCode(error);
    return answers.refusal(500, 'server_error');
  }
}

/** Refuses without reading the rest of the body, so the connection can't be used again. */
function refuseUnread(response: ServerResponse, status: number, code: string): void {
  response.setHeader('connection', 'close');
  answers.sendAnswer(response, answers.refusal(status, code));
}

async function readBody(request: IncomingMessage): Promise<{ json: unknown } | 'too_large' | 'not_json'> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays open after reading stops, so that a refusal can still be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumBodyBytes) return 'too_large';
    chunks.push(chunk);
  }
  if (size === 0) return { json: undefined };
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))) };
  } catch {
    return 'not_json';
  }
}

async function closeSession(server: Server, session: Session): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  session.closing.abort();
  dropPending(session.pending);
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const timeout = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timeout);
  session.database.close();
}

/** Compares in a time that does not depend on where the texts differ. */
function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Returns only the error's code, because the message may quote the request. */
function errorCode(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}
