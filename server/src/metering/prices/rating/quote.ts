import { type Decimal, multiplyDecimals } from '../../../platform/money/decimal.ts';
import type { RatedPrice, Tier } from './rating.ts';

/** So many requests, packages or flat amounts at one price each; the amount is exact, in major units. */
export type QuoteLine = { quantity: bigint; unitAmount: Decimal; amount: Decimal };

/**
 * What makes up the cost of a number of requests: free requests first, then the parts in their order. Their sum is what `ratePrice`
 * returns.
 */
export function quoteLines({ rates, freeRequests }: RatedPrice, requests: bigint): QuoteLine[] {
  const free = requests < freeRequests ? requests : freeRequests;
  const billable = requests - free;
  const parts = [lineOf(free, { coefficient: 0n, scale: 0 })];
  if (billable === 0n) return withoutEmpty(parts);
  switch (rates.model) {
    case 'flat':
      parts.push(lineOf(billable, rates.unitAmount));
      break;
    case 'package':
      parts.push(lineOf((billable + rates.packageSize - 1n) / rates.packageSize, rates.packageAmount));
      break;
    case 'graduated':
      parts.push(...graduatedLines(rates.tiers, billable));
      break;
    case 'volume': {
      const tier = rates.tiers.find(({ upTo }) => upTo === null || billable <= upTo);
      if (tier !== undefined) parts.push(...tierLines(tier, billable));
    }
  }
  return withoutEmpty(parts);
}

function graduatedLines(tiers: readonly Tier[], billable: bigint): QuoteLine[] {
  let rated = 0n;
  return tiers.flatMap((tier) => {
    if (rated === billable) return [];
    const last = tier.upTo === null || tier.upTo > billable ? billable : tier.upTo;
    const lines = tierLines(tier, last - rated);
    rated = last;
    return lines;
  });
}

function tierLines({ unitAmount, flatAmount }: Tier, requests: bigint): QuoteLine[] {
  const flat = flatAmount.coefficient === 0n ? [] : [lineOf(1n, flatAmount)];
  return [...flat, lineOf(requests, unitAmount)];
}

function lineOf(quantity: bigint, unitAmount: Decimal): QuoteLine {
  return { quantity, unitAmount, amount: multiplyDecimals(unitAmount, { coefficient: quantity, scale: 0 }) };
}

function withoutEmpty(lines: readonly QuoteLine[]): QuoteLine[] {
  return lines.filter(({ quantity }) => quantity > 0n);
}
