/** Checks the companies' credit against its entries. */
import type { Books, CompanyRecord, PaymentRecord } from './invariants.books.ts';

/** I12: a company's credit is the sum of its entries, in one currency since it was last zero, and was never below zero. */
export function checkCredit({ credits }: Books, { id, creditMinor, creditCurrency }: CompanyRecord): string[] {
  const found: string[] = [];
  let balanceMinor = 0n;
  let currency: string | null = null;
  for (const entry of credits.filter(({ companyId }) => companyId === id)) {
    if (balanceMinor !== 0n && entry.currency !== currency)
      found.push(`I12 company ${id} has credit in two currencies`);
    balanceMinor += entry.amountMinor;
    currency = entry.currency;
    if (balanceMinor < 0n) found.push(`I12 the credit of company ${id} went below zero`);
  }
  if (balanceMinor !== (creditMinor ?? 0n) || currency !== creditCurrency)
    found.push(`I12 company ${id} has ${creditMinor} ${creditCurrency}, its entries make ${balanceMinor} ${currency}`);
  return found;
}

/** I12: a payment used its credit once, and a failed one returned it once. */
export function checkCreditOf({ credits }: Books, payment: PaymentRecord): string[] {
  const { companyId, id, creditMinor, overpaidMinor, currency, state } = payment;
  const entries = credits.filter((entry) => entry.paymentId === id && entry.kind !== 'refund');
  const took = creditMinor === 0n ? [] : [`consumption ${-creditMinor} ${currency} ${companyId}`];
  const gaveBack = creditMinor === 0n || state !== 'failed' ? [] : [`return ${creditMinor} ${currency} ${companyId}`];
  const overpaid = overpaidMinor === 0n ? [] : [`overpayment ${overpaidMinor} ${currency} ${companyId}`];
  const expected = [...took, ...gaveBack, ...overpaid].join(', ');
  const actual = entries
    .map((entry) => `${entry.kind} ${entry.amountMinor} ${entry.currency} ${entry.companyId}`)
    .join(', ');
  return actual === expected ? [] : [`I12 the ${state} payment ${id} has the entries (${actual}), not (${expected})`];
}
