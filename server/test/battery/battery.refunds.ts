import { grantCredit } from '../billing/credits.ts';
import { type Actor, expectStatus, issueInvoice } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';
import { raiseAlert } from '../outbox/alerts.ts';
import { postRefund } from '../payments/refunds.ts';

const access = 'operator' as const;

/** A payment that credit covers in full, so that nothing is charged. */
const PAYMENT = {
  table: 'payments',
  make: async (service: TestService, { companyId, token }: Actor): Promise<string> => {
    await grantCredit(service, companyId, { amount: '48.00' });
    const invoice = await issueInvoice(service, companyId);
    return expectStatus(await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token }), 200).body.paymentId;
  },
};

/** A refund of such a payment. It succeeds at once, because it only returns credit. */
const REFUND = {
  table: 'refunds',
  make: async (service: TestService, actor: Actor): Promise<string> => {
    const paymentId = await PAYMENT.make(service, actor);
    return expectStatus(await postRefund(service, { paymentId }, { amount: '1.00' }), 201).body.id;
  },
};

const ALERT = {
  table: 'alerts',
  make: async (service: TestService, actor: Actor): Promise<string> =>
    raiseAlert(service, { companyId: actor.companyId, paymentId: await PAYMENT.make(service, actor) }),
};

const COMPANY = {
  table: 'companies',
  make: async (_service: TestService, { companyId }: Actor): Promise<string> => companyId,
};

/** The battery's cases for credit, refunds, the review and the ledger. */
export const REFUND_CASES = {
  'POST /operator/companies/:company_id/credits': {
    access,
    body: () => ({ amount: '25.00', currency: 'USD', reason: 'Goodwill' }),
    names: COMPANY,
  },
  'GET /operator/companies/:company_id/credits': { access, names: COMPANY },
  'POST /operator/payments/:payment_id/refunds': {
    access,
    body: () => ({ amount: '1.00', reason: 'Outage' }),
    names: PAYMENT,
  },
  'GET /operator/payments': { access },
  'GET /operator/payments/:payment_id': { access, names: PAYMENT },
  'GET /operator/refunds': { access },
  'GET /operator/credit-notes': { access },
  'GET /operator/payments/:payment_id/refunds': { access, names: PAYMENT },
  'POST /operator/refunds/:refund_id/resolve': { access, body: () => ({ outcome: 'succeeded' }), names: REFUND },
  'POST /operator/payments/:payment_id/resolve': { access, body: () => ({ outcome: 'succeeded' }), names: PAYMENT },
  'GET /operator/alerts': { access },
  'POST /operator/recovery/refunds': { access, body: () => ({ gateway: 'sandbox', gatewayPaymentId: 'sbx_1' }) },
  'POST /operator/recovery/acceptances': { access, body: () => ({ gateway: 'sandbox', gatewayPaymentId: 'sbx_1' }) },
  'GET /operator/recovery/invoices': { access },
  'POST /operator/recovery/release': { access, body: () => ({ invoices: ['INV-000001'] }) },
  'POST /operator/alerts/:alert_id/acknowledge': { access, names: ALERT },
  'GET /operator/disputes': { access },
  'POST /operator/disputes': { access, body: () => ({ gateway: 'stripe', gatewayDisputeId: 'dp_1' }) },
  'POST /operator/refunds': { access, body: () => ({ gateway: 'stripe', gatewayPaymentId: 'pi_1' }) },
  'GET /operator/ledger': { access },
  'GET /operator/ledger.csv': { access },
  'GET /operator/ledger/balances': { access },
  'GET /operator/reconciliation': {
    access,
    query: 'from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z',
  },
};
