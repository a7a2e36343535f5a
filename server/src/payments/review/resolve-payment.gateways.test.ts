/** A capture of another amount at Stripe and at PayPal, which captures an invoice id only once. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus } from '../../../test/customers/actors.ts';
import { findViolations } from '../../../test/invariants/invariants.ts';
import {
  type ChargeService,
  capturesOf,
  type Payable,
  paymentsOf,
  preparePayable,
  readInvoice,
} from '../../../test/payments/charge.ts';
import { preparePayPalPayable, startPayPalChargeService } from '../../../test/payments/paypal-charge.ts';
import { startStripeChargeService } from '../../../test/payments/stripe-charge.ts';

type Service = Omit<ChargeService, 'stop'> & { stop: () => Promise<void> };
type Prepare = (service: never) => Promise<Payable>;

describe.each([
  ['stripe', startStripeChargeService, preparePayable as Prepare],
  ['paypal', startPayPalChargeService, preparePayPalPayable as Prepare],
] as const)('%s', (_name, start, prepare) => {
  let service: Service;
  beforeAll(async () => {
    service = await start();
  });
  afterEach(async () => {
    expect(await findViolations(service.database.owner, await service.sandbox.readLedger())).toEqual([]);
  });
  afterAll(() => service?.stop());

  async function prepareResolved(amountMinor: string, outcome: string): Promise<Payable> {
    const payable = await prepare(service as never);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount', amountMinor });
    expect((await payable.pay()).body.error.code).toBe('payment_under_review');
    const [payment] = await paymentsOf(service, payable);
    const request = { token: service.operatorKey, body: { outcome } };
    expectStatus(await service.call('POST', `/operator/payments/${payment?.id}/resolve`, request), 200);
    return payable;
  }
  const amountsOf = async (payable: Payable) =>
    (await capturesOf(service, payable)).map(({ amountMinor }) => amountMinor);

  it('less, accepted: the rest is charged beside it', async () => {
    const payable = await prepareResolved('3000', 'succeeded');
    expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded' });
    expect(await amountsOf(payable)).toEqual([3_000n, 1_800n]);
  });

  it('more, accepted: the invoice is paid', async () => {
    const payable = await prepareResolved('5000', 'succeeded');
    expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
  });

  it('refunded: the invoice is charged again', async () => {
    const payable = await prepareResolved('3000', 'refunded');
    expect((await payable.pay()).body).toMatchObject({ status: 'Succeeded' });
    expect(await amountsOf(payable)).toEqual([3_000n, 4_800n]);
  });
});
