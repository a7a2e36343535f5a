import type { Queryable, Tx } from '../database/database.ts';

/** A period that a company was billed for. Up to the cutoff, its usage was known then. */
export type BilledPeriod = { period: string; startAt: Date; endAt: Date; cutoff: number };

/** The last period that the company was billed for, with or without an invoice; null when there is none. */
export async function selectLastPeriod(db: Queryable, companyId: string): Promise<BilledPeriod | null> {
  const [row] = await db<BilledPeriod[]>`
    SELECT period, start_at AS "startAt", end_at AS "endAt", cutoff
    FROM billed_periods WHERE company_id = ${companyId} ORDER BY start_at DESC LIMIT 1`;
  return row ?? null;
}

/** All periods that the company was billed for, the oldest first. */
export async function selectBilledPeriods(db: Queryable, companyId: string): Promise<BilledPeriod[]> {
  return db<BilledPeriod[]>`
    SELECT period, start_at AS "startAt", end_at AS "endAt", cutoff
    FROM billed_periods WHERE company_id = ${companyId} ORDER BY start_at`;
}

export type NewBilledPeriod = BilledPeriod & {
  runId: string;
  currency: string;
  invoiceId: string | null;
  unpricedPaths: readonly string[];
};

/** Says that the company was billed for a period. The database refuses a second time. */
export async function insertBilledPeriod(tx: Tx, companyId: string, billed: NewBilledPeriod): Promise<void> {
  const unpriced = billed.unpricedPaths.length === 0 ? null : JSON.stringify(billed.unpricedPaths);
  await tx`
    INSERT INTO billed_periods (company_id, period, run_id, currency, start_at, end_at, cutoff, invoice_id, unpriced_paths)
    VALUES (${companyId}, ${billed.period}, ${billed.runId}, ${billed.currency}, ${billed.startAt}, ${billed.endAt},
            ${billed.cutoff}, ${billed.invoiceId}, ${unpriced}::text::json)`;
}
