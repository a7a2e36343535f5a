import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../test/customers/actors.ts';
import { type ChargeService, startChargeService } from '../../test/payments/charge.ts';
import { type Paid, preparePaid } from '../../test/payments/refunds.ts';

let service: ChargeService;
let paid: Paid;
beforeAll(async () => {
  service = await startChargeService();
  paid = await preparePaid(service);
});
afterAll(() => service?.stop());

const read = (path: string) => service.call('GET', path, { token: service.operatorKey });

async function readLines(path: string): Promise<string[]> {
  const response = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${service.operatorKey}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
  return (await response.text()).split('\r\n').slice(0, -1);
}

it('the balances are a file', async () => {
  const query = `companyId=${paid.admin.companyId}`;
  expect(await readLines(`/operator/ledger/balances.csv?${query}`)).toEqual([
    'account,currency,debit,credit',
    'cash:sandbox,USD,48.00,',
    'receivable,USD,0.00,',
    'revenue,USD,,48.00',
  ]);
});

it('the usage of a company is a file, as the company gets it', async () => {
  const lines = await readLines(`/operator/usage.csv?companyId=${paid.admin.companyId}`);
  const { token } = paid.admin;
  const own = await fetch(`${service.url}/payments/usage.csv`, { headers: { authorization: `Bearer ${token}` } });
  expect(lines).toEqual((await own.text()).split('\r\n').slice(0, -1));
});

describe('the comparison with the gateway', () => {
  it('is of the month so far if no period is given, and its differences are a file', async () => {
    await service.database;
    await service.database.owner`UPDATE payments SET amount_minor = 4700 WHERE id = ${paid.paymentId}`;
    const { body } = expectStatus(await read('/operator/reconciliation'), 200);
    expect(body.from).toBe(`${body.to.slice(0, 7)}-01T00:00:00.000Z`);
    expect(Math.abs(Date.now() - Date.parse(body.to))).toBeLessThan(60_000);
    expect(body.differences).toMatchObject([{ kind: 'amount', invoiceId: paid.invoice.id }]);
    const [head, ...rows] = await readLines('/operator/reconciliation.csv');
    expect(head?.split(',').slice(0, 3)).toEqual(['kind', 'entry', 'gateway']);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(/^amount,payment,sandbox,.*,47\.00,USD,captured,48\.00,USD,captured$/);
  });

  it('with an end alone is of the month before it, and a cursor needs the period of its first page', async () => {
    const { body } = expectStatus(await read('/operator/reconciliation?to=2026-03-01T00:00:00Z'), 200);
    expect([body.from, body.to]).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
    const refused = expectStatus(await read('/operator/reconciliation?cursor=refunds:'), 400).body.error;
    expect(refused.details).toEqual([{ field: 'from', message: 'is required with a cursor' }]);
  });
});
