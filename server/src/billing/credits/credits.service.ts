import { v7 as uuidv7 } from 'uuid';
import { recordMark } from '../../continuity/journal/journal.service.ts';
import { lockCompany, readBillingSettings } from '../../customers/companies/companies.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { compareDecimals, toDecimal } from '../../platform/money/decimal.ts';
import { formatAmount, fromMinor, toMinor } from '../../platform/money/money.ts';
import {
  type CreditEntryRow,
  type InvoiceOfPayment,
  insertCreditEntry,
  selectCreditBalance,
  selectCreditEntries,
} from './credits.queries.ts';
import type { CreditEntry, CreditLedger, GrantCreditBody } from './credits.schema.ts';

/*
 * A company's credit is the sum of an append-only ledger, in its billing currency, and never below zero. The company's lock is taken before
 * the balance is read and held while an entry is added, so a company's entries are added one after the other.
 */

export type { InvoiceOfPayment } from './credits.queries.ts';

/** In major units, exclusive: below this limit `inStoreCredit`, a JSON number, shows every balance exactly. */
const CREDIT_LIMIT = toDecimal('100000000000');

/**
 * Adds to the company's credit; a negative amount revokes an earlier grant.
 * @throws ApiError 400 naming the field; not_found; insufficient_credit
 */
export async function grantCredit(tx: Tx, companyId: string, body: GrantCreditBody): Promise<CreditEntry> {
  await lockCompany(tx, companyId);
  const { currency } = await readBillingSettings(tx, companyId);
  if (body.currency !== currency)
    throw invalidField('currency', `must be ${currency}, the currency that the company is billed in`);
  const amountMinor = readAmount(body.amount, currency);

  const balanceMinor = (await selectCreditBalance(tx, companyId))?.balanceMinor ?? 0n;
  if (balanceMinor + amountMinor < 0n) {
    const credit = `${formatAmount(balanceMinor, currency)} ${currency}`;
    throw new ApiError('insufficient_credit', `The company has a credit of ${credit}; no more can be taken from it.`);
  }
  requireBelowLimit(balanceMinor + amountMinor, currency, 'must leave the credit below');
  const id = uuidv7();
  await recordMark(tx, companyId, { kind: 'credit_entry', subject: id });
  const entry = await insertCreditEntry(tx, companyId, {
    id,
    kind: amountMinor > 0n ? 'grant' : 'correction',
    amountMinor,
    currency,
    reason: body.reason,
    paymentId: null,
  });
  return toCreditEntry({ ...entry, invoiceId: null });
}

/**
 * Adds the credit that a bill carries over, in the transaction that inserts its invoice. The caller holds the company's
 * lock. @throws ApiError 400 when the balance would exceed the limit
 */
export async function carryOverToCredit(
  tx: Tx,
  companyId: string,
  carried: { amountMinor: bigint; taxMinor: bigint; currency: string; reason: string },
): Promise<void> {
  const { amountMinor, taxMinor, currency, reason } = carried;
  const balanceMinor = (await selectCreditBalance(tx, companyId))?.balanceMinor ?? 0n;
  requireBelowLimit(balanceMinor + amountMinor, currency, 'must leave the credit below');
  const id = uuidv7();
  await recordMark(tx, companyId, { kind: 'credit_entry', subject: id });
  await insertCreditEntry(tx, companyId, {
    id,
    kind: 'grant',
    amountMinor,
    currency,
    reason,
    paymentId: null,
    carriedTaxMinor: taxMinor,
  });
}

/** Reads an exact amount; one that would have to be rounded is refused. */
function readAmount(text: string, currency: string): bigint {
  const amount = toDecimal(text);
  const amountMinor = toMinor(amount, currency);
  if (amountMinor === 0n) throw invalidField('amount', 'must not be zero');
  if (compareDecimals(amount, fromMinor(amountMinor, currency)) !== 0) {
    throw invalidField('amount', `must have no more decimals than ${currency} has`);
  }
  requireBelowLimit(amountMinor, currency, 'must be less than');
  return amountMinor;
}

function requireBelowLimit(amountMinor: bigint, currency: string, message: string): void {
  if (amountMinor >= toMinor(CREDIT_LIMIT, currency)) throw invalidField('amount', `${message} 100000000000`);
}

