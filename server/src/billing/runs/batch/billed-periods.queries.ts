import type { BillingSettings } from '../../../customers/companies/companies.settings.schema.ts';
import type { Queryable } from '../../../platform/database/database.ts';

/** A period that a company was billed for. Up to the cutoff, its usage was known then. */
export type BilledPeriod = {
  period: string;
  startAt: Date;
  endAt: Date;
  cutoff: number;
  /** Percent; the rate that its usage bears, also when it comes late. */
  taxRate: string;
};

/** The last period that the company was billed for, with or without an invoice; null when there is none. */
export async function selectLastPeriod(db: Queryable, companyId: string): Promise<BilledPeriod | null> {
  const [row] = await db<BilledPeriod[]>`
    SELECT period, start_at AS "startAt", end_at AS "endAt", cutoff, trim_scale(tax_rate)::text AS "taxRate"
    FROM billed_periods WHERE company_id = ${companyId} ORDER BY start_at DESC LIMIT 1`;
  return row ?? null;
}

export type NewBilledPeriod = BilledPeriod & {
  runId: string;
  currency: string;
  /** The company's policy for late usage. */
  lateUsage: BillingSettings['lateUsage'];
  /** The period before, when usage that came later than its cutoff is on this bill; else null. */
  lateAfterPeriod: string | null;
  invoiceId: string | null;
  unpricedPaths: readonly string[];
};
