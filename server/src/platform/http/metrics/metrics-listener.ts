import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBearer } from '../route/credentials.ts';
import type { Metrics } from './metrics.ts';
import { createSecretMatcher } from './metrics-access.ts';

const MAX_CONNECTIONS = 32;

export type MetricsListener = { url: string; close: () => Promise<void> };

/**
 * Serves only `GET /metrics` at an address of its own. Without a token anyone who reaches the address may read, so it
 * must be a loopback one. @throws Error of listening, such as EADDRINUSE
 */
export async function startMetricsListener(
  metrics: Metrics,
  { host, port, token }: { host: string; port: number; token: string | undefined },
): Promise<MetricsListener> {
  const isToken = createSecretMatcher(token);
  const server = createServer(async (request, response) => {
    const credential = readBearer(request.headers.authorization);
    if (request.url?.split('?', 1)[0] !== '/metrics' || !/^(GET|HEAD)$/.test(request.method ?? '')) {
      response.writeHead(404).end();
    } else if (token !== undefined && (credential === null || !isToken(credential))) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    } else {
      const text = await metrics.scrape();
      response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
    }
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');
  return { url: addressOf(server), close: () => closeAll(server) };
}

function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`;
}

async function closeAll(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
