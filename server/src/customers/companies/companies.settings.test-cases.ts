import type { RouteCases } from '../../../test/battery/battery.ts';
import { COMPANY } from '../../../test/battery/cases/named.ts';

export const CASES: RouteCases = {
  'GET /operator/companies/:company_id/billing-settings': { access: 'operator', names: COMPANY },
  'PUT /operator/companies/:company_id/billing-settings': {
    access: 'operator',
    sampleRefusal: /^409 .*items wait/,
    body: () => ({
      currency: 'USD',
      taxRate: '20',
      exemptWithTaxId: true,
      timezone: 'Europe/Berlin',
      lateUsage: { kind: 'refuse', days: 30 },
      invoiceGraceHours: 24,
      collection: 'by_card',
      netDays: 14,
      dunningDays: [2, 5],
      paymentMethod: 'default',
    }),
    update: () => ({
      currency: 'EUR',
      taxRate: '19',
      exemptWithTaxId: true,
      timezone: 'Asia/Tokyo',
      lateUsage: { kind: 'refuse', days: 60 },
      invoiceGraceHours: 48,
      collection: 'manual',
      netDays: 30,
      dunningDays: [1, 2],
      paymentMethod: 'Card',
      numberPrefix: 'ACME-',
    }),
    names: COMPANY,
  },
  'GET /payments/billing-settings': { access: 'platform.billing.view' },
  'PUT /payments/billing-settings': {
    access: 'platform.billing.all',
    body: () => ({ paymentMethod: 'default' }),
    update: () => ({ paymentMethod: 'paypal' }),
  },
};
