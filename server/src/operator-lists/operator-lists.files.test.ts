import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credit } from '../../test/billing/invoice-documents.ts';
import { expectStatus, issueInvoice } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { type Paid, postRefund, preparePaid } from '../../test/payments/refunds.ts';

/** More than are read at once. */
const NOTES = 45;

let service: TestService;
let paid: Paid;
beforeAll(async () => {
  service = await startTestService();
  paid = await preparePaid(service, { credit: '8.00' });
  await preparePaid(service);
  const { companyId } = paid.admin;
  const body = { externalId: '=acme', name: 'Acme, "Ltd"' };
  await service.call('PUT', `/operator/companies/${companyId}`, { token: service.operatorKey, body });
  expectStatus(await postRefund(service, paid, { amount: '9.60' }), 201);
  const { id } = await issueInvoice(service, companyId);
  for (let issued = 0; issued < NOTES; issued += 1) expectStatus(await credit(service, id, { amount: '0.01' }), 201);
  // Of one instant, as after one transaction.
  await service.database.owner`UPDATE credit_notes SET created_at = '2026-10-01' WHERE company_id = ${companyId}`;
  const { owner } = service.database;
  await owner`
    INSERT INTO payments SELECT (jsonb_populate_record(payments, jsonb_build_object(
      'id', gen_random_uuid(), 'state', 'failed', 'failure_reason', 'declined', 'debt_sequence', null, 'gateway_payment_id', null
    ))).* FROM payments CROSS JOIN generate_series(1, 250) WHERE invoice_id = ${paid.invoice.id}`;
});
afterAll(() => service?.stop());

const operator = (path: string) => service.call('GET', `/operator/${path}`, { token: service.operatorKey });

type Row = Record<string, unknown>;

/** The rows of a file by its columns, for cells without line breaks. */
function parse(text: string): Row[] {
  const [head = [], ...rows] = text
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
  return rows.map((cells) => Object.fromEntries(head.flatMap((name, index) => (name ? [[name, cells[index]]] : []))));
}

const cell = (value: unknown) => String(value ?? '').replace(/^=/, "'=");

describe.each([
  ['payments', 252],
  ['refunds', 1],
  ['credit-notes', NOTES + 1],
  ['invoices', 3],
])('GET /operator/%s.csv', (name, count) => {
  it('has all rows of the list in its order, with the names and external ids of the companies', async () => {
    const { data, total } = expectStatus(await operator(`${name}?perPage=1000`), 200).body;
    const file = expectStatus(await operator(`${name}.csv`), 200);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}.csv"`);
    const rows = parse(file.text);
    expect([total, rows.length]).toEqual([count, count]);
    const { amountDue: _, ...columns } = rows[0] ?? {};
    for (const [index, row] of rows.entries())
      for (const column of Object.keys(columns)) expect(row[column]).toBe(cell(data[index][column]));
    expect(file.text).toContain(`,'=acme,"Acme, ""Ltd""",`);
  });

  it('takes the filters of the list', async () => {
    const filter = `companyId=${paid.admin.companyId}&currency=USD&min=1`;
    const { total } = expectStatus(await operator(`${name}?${filter}`), 200).body;
    expect(parse(expectStatus(await operator(`${name}.csv?${filter}`), 200).text)).toHaveLength(total);
    expect(parse((await operator(`${name}.csv?currency=EUR`)).text)).toEqual([]);
  });
});
