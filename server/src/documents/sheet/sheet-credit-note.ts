import type { CreditNoteDocument } from './document.ts';
import { formatDate, formatMoney, formatPeriod } from './format.ts';
import { isSample, reverseChargeOf, type Sheet, type SheetOptions, sumRows } from './sheet.ts';
import { type SheetLine, titleAtRate } from './sheet-lines.ts';

/** Lays out a credit note as text: which invoice it corrects and why, and what is credited. */
export function sheetOfCreditNote(document: CreditNoteDocument, options: SheetOptions): Sheet {
  const { number, issuedAt, seller, buyer, invoiceNumber, timezone, reason } = document;
  return {
    title: 'Credit note',
    number,
    issuedAt,
    badge: null,
    watermark: isSample(seller, options) ? 'SAMPLE' : null,
    facts: [
      { label: 'Credit note', value: number },
      { label: 'Date of issue', value: formatDate(issuedAt, timezone) },
      {
        label: 'Corrects invoice',
        value: `${invoiceNumber}, issued on ${formatDate(document.invoiceIssuedAt, timezone)}`,
      },
      { label: 'Billing period', value: formatPeriod(document.startAt, document.endAt, timezone) },
    ],
    seller,
    buyer,
    headline: `${formatMoney(document.total, document)} credited`,
    remarks: [`Reason: ${reason}`, describeEffect(document), ...reverseChargeOf(document)],
    lines: linesOf(document),
    totals: sumRows(document, 'Total credited'),
    // Only the legal note, because the seller's footer says how to pay.
    footerText: seller.legalNote ?? '',
  };
}

function describeEffect({ invoiceNumber, afterPayment }: CreditNoteDocument): string {
  return afterPayment
    ? `Invoice ${invoiceNumber} was paid before: this amount is to be refunded.`
    : `It lowers what is to be paid of invoice ${invoiceNumber}.`;
}

/** A credit note that credits an amount has no lines: it gets one line, or one for each tax rate of its invoice. */
function linesOf(document: CreditNoteDocument): SheetLine[] {
  const { lines, taxes, invoiceNumber, subTotal } = document;
  const title = `Credit on invoice ${invoiceNumber}`;
  const byRate = taxes?.map(({ rate, net }) => ({ title, amount: net, taxRate: rate }));
  const stated = lines.length > 0 ? lines : (byRate ?? [{ title, amount: subTotal, taxRate: null }]);
  return stated.map((line) => ({
    title: titleAtRate(line.title, line.taxRate, document),
    path: '',
    requests: null,
    unitPrice: null,
    amount: formatMoney(line.amount, document),
  }));
}
