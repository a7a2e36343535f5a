import type { Queryable } from '../platform/database/database.ts';
import type { SellerBody } from '../seller/seller.schema.ts';
import { readSeller } from '../seller/seller.service.ts';
import type { InvoiceDocument } from './sheet/document.ts';
import { type Sheet, sheetOfInvoice } from './sheet/sheet.ts';

const DAY_MS = 86_400_000;
const DAYS_TO_PAY = 14;

/**
 * An invoice as it would look with these details of the seller; what is absent is as stored. The buyer and the amounts are made up, and
 * it is marked as a sample.
 */
export async function readSellerPreview(db: Queryable, body: SellerBody, now: Date): Promise<Sheet> {
  const seller = { ...(await readSeller(db)), ...body };
  return { ...sheetOfInvoice(exampleOf(seller, now), { hasSamples: true }), watermark: 'SAMPLE' };
}

const BUYER: InvoiceDocument['buyer'] = {
  organization: 'Example company',
  ...{ firstName: 'Ada', lastName: 'Example', email: 'billing@example.com', taxId: '' },
  ...{ address: '1 Example Street', zipCode: '12345', city: 'Exampletown', province: '', country: '' },
};

function exampleOf(seller: InvoiceDocument['seller'], now: Date): InvoiceDocument {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return {
    ...{ number: 'SAMPLE', status: 'Processing', issuedAt: now, dueAt: new Date(now.getTime() + DAYS_TO_PAY * DAY_MS) },
    ...{ startAt: new Date(Date.UTC(year, month - 1)), endAt: new Date(Date.UTC(year, month)), timezone: 'UTC' },
    ...{ voidedAt: null, paidAt: null, paidAmount: null, reverseCharge: false, seller, buyer: BUYER },
    lines: [
      {
        ...{ title: 'Requests', path: '/v1/example', totalRequest: '12000', amount: '48.00' },
        ...{ kind: null, taxRate: null, unitAmount: null, price: null },
      },
    ],
    ...{
      currency: 'USD',
      minorUnitDigits: 2,
      taxRate: '20',
      taxes: null,
      subTotal: '48.00',
      tax: '9.60',
      total: '57.60',
    },
    ...{ creditApplied: '0', partPaid: '0', creditNotes: [], amountDue: '57.60' },
  };
}
