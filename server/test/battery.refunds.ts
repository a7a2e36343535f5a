import { type Actor, expectStatus, issueInvoice } from './actors.ts';
import { grantCredit } from './credits.ts';
import type { TestService } from './service.ts';

const access = 'operator' as const;

/** One that a credit paid wholly, so that nothing has to be charged. */
const PAYMENT = {
  table: 'payments',
  make: async (service: TestService, { companyId, token }: Actor): Promise<string> => {
    await grantCredit(service, companyId, { amount: '48.00' });
    const invoice = await issueInvoice(service, companyId);
    return expectStatus(await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token }), 200).body.paymentId;
  },
};

const COMPANY = {
  table: 'companies',
  make: async (_service: TestService, { companyId }: Actor): Promise<string> => companyId,
};

/** What the battery has to know about the routes of credit, of refunds and of the ledger. */
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
  'GET /operator/payments/:payment_id/refunds': { access, names: PAYMENT },
  'GET /operator/ledger': { access },
  'GET /operator/ledger.csv': { access },
  'GET /operator/ledger/balances': { access },
  'GET /operator/reconciliation': {
    access,
    query: 'from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z',
  },
};
