import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { captureThere, startPayPalSides } from '../../../test/payments/paypal-gateway.ts';
import { addAccount } from '../../../test/stand-ins/paypal/paypal-server.books.ts';
import type { Transaction } from '../../../test/stand-ins/paypal/paypal-server.objects.ts';
import { recordPayout } from '../../../test/stand-ins/paypal/paypal-server.records.ts';
import type { PayPalServer } from '../../../test/stand-ins/paypal/paypal-server.ts';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import { confirmationOf, paymentKeys, readAll } from '../gateway/gateway.testing.ts';
import type { Gateway } from '../gateway/gateway.ts';

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

const capturesOf = async (range: { from: Date; to: Date }) =>
  (await readAll(gateway.listPayments, range)).map(({ id }) => id);

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

test('a capture is listed with its order, and without it where PayPal shows the order no more', async () => {
  const invoiceId = randomUUID();
  const sourceToken = `vault/${addAccount(paypal.books)}`;
  const usage = `usage:${randomUUID()}:2026-10`;
  const request = { ...paymentKeys(), debt: usage, amountMinor: 500n, currency: 'EUR', sourceToken };
  const details = { invoiceId, invoiceNumber: 'INV-000042' };
  const { id } = await gateway.createPayment({ ...request, sequence: 3, capturesRefunded: 1, details });
  await gateway.confirmPayment(confirmationOf(id, randomUUID(), sourceToken));
  const range = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };
  const { reference } = request;
  const listed = { id, status: 'captured', capturedAmountMinor: 500n, reference, debt: usage, sequence: 3 };
  expect(await readAll(gateway.listPayments, range)).toMatchObject([{ ...listed, details }]);
  paypal.books.orders.delete(id);
  Object.assign(paypal.books.transactions.at(-1) ?? {}, { paypal_reference_id: id, paypal_reference_id_type: 'ODR' });
  expect(await readAll(gateway.listPayments, range)).toMatchObject([{ ...listed, details: { invoiceId } }]);
});

test('a text that others wrote into the same fields is no reference of Paydesk', async () => {
  const id = await captureThere({ paypal, gateway });
  const [unit] = paypal.books.orders.get(id)?.purchase_units ?? [];
  Object.assign(unit ?? {}, { custom_id: 'cart 7', invoice_id: 'ORDER-7' });
  const range = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) };
  expect(await readAll(gateway.listPayments, range)).toMatchObject([{ id, reference: null, debt: 'ORDER-7' }]);
});

test('an invalid cursor is rejected', async () => {
  const range = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-03-02T00:00:00.000Z') };
  await expectGatewayError(gateway.listPayments({ ...range, cursor: '../1' }), 'rejected');
});
