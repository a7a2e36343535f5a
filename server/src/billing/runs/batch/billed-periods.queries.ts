import type { BillingSettings } from '../../../customers/companies/companies.settings.schema.ts';
import type { Queryable } from '../../../platform/database/database.ts';

/** A period that a company was billed for. Its bill contains the usage up to the cutoff. */
export type BilledPeriod = {
  period: string;
  startAt: Date;
  endAt: Date;
  cutoff: number;
  /** In percent; also the rate of the period's late usage. */
  taxRate: string;
};

/** A period whose late usage is rated. */
export type RatedPeriod = BilledPeriod & {
  /**
   * What invoices took for its usage, if one of them was written again after the database went back: some of the usage may be lost. Null
   * for all others, where they took what the usage is worth.
   */
  taken: {
    /** Net, in major units. */
    amount: string;
    /** What the invoices took of which month is not known: this is only what is known of this one. */
    isUnclear: boolean;
    /** Whether a run has billed the company since that invoice was written again. */
    isBilledSince: boolean;
  } | null;
};

/** Reads the last period that the company was billed for, with or without an invoice; null when there is none. */
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
  /** The period before, when this bill includes usage that arrived after its cutoff; else null. */
  lateAfterPeriod: string | null;
  invoiceId: string | null;
  unpricedPaths: readonly string[];
};
