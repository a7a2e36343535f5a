import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Caps how many connections there are in all and from one address, so that slow ones can't take every place. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: { maxConnections: number; maxConnectionsPerAddress: number },
): void {
  server.maxConnections = maxConnections;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count > maxConnectionsPerAddress) socket.destroy();
  });
}

/**
 * Stops taking requests, answers those that came in, and closes the connections as they fall idle.
 * Answers while draining carry `Connection: close`, so that clients with keep-alive move on.
 */
export function prepareDrain(app: FastifyInstance): { isDraining: () => boolean; drain: () => Promise<void> } {
  let draining = false;
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close');
  });
  return {
    isDraining: () => draining,
    drain: async () => {
      draining = true;
      const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
      try {
        await app.close();
      } finally {
        clearInterval(sweep);
      }
    },
  };
}
