import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandboxControl, type SandboxControl } from '../../src/gateways/sandbox/sandbox.control.ts';
import { type SandboxGateway, startSandboxGateway } from '../../src/gateways/sandbox/server/server.ts';
import { type Actor, issueInvoice, saveCard, signUpAdmin } from '../customers/actors.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { endProcesses, eventually, type PaydeskProcess, startPaydesk } from '../harness/process.ts';
import { NEVER_MS } from '../payments/delays.ts';

/** Longer than the time in which a signal that arrives twice counts as one. */
const LATER_MS = 1_500;

let database: TestDatabase;
let sandbox: SandboxGateway;
let control: SandboxControl;
let restarted: PaydeskProcess | undefined;
const secret = randomBytes(24).toString('base64url');
const folder = mkdtempSync(join(tmpdir(), 'paydesk-shutdown-'));

beforeAll(async () => {
  database = await cloneDatabase();
  sandbox = await startSandboxGateway({ ledgerPath: join(folder, 'ledger.db'), host: '127.0.0.1', port: 0, secret });
  control = createSandboxControl({ baseUrl: sandbox.url, secret });
});
afterAll(async () => {
  await endProcesses();
  await sandbox.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<PaydeskProcess> {
  await control.clearFaults();
  return startPaydesk({
    DATABASE_URL: database.url,
    SANDBOX_GATEWAY_URL: sandbox.url,
    SANDBOX_GATEWAY_SECRET: secret,
    // The service waits for the gateway for as long as the test needs.
    GATEWAY_TIMEOUT_MS: '120000',
  });
}

/** Returns the service after a stop without waiting. */
async function running(): Promise<PaydeskProcess> {
  if (restarted?.isRunning() !== true) restarted = await start();
  return restarted;
}

/** Creates a company with a card and this many invoices. */
async function prepareInvoices({ service }: PaydeskProcess, count: number): Promise<{ admin: Actor; ids: string[] }> {
  const admin = await signUpAdmin(service);
  await saveCard(service, admin);
  // One after the other: at once they would be more than the pool handles in time on a busy machine.
  const ids: string[] = [];
  while (ids.length < count) ids.push((await issueInvoice(service, admin.companyId)).id);
  return { admin, ids };
}

/** Makes each charge stay at the gateway until the delays are ended. */
async function delayCharges(): Promise<void> {
  await control.armFault({ operation: 'confirm', kind: 'latency', delayMs: NEVER_MS, times: null });
}

/** Waits until this many more charges than at the start have reached the gateway's slowest step. */
async function chargesAtGateway(count: number): Promise<void> {
  await eventually(async () => (await control.readFaults()).calls.confirm >= count);
}

type Reply = { status: number; connection: string | undefined; body: { status?: string } };

/** Sends a request over a connection of the agent, which stays open as a browser's or a proxy's does. */
function send(agent: Agent, url: string, token: string, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      const { statusCode: status = 0, headers } = response;
      response.once('end', () => resolve({ status, connection: headers.connection, body: JSON.parse(text) }));
      response.once('error', reject);
    });
    outgoing.once('error', reject).end();
  });
}

async function openSocket(url: string, text = ''): Promise<{ socket: Socket; read: () => string }> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(text);
  return { socket, read: () => received };
}

function pays(agent: Agent, { url }: PaydeskProcess, { admin, ids }: { admin: Actor; ids: string[] }) {
  return Promise.all(ids.map((id) => send(agent, `${url}/payments/orders/${id}/pay`, admin.token, 'PUT')));
}

