import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

/** More than are read at once. */
const INVOICES = 230;

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
  await issueInvoice(service, (await signUpAdmin(service)).companyId);
  for (let day = 0; day < INVOICES; day += 1) {
    const startAt = new Date(Date.UTC(2026, 0, 1 + Math.floor(day / 2))).toISOString();
    const details = [{ title: 'Speech to text', currency: day % 2 === 0 ? 'USD' : 'JPY', amount: String(100 + day) }];
    await issueInvoice(service, admin.companyId, { startAt, endAt: '2027-01-01T00:00:00.000Z', details });
  }
});
afterAll(() => service?.stop());

const COLUMNS =
  'number,id,state,status,method,startAt,endAt,createdAt,dueAt,currency,subTotal,tax,total,creditedTotal,refundedTotal,amountDue';

async function readFile(path: string): Promise<Record<string, string>[]> {
  const answer = expectStatus(await service.call('GET', path, { token: admin.token }), 200);
  expect(answer.headers.get('content-type')).toContain('text/csv');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="invoices.csv"');
  const [head = '', ...lines] = answer.text.trimEnd().split('\r\n');
  expect(head).toBe(COLUMNS);
  return lines.map((text) => {
    const cells = text.split(',');
    return Object.fromEntries(head.split(',').map((column, index) => [column, cells[index] ?? '']));
  });
}

describe('GET /payments/orders.csv', () => {
  it('has all invoices of the list in its order, and of no other company', async () => {
    const lines = await readFile('/payments/orders.csv');
    const list = await service.call('GET', '/payments/orders?perPage=1000', { token: admin.token });
    const { data } = expectStatus(list, 200).body;
    expect(lines.map(({ id }) => id)).toEqual(data.map(({ id }: { id: string }) => id));
    const { amountDue, ...shown } = lines[100] ?? {};
    expect(data[100]).toMatchObject(shown);
    expect(amountDue).toBe(data[100].total);
  });

  it('takes the filters of the list', async () => {
    const lines = await readFile('/payments/orders.csv?currency=JPY&min=300');
    expect(lines).toHaveLength(15);
    const list = await service.call('GET', '/payments/orders?currency=JPY&min=300', { token: admin.token });
    expect(list.body.total).toBe(15);
    expect(lines.every(({ currency, total }) => currency === 'JPY' && Number(total) >= 300)).toBe(true);
    expect(await readFile('/payments/orders.csv?currency=EUR')).toEqual([]);
    expectStatus(await service.call('GET', '/payments/orders.csv?page=1', { token: admin.token }), 400);
  });
});
