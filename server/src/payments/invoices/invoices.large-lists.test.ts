import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

const INVOICES = 26;

let service: TestService;
let admin: Actor;
let other: Actor;

/** The longest possible invoices, and more of them than the buffers between client and server can hold. */
beforeAll(async () => {
  service = await startTestService();
  [admin, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
  const words = () =>
    randomBytes(125)
      .toString('hex')
      .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const line = () => ({ title: words(), path: words(), totalRequest: 1, currency: 'USD', amount: '0.01' });
  for (let issued = 0; issued < INVOICES; issued += 1) {
    await issueInvoice(service, admin.companyId, { details: Array.from({ length: 1_000 }, line) });
  }
  await issueInvoice(service, other.companyId);
});
afterAll(() => service?.stop());

type Page = { total: number; data: { id: string; details: unknown[]; payment: null }[] };

async function list(path: string, token: string): Promise<Page> {
  return expectStatus(await service.call('GET', path, { token }), 200).body;
}

describe('a page of invoices too long to hold in memory', () => {
  // Security (HTTP, and what all share): Long lists are read and sent in parts, as the client reads them
  it('has the content of smaller pages, in order, and is sent in batches', async () => {
    const whole = await list('/payments/orders?perPage=1000', admin.token);
    expect([whole.total, whole.data.length]).toEqual([INVOICES, INVOICES]);
    for (const { id, details } of [whole.data[0], whole.data[12], whole.data[25]].flatMap((one) => one ?? [])) {
      const alone = await service.call('GET', `/payments/orders/${id}`, { token: admin.token });
      expect(expectStatus(alone, 200).body.details).toEqual(details);
    }
    const pages = await Promise.all(
      [1, 2, 3].map((page) => list(`/payments/orders?perPage=10&page=${page}`, admin.token)),
    );
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(whole.data.map(({ id }) => id));
    const headers = { authorization: `Bearer ${admin.token}` };
    const answer = await fetch(`${service.url}/payments/orders?perPage=1000`, { headers });
    expect([answer.headers.get('content-length'), answer.headers.get('content-type')]).toEqual([
      null,
      'application/json; charset=utf-8',
    ]);
    // Else it would count as being sent for as long as nobody reads it.
    await answer.text();
  });

  it('filters and counts as usual', async () => {
    const some = await list('/payments/orders?perPage=1000&status=processing&method=card&min=1', admin.token);
    expect([some.total, some.data.length]).toEqual([INVOICES, INVOICES]);
    expect(await list('/payments/orders?perPage=1000&status=failed', admin.token)).toMatchObject({
      total: 0,
      data: [],
    });
    const again = await list('/payments/orders?perPage=100&min=1', admin.token);
    expect((await list('/payments/orders?perPage=100&min=1', admin.token)).data).toEqual(again.data);
  });

  it('works for the operator too, across companies', async () => {
    const all = await list('/operator/invoices?perPage=1000', service.operatorKey);
    expect([all.total, all.data.length]).toEqual([INVOICES + 1, INVOICES + 1]);
    const firsts = await list('/operator/invoices?perPage=3', service.operatorKey);
    expect(all.data.slice(0, 3)).toEqual(firsts.data);
  });
});

describe('a page of events too long to hold in memory', () => {
  it('has the content of smaller pages, in order', async () => {
    const read = async (query: string) =>
      expectStatus(await service.call('GET', `/operator/events?${query}`, { token: service.operatorKey }), 200).body;
    const whole = await read('perPage=1000&type=invoice.created');
    expect(whole.data).toHaveLength(INVOICES + 1);
    const first = await read('perPage=1&type=invoice.created');
    expect(first.data).toEqual(whole.data.slice(0, 1));
    const next = await read(`perPage=2&type=invoice.created&cursor=${first.nextCursor}`);
    expect(next.data).toEqual(whole.data.slice(1, 3));
  });
});

describe('a company that requests long pages and does not read them', () => {
  // Security (HTTP, and what all share): A company has a share of the data on its way and of long reads, and other companies are not
  // refused because of it
  it('gets 503 with Retry-After beyond its share, while another company is served', async () => {
    const { hostname, port } = new URL(service.url);
    const request = `GET /payments/orders?perPage=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\n\r\n`;
    const sockets: Socket[] = [];
    const statusLines: string[] = [];
    // One after the other: parallel requests may also be refused for waiting too long.
    for (let asked = 0; asked < 20; asked += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      sockets.push(socket);
      socket.write(request);
      await once(socket, 'readable');
      statusLines.push(String(socket.read(12)));
    }
    const expected = Array.from({ length: 20 }, (_, asked) => (asked < 16 ? 'HTTP/1.1 200' : 'HTTP/1.1 503'));
    expect(statusLines).toEqual(expected);
    const pages = await Promise.all(
      Array.from({ length: 5 }, () => list('/payments/orders?perPage=1000', other.token)),
    );
    expect(pages.map(({ data }) => data.length)).toEqual([1, 1, 1, 1, 1]);
    expect(expectStatus(await service.call('GET', '/labels', { token: admin.token }), 200).body.total).toBe(0);
    const ask = () => service.call('GET', '/payments/orders?perPage=1000', { token: admin.token });
    const answer = await ask();
    expect([answer.status, answer.body.error?.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '2',
    ]);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await ask()).status).toBe(200);
  });
});

describe('a page that fails while it is sent', () => {
  it('is cut off, so that no client mistakes a part for the whole, and the log has the cause', async () => {
    const { owner } = service.database;
    const headers = { authorization: `Bearer ${admin.token}` };
    const answer = await fetch(`${service.url}/payments/orders?perPage=1000`, { headers });
    await owner`ALTER TABLE invoices RENAME TO elsewhere`;
    await expect(answer.text()).rejects.toThrow();
    await owner`ALTER TABLE elsewhere RENAME TO invoices`;
    const id = answer.headers.get('x-request-id') ?? 'none';
    const about = service
      .logs()
      .split('\n')
      .filter((line) => line.includes(id));
    expect(about.join('\n')).toContain('relation \\"invoices\\" does not exist');
  });
});
