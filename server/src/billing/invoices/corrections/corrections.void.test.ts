import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { credit, voidInvoice } from '../../../../test/billing/invoice-documents.ts';
import { CARDS, expectStatus, issueInvoice, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import {
  type ChargeService,
  expectSoundBooks,
  type Payable,
  prepareInvoice,
  preparePayable,
  startChargeService,
} from '../../../../test/payments/charge.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

const outcome = ({ status, body }: Answer) => [status, body?.error?.code ?? null];

async function readInvoice({ admin, invoice }: Payable) {
  const list = await service.call('GET', `/payments/orders?receipt=${invoice.id}`, { token: admin.token });
  return list.body.data[0];
}

describe('voiding an invoice', () => {
  it('keeps number and status, shows when it was voided, and accepts neither a payment nor a credit note afterwards', async () => {
    const payable = await preparePayable(service);
    const before = await readInvoice(payable);
    expect(before.voidedAt).toBeNull();
    const { body } = expectStatus(await voidInvoice(service, payable.invoice.id), 200);
    const after = await readInvoice(payable);
    expect(after).toEqual({
      ...before,
      state: 'void',
      voidedAt: expect.stringMatching(/Z$/),
      updatedAt: after.updatedAt,
    });
    expect({ ...body, payment: null }).toEqual({ ...after, companyExternalId: null });
    expect(outcome(await payable.pay())).toEqual([409, 'invoice_voided']);
    expect(outcome(await credit(service, payable.invoice.id, { amount: '1.00' }))).toEqual([409, 'invoice_voided']);
    expect((await readInvoice(payable)).payment).toBeNull();
  });

  it('twice changes nothing', async () => {
    const { id } = await issueInvoice(service, (await signUpAdmin(service)).companyId);
    const first = expectStatus(await voidInvoice(service, id), 200);
    expect(expectStatus(await voidInvoice(service, id), 200).body).toEqual(first.body);
  });

  it('does not free its number', async () => {
    const admin = await signUpAdmin(service);
    const first = await issueInvoice(service, admin.companyId);
    expectStatus(await voidInvoice(service, first.id), 200);
    const second = await issueInvoice(service, admin.companyId);
    const digitsOf = ({ number }: { number: string }) => Number(number.slice('INV-'.length));
    expect(digitsOf(second)).toBe(digitsOf(first) + 1);
  });

  it('is refused once it is paid', async () => {
    const payable = await preparePayable(service);
    expectStatus(await payable.pay(), 200);
    expect(outcome(await voidInvoice(service, payable.invoice.id))).toEqual([409, 'invoice_paid']);
  });

  it('is refused once part of it is credited', async () => {
    const { invoice } = await preparePayable(service);
    expectStatus(await credit(service, invoice.id, { amount: '1.00' }), 201);
    expect(outcome(await voidInvoice(service, invoice.id))).toEqual([409, 'invoice_credited']);
  });

  it('is allowed after its payment failed', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    expect(outcome(await payable.pay())).toEqual([402, 'card_declined']);
    expect(expectStatus(await voidInvoice(service, payable.invoice.id), 200).body.status).toBe('Failed');
    expect(outcome(await payable.pay())).toEqual([409, 'invoice_voided']);
  });

  it('is refused until the outcome of a running payment is known', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await payable.pay(), 202);
    expect(outcome(await voidInvoice(service, payable.invoice.id))).toEqual([409, 'payment_in_progress']);
    await service.reconcileNow();
    expect(outcome(await voidInvoice(service, payable.invoice.id))).toEqual([409, 'invoice_paid']);
  });

  it('in parallel with paying: exactly one of them succeeds', async () => {
    const { admin } = await preparePayable(service);
    const seen = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const payable = await prepareInvoice(service, admin);
      const [paid, voided] = await Promise.all([payable.pay(), voidInvoice(service, payable.invoice.id)]);
      const invoice = await readInvoice(payable);
      const won = invoice.voidedAt === null ? 'paid' : 'void';
      seen.add(won);
      if (won === 'void') expect([paid.status, voided.status, invoice.payment]).toEqual([409, 200, null]);
      else expect([paid.status, voided.status, invoice.status]).toEqual([200, 409, 'Succeeded']);
    }
    expect(seen.size).toBeGreaterThan(0);
  });
});
