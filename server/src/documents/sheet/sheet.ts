import { reverseChargeWords } from '../../customers/vat-ids/vat-ids.service.ts';
import { addDecimals, formatDecimal, toDecimal } from '../../platform/money/decimal.ts';
import { computeTotals, fromMinor } from '../../platform/money/money.ts';
import type { Buyer, InvoiceDocument, Seller } from './document.ts';
import { type Currency, formatDate, formatMoney, formatPeriod } from './format.ts';
import { type SheetLine, sheetLinesOf } from './sheet-lines.ts';

/** All text of a document in order, ready to draw. */
export type Sheet = {
  title: 'Invoice' | 'Credit note';
  number: string;
  issuedAt: Date;
  /** The coloured label beside the title. */
  badge: Badge | null;
  /** Drawn across every page. */
  watermark: 'VOID' | 'SAMPLE' | null;
  facts: { label: string; value: string }[];
  seller: Seller;
  buyer: Buyer;
  headline: string;
  /** Text below the headline. */
  remarks: string[];
  lines: SheetLine[];
  totals: TotalRow[];
  footerText: string;
};

export type Badge = { label: string; tone: 'due' | 'paid' | 'void' };
/** All but `normal` rows have a line above them. */
export type TotalRow = { label: string; amount: string; weight: 'normal' | 'strong' | 'due' };

/** The options of laying out a document. */
export type SheetOptions = {
  /** Whether a document without a seller is marked as a sample. */
  hasSamples: boolean;
};

/** Lays out an invoice as text. */
export function sheetOfInvoice(document: InvoiceDocument, options: SheetOptions): Sheet {
  const { number, issuedAt, seller, buyer, voidedAt } = document;
  return {
    title: 'Invoice',
    number,
    issuedAt,
    badge: badgeOf(document),
    watermark: isSample(seller, options) ? 'SAMPLE' : voidedAt === null ? null : 'VOID',
    facts: factsOf(document),
    seller,
    buyer,
    headline: headlineOf(document),
    remarks: [...carriedOver(document), ...reverseChargeOf(document)],
    lines: sheetLinesOf(document),
    totals: totalsOf(document),
    footerText: joinLines([isZero(document.amountDue) ? '' : seller.footerText, seller.legalNote ?? '']),
  };
}

/** Returns the statement on a document whose tax the buyer owes. Both tax ids are with the addresses. */
export function reverseChargeOf({ reverseCharge, buyer }: Pick<InvoiceDocument, 'reverseCharge' | 'buyer'>): string[] {
  return reverseCharge ? [reverseChargeWords(buyer.taxId, buyer.country)] : [];
}

/** Whether the seller was not set when the document was issued, which is permitted only where no real money moves. */
export function isSample({ name }: Seller, { hasSamples }: SheetOptions): boolean {
  return hasSamples && name === '';
}

