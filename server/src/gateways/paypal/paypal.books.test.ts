import { afterEach, beforeEach, expect, test } from 'vitest';
import { captureThere, startPayPalSides } from '../../../test/payments/paypal-gateway.ts';
import type { Transaction } from '../../../test/stand-ins/paypal/paypal-server.objects.ts';
import { recordPayout } from '../../../test/stand-ins/paypal/paypal-server.records.ts';
import type { PayPalServer } from '../../../test/stand-ins/paypal/paypal-server.ts';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import type { Gateway, GatewayBookPage, GatewayBookRequest } from '../gateway/gateway.ts';

const DAY_MS = 86_400_000;
let paypal: PayPalServer;
let gateway: Gateway;
beforeEach(async () => {
  ({ paypal, gateway } = await startPayPalSides());
});
afterEach(() => paypal.close());

/** Captures a payment whose transaction has this time at PayPal. @returns its order */
async function captureAt(time: Date): Promise<string> {
  const id = await captureThere({ paypal, gateway });
  const text = `${time.toISOString().slice(0, 19)}+0000`;
  Object.assign(paypal.books.transactions.at(-1) ?? {}, { transaction_initiation_date: text });
  return id;
}

async function readAll<Entry>(
  list: (request: GatewayBookRequest) => Promise<GatewayBookPage<Entry>>,
  range: { from: Date; to: Date },
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = null;
  do {
    const page: GatewayBookPage<Entry> = await list({ ...range, cursor });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return entries;
}

const capturesOf = async (range: { from: Date; to: Date }) =>
  (await readAll(gateway.listCaptures, range)).map(({ gatewayPaymentId }) => gatewayPaymentId);

test('more than the 31 days of one PayPal search are read, each payment once, with an exclusive end', async () => {
  const from = new Date('2026-03-01T00:00:00.000Z');
  const to = new Date('2026-04-15T00:00:00.000Z');
  const at = (ms: number) => captureAt(new Date(from.getTime() + ms));
  const ids = [await at(0), await at(DAY_MS), await at(20 * DAY_MS + 5_000), await at(45 * DAY_MS - 1_000)];
  await at(-1_000);
  await at(45 * DAY_MS);
  expect(await capturesOf({ from, to })).toEqual(ids);
  expect(await capturesOf({ from: to, to: from })).toEqual([]);
});

test('transactions that are not payments of an order, or not completed, are left out', async () => {
  const id = await captureAt(new Date('2026-03-01T12:00:00.000Z'));
  const [own] = paypal.books.transactions;
  if (own === undefined) throw new Error('There is no transaction.');
  const others: Partial<Transaction>[] = [
    { transaction_event_code: 'T0000', transaction_amount: { currency_code: 'EUR', value: '-70.00' } },
    { transaction_status: 'P' },
    { paypal_reference_id_type: 'TXN', paypal_reference_id: 'NOBODYS' },
  ];
  for (const other of others) paypal.books.transactions.push({ ...own, transaction_id: 'OTHER', ...other });
  const { transaction_amount: _none, ...withoutAmount } = own;
  paypal.books.transactions.push({ ...withoutAmount, transaction_event_code: 'T1201' } as typeof own);
  recordPayout(paypal.books, '70.00', own.transaction_initiation_date);
  const range = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-03-02T00:00:00.000Z') };
  expect(await capturesOf(range)).toEqual([id]);
  expect(await readAll(gateway.listRefunds, range)).toEqual([]);
});

test('an invalid cursor is rejected', async () => {
  const range = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-03-02T00:00:00.000Z') };
  await expectGatewayError(gateway.listCaptures({ ...range, cursor: '../1' }), 'rejected');
});