describe('SIGTERM, followed at once by SIGINT, as Ctrl-C arrives twice through npm', () => {
  // Security (A database that is away, or slow): SIGTERM answers the received requests and ends the process
  it('during 50 pays on kept-alive connections: all are answered and paid, readiness says no, no new connection, exit 0', async () => {
    const paydesk = await start();
    const company = await prepareInvoices(paydesk, 50);
    const { calls } = await control.readFaults();
    await delayCharges();
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const listing = `${paydesk.url}/payments/orders`;
    await Promise.all(company.ids.map(() => send(agent, listing, company.admin.token)));

    const paying: Promise<Reply>[] = [];
    for (const id of company.ids) {
      paying.push(send(agent, `${listing}/${id}/pay`, company.admin.token, 'PUT'));
      // Not more at once than the pool handles in time on a busy machine.
      if (paying.length % 10 === 9 || paying.length === 50) await chargesAtGateway(calls.confirm + paying.length);
    }
    // Its request arrives while the service stops, on an existing connection. What was sent after it is also answered.
    const probe = await openSocket(paydesk.url, 'GET /readyz HTTP/1.1\r\nHost: paydesk\r\n');
    await paydesk.service.call('GET', '/healthz');
    paydesk.child.kill('SIGTERM');
    paydesk.child.kill('SIGINT');
    await eventually(() => paydesk.output().includes('"stopping"'));
    await eventually(() =>
      openSocket(paydesk.url).then(
        ({ socket }) => socket.destroy() && false,
        () => true,
      ),
    );
    probe.socket.write('\r\n');
    expect(await eventually(() => /^HTTP\/1\.1 (\d+)/.exec(probe.read())?.[1])).toBe('503');
    expect(probe.read()).toMatch(/"code":"service_unavailable"/);

    await control.endDelays();
    const replies = await Promise.all(paying);
    expect(replies.map(({ status, body }) => `${status} ${body.status}`)).toEqual(Array(50).fill('200 Succeeded'));
    expect(replies.map(({ connection }) => connection)).toEqual(Array(50).fill('close'));
    expect(await paydesk.ended).toEqual({ code: 0, signal: null });
    agent.destroy();
    const rows = await database.owner`
      SELECT 1 FROM payments WHERE company_id = ${company.admin.companyId} AND state = 'captured'`;
    expect(rows).toHaveLength(50);
    expect(paydesk.logged().at(-1)?.msg).toBe('stopped');
  });
});

describe('a second signal, and the start after it', () => {
  it('that comes later ends the process at once, and the outcome of the charge is found after the next start', async () => {
    const paydesk = await start();
    const company = await prepareInvoices(paydesk, 1);
    const { calls } = await control.readFaults();
    await delayCharges();
    const agent = new Agent({ keepAlive: true });
    const paying = pays(agent, paydesk, company).catch((error: Error) => error);
    await chargesAtGateway(calls.confirm + 1);
    paydesk.child.kill('SIGTERM');
    await eventually(() => paydesk.output().includes('"stopping"'));
    await sleep(LATER_MS);
    paydesk.child.kill('SIGTERM');
    expect(await paydesk.ended).toEqual({ code: 1, signal: null });
    expect(await paying).toBeInstanceOf(Error);

    await running();
    await database.owner`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE reconcile_at IS NOT NULL`;
    const { companyId } = company.admin;
    const isCaptured = () =>
      database.owner`SELECT 1 FROM payments WHERE company_id = ${companyId} AND state = 'captured'`;
    await eventually(async () => (await isCaptured()).length === 1);
  });

  it('SIGHUP, sent when a terminal closes, stops the service gracefully; clients with incomplete requests do not delay it', async () => {
    const paydesk = await running();
    const head = 'POST /auth/local HTTP/1.1\r\nHost: paydesk\r\n';
    const body = 'Content-Type: application/json\r\nContent-Length: 90\r\n\r\n{"e';
    const clients = await Promise.all(['', head, head + body].map((text) => openSocket(paydesk.url, text)));
    await paydesk.service.call('GET', '/healthz');
    expect(await paydesk.end('SIGHUP')).toEqual({ code: 0, signal: null });
    // On a busy machine, the entry about a client whose connection was closed may come after it.
    expect(paydesk.logged().map((entry) => entry.msg)).toContain('stopped');
    for (const { socket } of clients) socket.destroy();
  });
});
