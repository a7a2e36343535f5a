import type { Part, Queryable, Tx } from '../../platform/database/database.ts';
import type { CreditEntry, CreditKind } from './credits.schema.ts';

export type CreditBalance = { balanceMinor: bigint; currency: string; entries: number };

/** Reads the sum of the company's entries; null if it has none yet. */
export async function selectCreditBalance(db: Queryable, companyId: string): Promise<CreditBalance | null> {
  const [row] = await db<{ balanceMinor: string; currency: string; entries: number }[]>`
    SELECT balance_minor::text AS "balanceMinor", currency, entries::int FROM credit_balances WHERE company_id = ${companyId}`;
  return row === undefined ? null : { ...row, balanceMinor: BigInt(row.balanceMinor) };
}

export type NewCreditEntry = {
  id: string;
  kind: CreditKind;
  amountMinor: bigint;
  currency: string;
  reason: string;
  paymentId: string | null;
  /** The refund that returned this credit. */
  refundId?: string;
  /** The tax in the amount that a bill carried over. */
  carriedTaxMinor?: bigint;
  /** Now by default. */
  createdAt?: Date;
};

/** In minor units, as the database stores them. */
export type CreditEntryRow = Omit<CreditEntry, 'amount' | 'balance' | 'invoiceId'> & {
  amountMinor: string;
  balanceMinor: string;
};

const ENTRY_COLUMNS = `
  credit_entries.company_id AS "companyId", credit_entries.id, number::int, kind, credit_entries.amount_minor::text AS "amountMinor",
  balance_minor::text AS "balanceMinor", credit_entries.currency, reason, payment_id AS "paymentId",
  credit_entries.created_at AS "createdAt"`;

/**
 * Adds an entry after the last one and computes the balance in the same statement. The database refuses a balance below zero. The caller
 * holds the company's lock: without it, two simultaneous entries may also be refused.
 */
export async function insertCreditEntry(tx: Tx, companyId: string, entry: NewCreditEntry): Promise<CreditEntryRow> {
  const amountMinor = entry.amountMinor.toString();
  const [row] = await tx<[CreditEntryRow]>`
    INSERT INTO credit_entries (company_id, id, number, kind, amount_minor, balance_minor, currency, reason, payment_id, refund_id,
                                carried_tax_minor, created_at)
    SELECT ${companyId}, ${entry.id}, coalesce(max(entries), 0) + 1, ${entry.kind}, ${amountMinor}::text::bigint,
           coalesce(max(balance_minor), 0) + ${amountMinor}::text::bigint, ${entry.currency}, ${entry.reason}, ${entry.paymentId},
           ${entry.refundId ?? null}::uuid, ${entry.carriedTaxMinor?.toString() ?? null}::text::bigint,
           coalesce(${entry.createdAt ?? null}::timestamptz, now())
    FROM credit_balances
    WHERE company_id = ${companyId}
    RETURNING ${tx.unsafe(ENTRY_COLUMNS)}`;
  return row;
}

/** SQL for the invoice that a payment was made for. The payments, a later domain, hand it in. */
export type InvoiceOfPayment = (db: Queryable, companyId: Part, paymentId: Part) => Part;

/** Reads a page of the company's entries, the newest first. */
export async function selectCreditEntries(
  db: Queryable,
  companyId: string,
  { from, to }: { from: number; to: number },
  invoiceOfPayment: InvoiceOfPayment,
): Promise<(CreditEntryRow & { invoiceId: string | null })[]> {
  return db<(CreditEntryRow & { invoiceId: string | null })[]>`
    SELECT ${db.unsafe(ENTRY_COLUMNS)},
           ${invoiceOfPayment(db, db`credit_entries.company_id`, db`credit_entries.payment_id`)} AS "invoiceId"
    FROM credit_entries
    WHERE credit_entries.company_id = ${companyId} AND number BETWEEN ${from} AND ${to}
    ORDER BY number DESC`;
}
