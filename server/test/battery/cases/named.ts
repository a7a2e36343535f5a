import { grantCredit } from '../../billing/credits.ts';
import { expectStatus, issueInvoice } from '../../customers/actors.ts';
import type { Named } from '../battery.ts';

/** The actor's company. */
export const COMPANY: Named = { table: 'companies', make: async (_service, { companyId }) => companyId };

/** An invoice that the operator issues. */
export const INVOICE: Named = {
  table: 'invoices',
  make: async (service, { companyId }) => (await issueInvoice(service, companyId)).id,
};

/** A payment that credit covers in full, so that nothing is charged. */
export const PAYMENT: Named = {
  table: 'payments',
  make: async (service, { companyId, token }) => {
    await grantCredit(service, companyId, { amount: '48.00' });
    const invoice = await issueInvoice(service, companyId);
    return expectStatus(await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token }), 200).body.paymentId;
  },
};