/** Joins the texts at the end of a document that are not empty. */
function joinLines(texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

/** Returns the rows that invoices and credit notes share. */
export function sumRows(
  document: Currency & Pick<InvoiceDocument, 'subTotal' | 'tax' | 'taxRate' | 'taxes' | 'total'>,
  totalLabel: string,
): TotalRow[] {
  const money = (amount: string) => formatMoney(amount, document);
  return [
    { label: 'Subtotal', amount: money(document.subTotal), weight: 'normal' },
    ...taxRows(document),
    { label: totalLabel, amount: money(document.total), weight: 'strong' },
  ];
}

/** Returns one row, or one per rate with the amount that it applies to. */
function taxRows(document: Currency & Pick<InvoiceDocument, 'tax' | 'taxRate' | 'taxes'>): TotalRow[] {
  const { tax, taxRate, taxes } = document;
  const row = (label: string, amount: string): TotalRow => {
    return { label, amount: formatMoney(amount, document), weight: 'normal' };
  };
  if (taxes === null) return [row(`Tax (${taxRate}%)`, tax)];
  return taxes.map((of) => row(`Tax (${of.rate}% on ${formatMoney(of.net, document)})`, of.tax));
}

/** Describes what became credit, with its tax. The corresponding lines and the rest of the invoice add up to zero. */
function carriedOver(document: InvoiceDocument): string[] {
  const { currency, taxRate, lines } = document;
  const carried = lines.filter(({ kind }) => kind === 'carry_over');
  if (carried.length === 0) return [];
  const details = carried.map((line) => ({ amount: line.amount, taxRate: line.taxRate ?? taxRate ?? '0' }));
  const { totalMinor, byRate } = computeTotals(details, '0', currency);
  const money = (minor: bigint) => formatMoney(formatDecimal(fromMinor(minor, currency)), document);
  const rates = byRate.map(({ rate, netMinor, taxMinor }) => `${money(taxMinor)} tax (${rate}% on ${money(netMinor)})`);
  return [`${money(totalMinor)} became credit, of which ${rates.join(' and ')}.`];
}

function badgeOf({ status, voidedAt }: InvoiceDocument): Badge {
  if (voidedAt !== null) return { label: 'VOID', tone: 'void' };
  return status === 'Succeeded' ? { label: 'PAID', tone: 'paid' } : { label: 'DUE', tone: 'due' };
}

function factsOf(document: InvoiceDocument): Sheet['facts'] {
  const { number, issuedAt, dueAt, startAt, endAt, timezone, voidedAt, paidAt } = document;
  return [
    { label: 'Invoice number', value: number },
    { label: 'Date of issue', value: formatDate(issuedAt, timezone) },
    ...(voidedAt === null ? [{ label: 'Date due', value: formatDate(dueAt, timezone) }] : []),
    { label: 'Billing period', value: formatPeriod(startAt, endAt, timezone) },
    ...(paidAt === null ? [] : [{ label: 'Date paid', value: formatDate(paidAt, timezone) }]),
    ...(voidedAt === null ? [] : [{ label: 'Date voided', value: formatDate(voidedAt, timezone) }]),
  ];
}

function headlineOf(document: InvoiceDocument): string {
  const { voidedAt, paidAt, paidAmount, partPaid, creditApplied, amountDue, timezone } = document;
  if (voidedAt !== null) return `Voided on ${formatDate(voidedAt, timezone)}: nothing is to be paid`;
  if (paidAt === null) return `${formatMoney(amountDue, document)} due`;
  const paid = [paidAmount ?? '0', partPaid, creditApplied].map(toDecimal).reduce(addDecimals);
  return `${formatMoney(formatDecimal(paid), document)} paid on ${formatDate(paidAt, timezone)}`;
}

function totalsOf(document: InvoiceDocument): TotalRow[] {
  const { creditNotes, creditApplied, partPaid, paidAt, paidAmount, timezone } = document;
  const money = (amount: string) => formatMoney(amount, document);
  const taken = (label: string, amount: string): TotalRow => ({
    label,
    amount: `-${money(amount)}`,
    weight: 'normal',
  });
  const noteLabel = ({ number, issuedAt }: (typeof creditNotes)[number]) =>
    `Credit note ${number}, ${formatDate(issuedAt, timezone)}`;
  const later = creditNotes.filter((note) => note.afterPayment);
  const earlier = creditNotes.filter((note) => !note.afterPayment);
  return [
    ...sumRows(document, 'Total'),
    ...earlier.map((note) => taken(noteLabel(note), note.total)),
    ...(isZero(creditApplied) ? [] : [taken('Credit applied', creditApplied)]),
    ...(isZero(partPaid) ? [] : [taken('Paid in part', partPaid)]),
    ...(paidAt === null || paidAmount === null || isZero(paidAmount)
      ? []
      : [taken(`Paid on ${formatDate(paidAt, timezone)}`, paidAmount)]),
    { label: 'Amount due', amount: money(document.amountDue), weight: 'due' },
    ...later.map(
      ({ number, total }): TotalRow => ({
        label: `Credited after payment, ${number}`,
        amount: money(total),
        weight: 'normal',
      }),
    ),
  ];
}

function isZero(amount: string): boolean {
  return /^-?[0.]*$/.test(amount);
}