/** Reads a page of the company's credit entries, newest first, with the balance. @throws ApiError not_found */
export async function listCredits(
  db: Queryable,
  companyId: string,
  { page, perPage }: { page: number; perPage: number },
  invoiceOfPayment: InvoiceOfPayment,
): Promise<CreditLedger> {
  const settings = await readBillingSettings(db, companyId);
  const { entries: total = 0, balanceMinor = 0n } = (await selectCreditBalance(db, companyId)) ?? {};
  const to = total - (page - 1) * perPage;
  const range = { from: to - perPage + 1, to };
  const rows = to > 0 ? await selectCreditEntries(db, companyId, range, invoiceOfPayment) : [];
  const { currency } = settings;
  const balance = formatAmount(balanceMinor, currency);
  return { total, page, perPage, balance, currency, data: rows.map(toCreditEntry) };
}

function toCreditEntry({
  amountMinor,
  balanceMinor,
  ...entry
}: CreditEntryRow & { invoiceId: string | null }): CreditEntry {
  const write = (minor: string) => formatAmount(BigInt(minor), entry.currency);
  return { ...entry, amount: write(amountMinor), balance: write(balanceMinor) };
}

/**
 * Returns how much credit a payment uses: all of it up to the amount due, and none if the credit is in another
 * currency. The caller holds the company's lock. @returns minor units
 */
export async function creditToConsume(
  tx: Tx,
  companyId: string,
  { dueMinor, currency }: { dueMinor: bigint; currency: string },
): Promise<bigint> {
  const credit = await selectCreditBalance(tx, companyId);
  if (credit?.currency !== currency) return 0n;
  return credit.balanceMinor < dueMinor ? credit.balanceMinor : dueMinor;
}

export type CreditOfPayment = { id: string; creditMinor: bigint; currency: string };

/**
 * Takes the credit that a payment uses, in the transaction that inserts the payment. The caller holds the company's
 * lock.
 */
export async function consumeCredit(tx: Tx, companyId: string, payment: CreditOfPayment): Promise<void> {
  if (payment.creditMinor === 0n) return;
  await addEntryOf(tx, companyId, payment, { kind: 'consumption', amountMinor: -payment.creditMinor });
}

/** Returns the credit of a payment in the transaction in which it fails; the database allows that once. */
export async function returnCredit(tx: Tx, companyId: string, payment: CreditOfPayment): Promise<void> {
  if (payment.creditMinor === 0n) return;
  await lockCompany(tx, companyId);
  await addEntryOf(tx, companyId, payment, { kind: 'return', amountMinor: payment.creditMinor });
}

/** Adds the credit that a refund returns, in the transaction in which it succeeds; the database allows that once. */
export async function refundCredit(
  tx: Tx,
  companyId: string,
  {
    refundId,
    paymentId,
    amountMinor,
    currency,
  }: { refundId: string; paymentId: string; amountMinor: bigint; currency: string },
): Promise<void> {
  await lockCompany(tx, companyId);
  const entry = { id: uuidv7(), kind: 'refund', amountMinor, currency, reason: '', paymentId, refundId } as const;
  await insertCreditEntry(tx, companyId, entry);
}

/**
 * Adds what a payment took beyond what was due, in the transaction in which it is accepted. @throws ApiError
 * credit_currency_differs when the company is billed in another currency
 */
export async function creditOverpayment(
  tx: Tx,
  companyId: string,
  payment: { id: string; currency: string },
  amountMinor: bigint,
): Promise<void> {
  await lockCompany(tx, companyId);
  const { currency } = await readBillingSettings(tx, companyId);
  if (currency !== payment.currency) {
    const message = `The company is billed in ${currency} now; the payment was in ${payment.currency}.`;
    throw new ApiError('credit_currency_differs', message);
  }
  await addEntryOf(tx, companyId, payment, { kind: 'overpayment', amountMinor });
}

async function addEntryOf(
  tx: Tx,
  companyId: string,
  { id: paymentId, currency }: Pick<CreditOfPayment, 'id' | 'currency'>,
  entry: { kind: 'consumption' | 'return' | 'overpayment'; amountMinor: bigint },
): Promise<void> {
  await insertCreditEntry(tx, companyId, { id: uuidv7(), ...entry, currency, reason: '', paymentId });
}
