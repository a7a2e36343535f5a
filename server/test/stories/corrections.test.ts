import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginStory, type Company, type Story } from './story.ts';

const SPEECH = '/v1/transcriptions';

let story: Story;
let borealis: Company;
beforeAll(async () => {
  story = await beginStory('2026-01-05');
  await story.operator.prices(SPEECH, '2026-01-01T00:00Z', {
    title: 'Speech to text',
    currency: 'USD',
    model: 'flat',
    unitAmount: '0.10',
  });
  borealis = await story.signsUp('Borealis Inc', { taxRate: '20' });
});
afterAll(async () => story?.end());

/** Bills Borealis for a month: 1,000 requests for 100.00, and 20 % tax. */
async function billsAMonth(month: string): Promise<void> {
  await borealis.uses(SPEECH, 1_000, `${month}-15`);
  await story.operator.bills(month);
}

const nothing = { credit: '0.00', creditLeft: '0.00' };

describe('issued invoices are corrected without being edited', () => {
  it('by credit notes before and after the payment, and by a void; numbers have no gap, even after refused requests', async () => {
    const { operator } = story;
    await billsAMonth('2026-01');
    const asIssued = `
      INV-000001      2026-01-01T00:00Z  2026-02-01T00:00Z  USD
      Speech to text  /v1/transcriptions    1000    100.00  = 1000 × 0.10
      subtotal                                      100.00
      tax 20 %                                       20.00
      total                                         120.00
    `;
    await borealis.isInvoiced(asIssued);
    await creditBeforeThePayment();
    await borealis.isInvoiced(asIssued);

    await billsAMonth('2026-02');
    await creditAfterThePayment();

    await billsAMonth('2026-03');
    await voidInsteadOfPayment();

    const refused = { startAt: '2026-03-01T00:00:00Z', endAt: '2026-02-01T00:00:00Z' };
    const line = { title: 'Set-up', path: '/set-up', totalRequest: 1, currency: 'USD', amount: '10.00' };
    await expect(operator.invoices(borealis, { ...refused, details: [line] })).rejects.toThrow('400');
    await billsAMonth('2026-04');
    expect(await borealis.numbers()).toEqual(['INV-000001', 'INV-000002', 'INV-000003', 'INV-000004']);
  });
});

/** Credits 30.00 of 120.00, tax included, before Borealis pays. The card is charged the rest. */
async function creditBeforeThePayment(): Promise<void> {
  const { operator } = story;
  const tooMuch = await operator.credits(borealis, 'INV-000001', { amount: '120.01' });
  expect(tooMuch.body.error.code).toBe('credit_exceeds_invoice');
  const key = { 'idempotency-key': 'outage-of-3-january' };
  for (let time = 0; time < 2; time += 1) {
    expect((await operator.credits(borealis, 'INV-000001', { amount: '30.00' }, key)).status).toBe(201);
  }
  await borealis.isCredited(
    'INV-000001',
    `
    CN-000001  for INV-000001  USD
    subtotal    25.00
    tax 20 %     5.00
    total       30.00
  `,
  );
  expect((await operator.voids(borealis, 'INV-000001')).body.error.code).toBe('invoice_credited');
  await borealis.pays('INV-000001', { card: '90.00', ...nothing });
}

/** A credit note after the payment says how much has to be refunded, but does not refund it. Granting credit is one way to do so. */
async function creditAfterThePayment(): Promise<void> {
  const { operator } = story;
  await borealis.pays('INV-000002', { card: '120.00', ...nothing });
  const note = await operator.credits(borealis, 'INV-000002', {
    details: [
      { title: 'Requests that failed', amount: '8.00' },
      { title: 'Goodwill', amount: '2.005' },
    ],
  });
  expect(note.body.afterPayment).toBe(true);
  await borealis.isCredited(
    'INV-000002',
    `
    CN-000002             for INV-000002  USD
    Requests that failed    8.00
    Goodwill                2.01  = 2.005 × 1
    subtotal               10.01
    tax 20 %                2.00
    total                  12.01
  `,
  );
  expect((await operator.voids(borealis, 'INV-000002')).body.error.code).toBe('invoice_paid');
  expect(await borealis.invoice('INV-000002')).toMatchObject({
    status: 'Succeeded',
    total: '120.00',
    creditedTotal: '12.01',
    payment: { amount: '120.00', status: 'Succeeded' },
  });
  expect((await borealis.read('/payments/billing-information')).inStoreCredit).toBe(0);
}

/** A voided invoice can be neither paid nor credited, and its month is not billed again. */
async function voidInsteadOfPayment(): Promise<void> {
  const { operator } = story;
  expect((await operator.voids(borealis, 'INV-000003')).status).toBe(200);
  expect((await borealis.attemptsToPay('INV-000003')).body.error.code).toBe('invoice_voided');
  const note = await operator.credits(borealis, 'INV-000003', { amount: '1.00' });
  expect(note.body.error.code).toBe('invoice_voided');
  await operator.bills('2026-03');
  expect(await borealis.numbers()).toEqual(['INV-000001', 'INV-000002', 'INV-000003']);
}
