import type { Queryable, Tx } from '../../../platform/database/database.ts';
import type { BilledPeriod, NewBilledPeriod, RatedPeriod } from './billed-periods.queries.ts';
import { takenOfMonth } from './restored-month.parts.queries.ts';

/** Reads the last period that each of the companies was billed for, with or without an invoice; none for a company never billed. */
export async function selectLastPeriods(
  db: Queryable,
  companyIds: readonly string[],
): Promise<(BilledPeriod & { companyId: string })[]> {
  return db<(BilledPeriod & { companyId: string })[]>`
    SELECT given.company_id AS "companyId", period, start_at AS "startAt", end_at AS "endAt", cutoff,
           "taxRate"
    FROM unnest(string_to_array(${companyIds.join()}, ',')::uuid[]) AS given (company_id)
    CROSS JOIN LATERAL (
      SELECT period, start_at, end_at, cutoff, trim_scale(tax_rate)::text AS "taxRate"
      FROM billed_periods WHERE company_id = given.company_id ORDER BY start_at DESC LIMIT 1
    ) AS last`;
}

/** Reads all periods that the companies were billed for, the oldest of each first. `cutoff`: up to which their usage was billed. */
export async function selectBilledPeriodsOfMany(
  db: Queryable,
  companies: readonly { companyId: string; cutoff: number }[],
): Promise<(RatedPeriod & { companyId: string })[]> {
  return db<(RatedPeriod & { companyId: string })[]>`
    SELECT company_id AS "companyId", period, start_at AS "startAt", end_at AS "endAt", billed_periods.cutoff,
           trim_scale(tax_rate)::text AS "taxRate",
           ${takenOfMonth(db)} AS taken
    FROM json_to_recordset(${JSON.stringify(companies)}::text::json) AS given ("companyId" uuid, cutoff integer)
    JOIN billed_periods ON company_id = "companyId"
    ORDER BY company_id, start_at`;
}

/** Records that the companies were billed for a period. The database refuses a second time. */
export async function insertBilledPeriods(
  tx: Tx,
  billed: readonly (NewBilledPeriod & { companyId: string })[],
): Promise<void> {
  const rows = billed.map(({ lateUsage, unpricedPaths, ...row }) => ({
    ...row,
    lateUsageKind: lateUsage.kind,
    lateUsageDays: lateUsage.days ?? null,
    unpricedPaths: unpricedPaths.length === 0 ? null : unpricedPaths,
  }));
  await tx`
    INSERT INTO billed_periods (company_id, period, run_id, currency, tax_rate, late_usage_kind, late_usage_days, late_after_period,
                                start_at, end_at, cutoff, invoice_id, unpriced_paths, late_at_own_rate)
    SELECT "companyId", period, "runId", currency, "taxRate", "lateUsageKind", "lateUsageDays", "lateAfterPeriod", "startAt", "endAt",
           cutoff, "invoiceId", "unpricedPaths", true
    FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS given (
      "companyId" uuid, period text, "runId" uuid, currency text, "taxRate" numeric, "lateUsageKind" text, "lateUsageDays" integer,
      "lateAfterPeriod" text, "startAt" timestamptz, "endAt" timestamptz, cutoff integer, "invoiceId" uuid, "unpricedPaths" json
    )`;
}
