import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../limits/client-network.ts';

const SWEEP_INTERVAL_MS = 100;
/** Once no complete request is left to answer, connections that are still sending theirs get this long. */
const UNFINISHED_REQUEST_TIMEOUT_MS = 5_000;
/** Longer than any charge takes, but short enough for process managers to wait. */
const RESPONSE_TIMEOUT_MS = 22_000;

/**
 * A refused client gets this long to read why. A client that leaves its side open would keep the connection for ever.
 */
const REFUSAL_LINGER_MS = 3_000;
/** An answer of which nothing could be sent for this long is aborted: its client no longer reads. */
const STALLED_TIMEOUT_MS = 30_000;
const STALLED_CHECK_INTERVAL_MS = 1_000;

/** Sends the last answer of a connection and closes it, in both directions soon, whatever the client does. */
export function sendAndClose(socket: Socket, response: string): void {
  socket.end(response);
  const timer = setTimeout(() => socket.destroy(), REFUSAL_LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Closes connections whose clients do not read their answers. Node limits the time of a request and of an idle
 * connection, but not this: a socket's timeout restarts whenever something could be sent, and is replaced once the
 * answer is out.
 */
function closeStalled(server: Server, connections: ReadonlySet<Socket>, timeoutMs: number): void {
  const check = () => {
    for (const socket of connections) {
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(timeoutMs);
      else if (socket.writableLength === 0 && socket.timeout === timeoutMs) socket.setTimeout(0);
    }
  };
  const timer = setInterval(check, STALLED_CHECK_INTERVAL_MS).unref();
  server.once('close', () => clearInterval(timer));
}

/** Limits the connections in all and per address, so that slow clients can't use up all. */
export function limitConnections(
  server: Server,
  {
    maxConnections,
    maxConnectionsPerAddress,
    stalledTimeoutMs = STALLED_TIMEOUT_MS,
  }: { maxConnections: number; maxConnectionsPerAddress: number; stalledTimeoutMs?: number | undefined },
): void {
  server.maxConnections = maxConnections;
  const connections = new Set<Socket>();
  closeStalled(server, connections, stalledTimeoutMs);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    const caller = clientNetwork(socket.remoteAddress ?? '');
    const count = (open.get(caller) ?? 0) + 1;
    open.set(caller, count);
    socket.once('close', () => {
      connections.delete(socket);
      const left = (open.get(caller) ?? 1) - 1;
      if (left > 0) open.set(caller, left);
      else open.delete(caller);
    });
    if (count > maxConnectionsPerAddress) socket.destroy();
  });
}

const UNANSWERED = Symbol('unanswered');

/**
 * A connection with its last pending answer, after which all are sent. Kept in this structure because a Set or Map that
 * every request passes through keeps references until a full collection.
 */
type Connection = Socket & { [UNANSWERED]?: ServerResponse | undefined };

/**
 * Stops accepting requests, answers those received, and closes connections as they become idle. Answers while draining
 * carry `Connection: close`, so that keep-alive clients move on. It always ends: Node stops watching slow clients once
 * the server is closed, so one that never finishes its request would otherwise block it for ever.
 */
export function prepareDrain(app: FastifyInstance): { isDraining: () => boolean; drain: () => Promise<void> } {
  const connections = new Set<Connection>();
  let drained: Promise<void> | undefined;
  app.server.on('connection', (connection: Connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  app.server.prependListener('request', (request, response) => {
    if (drained !== undefined) response.shouldKeepAlive = false;
    (request.socket as Connection)[UNANSWERED] = response;
  });
  app.answerObservers.push(({ request, reply }) => {
    const connection = request.raw.socket as Connection;
    if (connection[UNANSWERED] === reply.raw) connection[UNANSWERED] = undefined;
  });
  const listUnanswered = () => [...connections].flatMap((connection) => connection[UNANSWERED] ?? []);
  const sweep = (startedAtMs: number) => {
    const elapsedMs = performance.now() - startedAtMs;
    app.server.closeIdleConnections();
    const isAnswering = listUnanswered().some((response) => response.req.complete);
    const timeoutMs = isAnswering ? RESPONSE_TIMEOUT_MS : UNFINISHED_REQUEST_TIMEOUT_MS;
    if (elapsedMs > timeoutMs) app.server.closeAllConnections();
  };
  const drain = async () => {
    for (const response of listUnanswered()) response.shouldKeepAlive = false;
    const timer = setInterval(sweep, SWEEP_INTERVAL_MS, performance.now());
    await app.close().finally(() => clearInterval(timer));
  };
  return {
    isDraining: () => drained !== undefined,
    drain: () => {
      drained ??= drain();
      return drained;
    },
  };
}
