import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../limits/client-network.ts';

const SWEEP_INTERVAL_MS = 100;
/** Once no whole request is left to answer, connections that are still sending theirs have until then. */
const UNFINISHED_PATIENCE_MS = 5_000;
/** Longer than any charge takes; the process must end before whoever stops it loses patience. */
const ANSWERS_PATIENCE_MS = 22_000;

/** What was refused gets this long to read why. A client that then leaves its side open would hold the place for ever. */
const FAREWELL_PATIENCE_MS = 3_000;
/** An answer of which so long nothing could be sent is given up: its client reads no more, or is gone. */
const STALLED_PATIENCE_MS = 30_000;
const STALLED_CHECK_INTERVAL_MS = 1_000;

/** Sends the last words of a connection and ends it: in both directions soon, whatever the client does with its own. */
export function endWith(socket: Socket, lastWords: string): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), FAREWELL_PATIENCE_MS);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Closes connections whose clients take nothing of what was written for them. Node watches how long requests take to come in, and
 * how long a connection is idle, but not this. Its timeout of a socket begins anew with everything that could be sent, and is
 * replaced once the answer is out.
 */
function closeStalled(server: Server, connections: ReadonlySet<Socket>, patienceMs: number): void {
  const check = () => {
    for (const socket of connections) {
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(patienceMs);
      else if (socket.writableLength === 0 && socket.timeout === patienceMs) socket.setTimeout(0);
    }
  };
  const timer = setInterval(check, STALLED_CHECK_INTERVAL_MS).unref();
  server.once('close', () => clearInterval(timer));
}

/** Caps how many connections there are in all and from one address, so that slow ones can't take every place. */
export function limitConnections(
  server: Server,
  {
    maxConnections,
    maxConnectionsPerAddress,
    stalledPatienceMs = STALLED_PATIENCE_MS,
  }: { maxConnections: number; maxConnectionsPerAddress: number; stalledPatienceMs?: number | undefined },
): void {
  server.maxConnections = maxConnections;
  const connections = new Set<Socket>();
  closeStalled(server, connections, stalledPatienceMs);
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
 * A connection with the last answer that is owed on it; any before it are sent before it. It is kept here because a Set or Map
 * that every request passes through is costly: the tables that it outgrows keep what was in them until a full collection.
 */
type Connection = Socket & { [UNANSWERED]?: ServerResponse | undefined };

/**
 * Stops taking requests, answers those that came in, and closes the connections as they fall idle. Answers while draining
 * carry `Connection: close`, so that clients with keep-alive move on. Ends in any case: Node stops watching slow clients once
 * the server is closed, so that one that never finishes its request would hold it up for ever.
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
    const patienceMs = isAnswering ? ANSWERS_PATIENCE_MS : UNFINISHED_PATIENCE_MS;
    if (elapsedMs > patienceMs) app.server.closeAllConnections();
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
