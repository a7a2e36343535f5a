import { formatDecimal, jsonNumber, toDecimal } from '../../platform/money/decimal.ts';
import type { InvoiceDocument, InvoiceDocumentLine } from './document.ts';
import { type Currency, formatCount, formatMoney, formatUnitPrice } from './format.ts';

/** A column is omitted if no line has `requests` or `unitPrice`. */
export type SheetLine = {
  title: string;
  path: string;
  requests: string | null;
  unitPrice: string | null;
  amount: string;
};

/** The most decimals of a unit price, as many as a price may have. */
const MAX_UNIT_DECIMALS = 12;

/** Writes the lines of an invoice as text. A line that is not about requests has neither requests nor a unit price. */
export function sheetLinesOf(document: InvoiceDocument): SheetLine[] {
  return document.lines.map((line) => {
    const isOfRequests = line.totalRequest !== '0' && line.kind !== 'carry_over' && line.kind !== 'item';
    return {
      title: titleAtRate(line.title, line.taxRate, document),
      path: belowTitle(line, document),
      requests: isOfRequests ? formatCount(line.totalRequest) : null,
      unitPrice: isOfRequests ? unitPriceOf(line, document) : null,
      amount: formatMoney(line.amount, document),
    };
  });
}

function belowTitle(line: InvoiceDocumentLine, currency: Currency): string {
  if (line.kind === 'carry_over') return '';
  if (line.kind !== 'item') return pathOf(line);
  const { totalRequest: quantity, unitAmount } = line;
  if (quantity === '1' || unitAmount === null) return '';
  return `${formatCount(quantity)} × ${formatUnitPrice(unitAmount, currency)}`;
}

/** Shows free requests, because without them the unit price would not explain the amount. */
function pathOf({ path, price }: InvoiceDocumentLine): string {
  if (price === null || price.freeRequests === '0') return path;
  return `${path} (first ${formatCount(price.freeRequests)} free)`;
}

/** Returns the price's own amount; for a line without a price, the amount divided by the requests if that is exact. */
function unitPriceOf({ price, amount, totalRequest }: InvoiceDocumentLine, currency: Currency): string | null {
  if (price === null) return divideExactly(amount, totalRequest, currency);
  const { model, unitAmount, packageAmount, packageSize } = price;
  if (unitAmount !== null) return formatUnitPrice(unitAmount, currency);
  if (packageAmount !== null) {
    return `${formatUnitPrice(packageAmount, currency)} / ${formatCount(packageSize ?? '1')}`;
  }
  return model === 'volume' ? 'by volume' : 'by tier';
}

function divideExactly(amount: string, requests: string, currency: Currency): string | null {
  const { coefficient, scale } = toDecimal(amount);
  const dividend = coefficient * 10n ** BigInt(MAX_UNIT_DECIMALS);
  const divisor = BigInt(requests) * 10n ** BigInt(scale);
  if (dividend % divisor !== 0n) return null;
  const quotient = formatDecimal({ coefficient: dividend / divisor, scale: MAX_UNIT_DECIMALS });
  return formatUnitPrice(jsonNumber(toDecimal(quotient)), currency);
}

/** Adds the tax rate to a line's title if the document has several. */
export function titleAtRate(title: string, rate: string | null, { taxes }: Pick<InvoiceDocument, 'taxes'>): string {
  return taxes === null || rate === null ? title : `${title} (${rate}% tax)`;
}
