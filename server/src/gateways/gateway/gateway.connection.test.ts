import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../../test/harness/network/certificate.ts';
import { connectToGateway } from './gateway.connection.ts';

const { key, cert } = selfSignedCertificate();
let requests = 0;
const servers: Server[] = [];
let stranger: number;
let plain: number;

beforeAll(async () => {
  stranger = await listen(createSecureServer({ key: key.export({ type: 'pkcs8', format: 'pem' }), cert }));
  plain = await listen(createServer());
});
afterAll(() => servers.map((server) => server.close()));

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('request', (_request, response) => {
    requests += 1;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return (server.address() as AddressInfo).port;
}

function ask(port: number) {
  const send = connectToGateway({ baseUrl: `https://localhost:${port}`, headers: {}, timeoutMs: 10_000 });
  return send({ method: 'POST', path: '/payments', body: { amountMinor: '1' } });
}

// Security (What gateways answer): A certificate of a gateway must be trusted
describe('TLS to a gateway', () => {
  it('an untrusted certificate is refused, and nothing is sent', async () => {
    await expect(ask(stranger)).rejects.toMatchObject({ kind: 'outcome_unknown' });
    expect(requests).toBe(0);
    // The control: a client that trusts the certificate gets an answer.
    const options = { host: 'localhost', port: stranger, ca: cert };
    const status = await new Promise((resolve, reject) => {
      request(options, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end();
    });
    expect([status, requests]).toEqual([200, 1]);
  });

  it('a gateway without TLS where it is expected is refused', async () => {
    const before = requests;
    await expect(ask(plain)).rejects.toMatchObject({ kind: 'outcome_unknown' });
    expect(requests).toBe(before);
  });
});
