/** Ports of loopback on which nothing listens for a while, and which no other server may get meanwhile. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** By port: a connection that has it at this end. */
const keepers = new Map<number, Socket>();
let anchor: Promise<Server> | undefined;

/**
 * Keeps the port of a server that is away. Connections to it are refused, as nothing listens there, but a server that asks for any free
 * port does not get it, so that the one that is away can come back.
 */
export async function keepPort(port: number): Promise<void> {
  if (keepers.has(port)) return;
  anchor ??= openAnchor();
  const { port: other } = (await anchor).address() as AddressInfo;
  const keeper = connect({ host: '127.0.0.1', port: other, localAddress: '127.0.0.1', localPort: port }).unref();
  keepers.set(port, keeper);
  await once(keeper, 'connect');
}

/** Gives a port back, if it is kept. A server may listen on it before that. */
export function freePort(port: number): void {
  // Otherwise the same connection could not be made again for a while.
  keepers.get(port)?.resetAndDestroy();
  keepers.delete(port);
}

/** The other end of all these connections. */
async function openAnchor(): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined).unref());
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return server;
}
