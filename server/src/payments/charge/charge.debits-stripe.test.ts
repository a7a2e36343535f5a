/** SEPA direct debits through Stripe. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, saveAddress, signUpAdmin } from '../../../test/customers/actors.ts';
import { IBANS } from '../../../test/customers/card-setups.ts';
import { expectSoundBooks, paymentOf, prepareInvoice, readInvoice } from '../../../test/payments/charge.ts';
import { collectAllDue, readDebt } from '../../../test/payments/collection.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { createDebit, endDebit } from '../../../test/stand-ins/stripe/stripe-server.debits.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

async function begin() {
  const admin = await signUpAdmin(service);
  const { id: paymentMethod } = createDebit(service.stripe().books, IBANS.settles);
  const body = { addressId: await saveAddress(service, admin), isDefault: true, paymentMethod };
  expectStatus(await service.call('POST', '/payments/cards', { token: admin.token, body }), 201);
  const payable = await prepareInvoice(service, admin, {
    details: [{ title: 'Support', currency: 'EUR', amount: '48.00' }],
  });
  expectStatus(await payable.pay(), 202);
  const { gatewayPaymentId } = await paymentOf(service, payable);
  return { payable, id: gatewayPaymentId ?? '' };
}

describe('a debit through Stripe', () => {
  it('is an intent for debits without a suffix on the statement, and is processing until it settles', async () => {
    const { payable, id } = await begin();
    const intent = service.stripe().books.intents.get(id);
    expect(intent).toMatchObject({
      ...{ status: 'processing', payment_method_types: ['sepa_debit'], currency: 'eur' },
      ...{ statement_descriptor_suffix: null, description: expect.stringMatching(/^Invoice /) },
    });
    expect(await paymentOf(service, payable)).toMatchObject({ state: 'processing' });
    endDebit(service.stripe().books, id);
    await service.reconcileNow();
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('that comes back is declined with Stripe’s code, and canceled there', async () => {
    const { payable, id } = await begin();
    endDebit(service.stripe().books, id, 'debit_not_authorized');
    await service.reconcileNow();
    expect(await paymentOf(service, payable)).toMatchObject({
      ...{ state: 'failed', failureReason: 'declined', declineCode: 'debit_not_authorized' },
    });
    expect(service.stripe().books.intents.get(id)?.status).toBe('canceled');
  });

  it.each([
    ['insufficient_funds', 'scheduled'],
    ['refer_to_customer', 'scheduled'],
    ['account_closed', 'awaiting_payment_method'],
    ['debit_not_authorized', 'awaiting_payment_method'],
  ])('that comes back with %s leaves the invoice %s', async (code, state) => {
    const { payable, id } = await begin();
    endDebit(service.stripe().books, id, code);
    await service.reconcileNow();
    await collectAllDue({ ...service.dependencies, clock: () => new Date() }, service.server.log);
    const { collection, attempts } = await readDebt(service, { ...payable, invoiceId: payable.invoice.id });
    expect(attempts).toMatchObject([{ status: 'Failed', declineCode: code }]);
    expect(collection).toMatchObject({ state });
  });
});
