import { ApiError, invalidField } from '../../../platform/errors.ts';
import { toDecimal } from '../../../platform/money/decimal.ts';
import { computeTotals, formatAmount, type RateTotals, toMinor } from '../../../platform/money/money.ts';
import type { TaxOfRate } from '../issue/create.ts';

/** The net amount and tax of each rate of an invoice, as issued and as credited so far, in minor units. */
export type RatesToCredit = { currency: string; issued: RateTotals[]; credited: RateTotals[] };

/** Reads the rates from the `taxes` of the invoice and its credit notes. */
export function readRates(
  currency: string,
  { issued, credited }: { issued: TaxOfRate[]; credited: TaxOfRate[] },
): RatesToCredit {
  const read = ({ rate, net, tax }: TaxOfRate): RateTotals => {
    return { rate, netMinor: toMinor(toDecimal(net), currency), taxMinor: toMinor(toDecimal(tax), currency) };
  };
  return { currency, issued: issued.map(read), credited: credited.map(read) };
}

/**
 * Divides an amount that includes tax among the rates in proportion to what is left of each; the remainder goes to the
 * largest. Fully crediting the invoice credits net and tax of each rate to the cent.
 */
export function spreadOverRates(amountMinor: bigint, rates: RatesToCredit): RateTotals[] {
  const left = rates.issued.map((issued) => ({ issued, credited: creditedOf(rates, issued.rate) }));
  const leftMinor = left.map(({ issued, credited }) => grossOf(issued) - grossOf(credited));
  const sumMinor = leftMinor.reduce((sum, one) => sum + one, 0n);
  const shares = leftMinor.map((one) => (sumMinor === 0n ? 0n : (amountMinor * one) / sumMinor));
  const largest = leftMinor.reduce((best, one, index) => (one > (leftMinor[best] ?? 0n) ? index : best), 0);
  shares[largest] = (shares[largest] ?? 0n) + amountMinor - shares.reduce((sum, share) => sum + share, 0n);
  return left.flatMap(({ issued, credited }, index) => {
    const shareMinor = shares[index] ?? 0n;
    const soFarMinor = grossOf(credited) + shareMinor;
    const taxMinor = roundRatio(issued.taxMinor * soFarMinor, grossOf(issued)) - credited.taxMinor;
    return shareMinor === 0n ? [] : [{ rate: issued.rate, netMinor: shareMinor - taxMinor, taxMinor }];
  });
}

/**
 * Sums lines by rate. A credit note that uses up a rate takes exactly what is left of its tax.
 * @throws ApiError 400 on a rate that the invoice does not have; credit_exceeds_invoice
 */
export function addUpByRate(
  details: readonly { amount: string; taxRate?: string }[],
  rates: RatesToCredit,
): { lineAmountsMinor: bigint[]; byRate: RateTotals[] } {
  const known = rates.issued.map(({ rate }) => rate);
  for (const [index, { taxRate }] of details.entries()) {
    if (taxRate !== undefined && known.includes(taxRate)) continue;
    throw invalidField(`details[${index}].taxRate`, `must be one of the invoice's rates: ${known.join(', ')}`);
  }
  const { lineAmountsMinor, byRate } = computeTotals(details, '0', rates.currency);
  return { lineAmountsMinor, byRate: byRate.map((of) => takeFromRate(of, rates)) };
}

function takeFromRate({ rate, netMinor, taxMinor }: RateTotals, rates: RatesToCredit): RateTotals {
  const issued = rates.issued.find((one) => one.rate === rate) ?? { rate, netMinor: 0n, taxMinor: 0n };
  const credited = creditedOf(rates, rate);
  const leftMinor = issued.netMinor - credited.netMinor;
  if (netMinor > leftMinor) {
    const rest = `${formatAmount(leftMinor, rates.currency)} ${rates.currency}`;
    throw new ApiError('credit_exceeds_invoice', `No more than ${rest} at a tax of ${rate} % can be credited.`);
  }
  return { rate, netMinor, taxMinor: netMinor === leftMinor ? issued.taxMinor - credited.taxMinor : taxMinor };
}

function creditedOf({ credited }: RatesToCredit, rate: string): RateTotals {
  return credited.find((one) => one.rate === rate) ?? { rate, netMinor: 0n, taxMinor: 0n };
}

function grossOf({ netMinor, taxMinor }: RateTotals): bigint {
  return netMinor + taxMinor;
}

/** Divides and rounds half away from zero; 0 if the divisor is 0. */
function roundRatio(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) return 0n;
  const isNegative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const rounded = (2n * top + bottom) / (2n * bottom);
  return isNegative ? -rounded : rounded;
}
