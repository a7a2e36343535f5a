/** What PayPal has captured for a debt stays captured, even if the books have lost it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PayPalSides, startPayPalSides } from '../../../test/payments/paypal-gateway.ts';
import { addAccount } from '../../../test/stand-ins/paypal/paypal-server.books.ts';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import { isKeyOf } from '../gateway/gateway.keys.ts';
import { confirmationOf, paymentKeys } from '../gateway/gateway.testing.ts';
import type { PaymentRequest } from '../gateway/gateway.ts';
import { readCustomId, toInvoiceId, writeCustomId, writeRefundCustomId } from './answers/names.ts';

let sides: PayPalSides;
beforeAll(async () => {
  sides = await startPayPalSides();
});
afterAll(() => sides?.paypal.close());
beforeEach(() => {
  sides.paypal.books.searchLagMs = 0;
});

/** Another attempt at the same debt, of which only the name is known. The keys are new, as after they were forgotten. */
function requestOf(debt: string, changes: Partial<PaymentRequest> = {}): PaymentRequest {
  const sourceToken = `vault/${addAccount(sides.paypal.books)}`;
  return { ...paymentKeys(), debt, amountMinor: 500n, currency: 'EUR', sourceToken, ...changes };
}

async function charge(request: PaymentRequest) {
  const { id } = await sides.gateway.createPayment(request);
  return sides.gateway.confirmPayment(confirmationOf(id, randomUUID(), request.sourceToken));
}

const refundAmount = (gatewayPaymentId: string, amountMinor: bigint, key: string = randomUUID()) =>
  sides.gateway.refundPayment({
    gatewayPaymentId,
    amountMinor,
    reference: randomUUID(),
    idempotencyKey: key,
    details: { key },
  });

const listed = (debt: string, searches: boolean) =>
  sides.gateway.listPaymentsOfDebt({
    ...{ debt, companyId: randomUUID(), customer: null, sourceTokens: [], known: [] },
    searches,
  });

describe('a debt that was captured', () => {
  // Security (Disks, upgrades and restores): PayPal captures no debt and pays no refund again, even when all keys are forgotten
  it('is not captured again, even if the first order is unknown', async () => {
    const { debt } = paymentKeys();
    const first = await charge(requestOf(debt));
    await expectGatewayError(charge(requestOf(debt, { sequence: 2 })), 'conflict');
    expect(await listed(debt, true)).toMatchObject([{ id: first.id, status: 'captured', refundedMinor: 0n }]);
  });

  it('is listed with the data of its order, once the search has it', async () => {
    const details = {
      invoiceId: randomUUID(),
      invoiceNumber: 'INV-000042',
      creditMinor: '2000',
      installation: randomUUID(),
    };
    const request = requestOf(paymentKeys().debt, { details, sequence: 3 });
    sides.paypal.books.searchLagMs = 3 * 3_600_000;
    const { id } = await charge(request);
    expect(await listed(request.debt, true)).toEqual([]);
    await expectGatewayError(charge(requestOf(request.debt)), 'conflict');
    sides.paypal.books.searchLagMs = 0;
    expect(await listed(request.debt, false)).toEqual([]);
    expect(await listed(request.debt, true)).toMatchObject([
      { id, sequence: 3, reference: request.reference, details },
    ]);
  });

  it('and refunded is captured again, as often as it was fully refunded', async () => {
    const debt = `ref:${randomUUID()}:order`;
    for (const sequence of [1, 2, 3]) {
      const { id } = await charge(requestOf(debt, { sequence }));
      await refundAmount(id, 200n);
      await expectGatewayError(charge(requestOf(debt)), 'conflict');
      await refundAmount(id, 300n);
    }
    const charged = await charge(requestOf(debt, { capturesRefunded: 3 }));
    const [unit] = sides.paypal.books.orders.get(charged.id)?.purchase_units ?? [];
    expect(unit?.invoice_id).toBe(`${debt}-4`);
    await expectGatewayError(charge(requestOf(debt)), 'conflict');
  });

  it('does not prevent the capture of another debt whose name begins with its name', async () => {
    const { debt } = paymentKeys();
    const { id } = await charge(requestOf(debt));
    await refundAmount(id, 500n);
    await charge(requestOf(debt, { capturesRefunded: 1 }));
    expect(await charge(requestOf(`${debt}-2`))).toMatchObject({ status: 'captured' });
  });
});

describe('a refund', () => {
  it('with one key is made once, even if PayPal has forgotten its request id, and is found by the key', async () => {
    const { id } = await charge(requestOf(paymentKeys().debt));
    const key = `the operator's own key ${'x'.repeat(200)}`;
    const refunded = await refundAmount(id, 100n, key);
    await sides.paypal.control.forgetIdempotencyKeys();
    await expectGatewayError(refundAmount(id, 100n, key), 'conflict');
    const [refund, ...others] = await sides.gateway.listRefundsOf(id);
    expect([refund?.id, others]).toEqual([refunded.id, []]);
    expect(isKeyOf(refund?.details.key, key)).toBe(true);
    expect(isKeyOf(refund?.details.key, `${key}x`)).toBe(false);
  });
});

describe('names that fit into PayPal’s fields', () => {
  const company = randomUUID();
  it.each([
    [`usage:${company}:2026-10`, `usage:${company}:2026-10`, `usage:${company}:2026-10-2`],
    [`ref:${company}:PO.7`, `ref:${company}:PO.7`, `ref:${company}:PO.7-2`],
  ])('the debt %s is the invoice id unchanged', (debt, first, second) => {
    expect([toInvoiceId(debt), toInvoiceId(debt, 2)]).toEqual([first, second]);
  });

  it.each([`ref:${company}:${'x'.repeat(255)}`, `ref:${company}:PO 7, Größe`, `ref:${company}:PO-2`])(
    'the debt %s is an invoice id of the same company in a shortened form',
    (debt) => {
      const ids = [toInvoiceId(debt), toInvoiceId(`${debt}.`), toInvoiceId(debt, 12)];
      expect(new Set(ids).size).toBe(3);
      for (const id of ids)
        expect(id).toMatch(new RegExp(`^ref:${company}:[0-9a-f]{64}(-12)?$|^ref:${company}:PO-2[.]$`));
    },
  );

  it('the ids are read back, and what does not fit is left out', () => {
    const details = { invoiceId: randomUUID(), creditMinor: '1234567890123', installation: randomUUID() };
    const names = { reference: randomUUID(), sequence: 7, details };
    expect(readCustomId(writeCustomId(names))).toEqual(names);
    const named = { ...names, details: { ...details, creditMinor: '0', companyExternalId: 'acme-1' } };
    expect(readCustomId(writeCustomId(named))).toEqual(named);
    for (const companyExternalId of ['a,b', 'Größe', 'x'.repeat(20)]) {
      const other = { ...named, details: { ...named.details, companyExternalId } };
      const { companyExternalId: _left, ...kept } = other.details;
      expect(readCustomId(writeCustomId(other))).toEqual({ ...other, details: kept });
    }
    const { installation: _left, ...kept } = details;
    expect(readCustomId(writeCustomId({ ...names, sequence: 70_000 }))).toEqual({
      ...names,
      sequence: 70_000,
      details: kept,
    });
    const wide = { creditNoteId: randomUUID(), creditNoteNumber: 'CN'.repeat(40), key: randomUUID() };
    expect(writeRefundCustomId({ reference: randomUUID(), details: wide }).length).toBeLessThanOrEqual(127);
  });
});
