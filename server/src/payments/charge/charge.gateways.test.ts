/** A card and a payment stay with the gateway that has them, whichever gateway takes new cards. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveCard } from '../../../test/customers/actors.ts';
import { expectMetric } from '../../../test/harness/metrics.ts';
import { reconcileDue } from '../../../test/harness/reconcilers.ts';
import {
  type Payable,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
} from '../../../test/payments/charge.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import { createGateways } from '../../gateways/gateways.ts';

/** New cards go to Stripe; the sandbox is configured besides. */
let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterAll(async () => service?.stop());

const gatewayOf = async (payable: Payable) =>
  service.database.owner<{ gateway: string }[]>`SELECT gateway FROM payments WHERE invoice_id = ${payable.invoice.id}`;

/** Swaps the company's card for one that another gateway took earlier. */
async function moveCardTo(gateway: Gateway, { admin }: Payable): Promise<void> {
  const card = {
    number: '4242424242424242',
    securityCode: '123',
    expMonth: 12,
    expYear: 2035,
    name: 'Ada',
    country: 'GB',
  };
  const { token } = await gateway.tokenizeCard({ ...card, holder: { companyId: admin.companyId, customer: null } });
  await nameGateway(gateway.name, token, admin.companyId);
}

async function nameGateway(gateway: string, token: string, companyId: string): Promise<void> {
  await service.database.owner`
    UPDATE cards SET gateway = ${gateway}, gateway_token = ${token} WHERE company_id = ${companyId}`;
}

it('a card of an earlier gateway is charged there, and a new one at the gateway of now', async () => {
  const payable = await preparePayable(service);
  await moveCardTo(service.gateways.of('sandbox'), payable);
  expect(await payable.pay()).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
  expect(await gatewayOf(payable)).toEqual([{ gateway: 'sandbox' }]);

  await saveCard(service, payable.admin, { isDefault: true });
  const next = await prepareInvoice(service, payable.admin);
  expect((await next.pay()).status).toBe(200);
  expect(await gatewayOf(next)).toEqual([{ gateway: 'stripe' }]);
});

it('a payment whose answer was lost is found out where it was made, after another gateway was chosen', async () => {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  const [stripe, sandbox] = [service.gateways.of('stripe'), service.gateways.of('sandbox')];
  await service.database
    .owner`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE invoice_id = ${payable.invoice.id}`;

  const gateways = createGateways([sandbox, stripe], service.gateways.chosen.confirmations);
  await reconcileDue({ db: service.database.db, gateways }, service.server.log);
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
});

it('a card of a gateway that is no longer configured is not charged: 503, an alert, and the invoice is unchanged', async () => {
  const payable = await preparePayable(service);
  const before = await readInvoice(service, payable);
  const counted = await expectMetric(service, 'paydesk_gateway_unauthorized_companies');
  await nameGateway('elsewhere', 'card_elsewhere', payable.admin.companyId);
  const { calls } = await service.sandbox.readFaults();
  expect(await payable.pay()).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
  expect(await readInvoice(service, payable)).toEqual({ ...before, payment: expect.anything() });
  expect(await paymentOf(service, payable)).toMatchObject({ state: 'failed', failureReason: 'not_sent' });
  expect((await service.sandbox.readFaults()).calls).toEqual(calls);
  const alerts = await alertsOf(payable);
  expect(alerts).toMatchObject([{ kind: 'gateway_not_configured', message: expect.stringContaining('elsewhere') }]);
  expect(await expectMetric(service, 'paydesk_gateway_unauthorized_companies')).toBe(counted + 1);

  await saveCard(service, payable.admin, { isDefault: true });
  expect((await payable.pay()).status).toBe(200);
  expect(await paymentsOf(service, payable)).toHaveLength(2);
});

it('a payment in progress at a gateway that is no longer configured waits, with an alert', async () => {
  const payable = await preparePayable(service);
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  expect((await payable.pay()).status).toBe(202);
  const { owner } = service.database;
  const rename = (gateway: string) =>
    owner`UPDATE payments SET gateway = ${gateway} WHERE invoice_id = ${payable.invoice.id}`;
  await rename('elsewhere');
  await service.reconcileNow();
  await service.reconcileNow();
  expect(await paymentOf(service, payable)).toMatchObject({ state: 'unknown', reconcileCount: 2 });
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Processing', paymentId: null });
  expect(await alertsOf(payable)).toMatchObject([{ kind: 'gateway_not_configured' }]);
  expect(service.logs()).toContain('the gateway of a payment is not configured');
  await rename('stripe');
  await service.reconcileNow();
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded' });
});

const alertsOf = ({ admin }: Payable) => service.database.owner<{ kind: string; message: string }[]>`
  SELECT kind, message FROM alerts WHERE company_id = ${admin.companyId} ORDER BY id`;
