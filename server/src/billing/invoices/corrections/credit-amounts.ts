import type { Tx } from '../../../platform/database/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import { compareDecimals, jsonNumber, toDecimal } from '../../../platform/money/decimal.ts';
import { AmountError, computeTotals, fromMinor, type RateTotals, toMinor } from '../../../platform/money/money.ts';
import { type TaxOfRate, writeTaxes } from '../issue/create.ts';
import type { CreditNoteBody } from '../record/corrections.schema.ts';
import { type InvoiceToCorrect, sumCreditedByRate, sumCreditedTax } from './corrections.queries.ts';
import { addUpByRate, type RatesToCredit, readRates, spreadOverRates } from './credit-by-rate.ts';

/** `details` is JSON text. */
type CreditAmounts = { details: string; taxes: TaxOfRate[] | null; taxMinor: bigint; totalMinor: bigint };
type CreditLine = NonNullable<CreditNoteBody['details']>[number];

/**
 * Reads what a credit note credits: an amount with its share of the tax, or lines, each at one of the invoice's rates.
 * @throws ApiError 400
 */
export async function readAmounts(
  tx: Tx,
  companyId: string,
  invoiceId: string,
  invoice: InvoiceToCorrect,
  { amount = '', details }: CreditNoteBody,
): Promise<CreditAmounts> {
  const { currency, taxes: issued } = invoice;
  if (issued !== null) {
    const rates = readRates(currency, { issued, credited: await sumCreditedByRate(tx, companyId, invoiceId) });
    if (details !== undefined) return addUp(details, invoice, rates);
    return { details: '[]', ...sumRates(spreadOverRates(readAmount(amount, currency), rates), currency) };
  }
  if (details !== undefined) return addUp(details, invoice, null);
  const creditedTaxMinor = toMinor(toDecimal(await sumCreditedTax(tx, companyId, invoiceId)), currency);
  return splitAmount(amount, invoice, creditedTaxMinor);
}

function sumRates(byRate: readonly RateTotals[], currency: string): Omit<CreditAmounts, 'details'> {
  const taxMinor = byRate.reduce((sum, one) => sum + one.taxMinor, 0n);
  const netMinor = byRate.reduce((sum, one) => sum + one.netMinor, 0n);
  return { taxes: writeTaxes(byRate, currency), taxMinor, totalMinor: netMinor + taxMinor };
}

/** Sums lines as an invoice does, each at one of its rates. */
function addUp(details: CreditLine[], invoice: InvoiceToCorrect, rates: RatesToCredit | null): CreditAmounts {
  const { currency, taxRate } = invoice;
  try {
    const sums =
      rates === null
        ? computeTotals(requireOnlyRate(details, taxRate), taxRate, currency)
        : addUpByRate(details, rates);
    const { taxes, ...amounts } = sumRates(sums.byRate, currency);
    if (amounts.totalMinor <= 0n) throw new AmountError('details', 'must add up to more than zero');
    const lines = writeLines(details, sums.lineAmountsMinor, currency);
    return { details: lines, taxes: rates === null ? null : taxes, ...amounts };
  } catch (error) {
    throw error instanceof AmountError ? invalidField(error.field, error.message) : error;
  }
}

/** Writes the lines of a credit note as JSON text, each with its amount in major units. */
export function writeLines(
  details: readonly CreditLine[],
  lineAmountsMinor: readonly bigint[],
  currency: string,
): string {
  const lines = details.map(({ title, taxRate }, index) => {
    const amount = jsonNumber(fromMinor(lineAmountsMinor[index] ?? 0n, currency));
    const rate = taxRate === undefined ? '' : `,"taxRate":${JSON.stringify(taxRate)}`;
    return `{"title":${JSON.stringify(title)},"amount":${amount}${rate}}`;
  });
  return `[${lines.join(',')}]`;
}

/** A line may name only the invoice's own rate. */
function requireOnlyRate(details: CreditLine[], taxRate: string): CreditLine[] {
  const other = details.findIndex((line) => {
    return line.taxRate !== undefined && compareDecimals(toDecimal(line.taxRate), toDecimal(taxRate)) !== 0;
  });
  if (other === -1) return details;
  throw new AmountError(`details[${other}].taxRate`, "must be the invoice's rate");
}

/**
 * An amount contains tax in the invoice's proportion, computed together with what was credited before, so that fully
 * crediting an invoice credits its tax to the cent.
 */
function splitAmount(text: string, invoice: InvoiceToCorrect, creditedTaxMinor: bigint): CreditAmounts {
  const { currency } = invoice;
  const totalMinor = readAmount(text, currency);
  const invoiceTotalMinor = toMinor(toDecimal(invoice.total), currency);
  const invoiceTaxMinor = toMinor(toDecimal(invoice.tax), currency);
  const creditedMinor = toMinor(toDecimal(invoice.creditedTotal), currency) + totalMinor;
  const taxSoFarMinor = invoiceTotalMinor === 0n ? 0n : divide(invoiceTaxMinor * creditedMinor, invoiceTotalMinor);
  return { details: '[]', taxes: null, taxMinor: within(0n, taxSoFarMinor - creditedTaxMinor, totalMinor), totalMinor };
}

/** Reads an amount as minor units. @throws ApiError 400 if it is not exact */
export function readAmount(text: string, currency: string): bigint {
  const amount = toDecimal(text);
  const totalMinor = toMinor(amount, currency);
  if (totalMinor <= 0n) throw invalidField('amount', 'must be more than zero');
  if (compareDecimals(amount, fromMinor(totalMinor, currency)) !== 0) {
    throw invalidField('amount', `must have no more decimals than ${currency} has`);
  }
  return totalMinor;
}

/** Divides non-negative numbers, rounding half up. */
function divide(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

function within(min: bigint, value: bigint, max: bigint): bigint {
  if (value < min) return min;
  return value > max ? max : value;
}
