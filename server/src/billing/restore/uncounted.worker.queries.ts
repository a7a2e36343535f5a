import type { Tx } from '../../platform/database/database.ts';
import { takenOf } from './taken.parts.queries.ts';
import type { PeriodTaken } from './taken.queries.ts';

/** The companies of which it was noted as of this cutoff what invoices took, by id: `limit` of them after `after`. */
export async function selectCompaniesTaken(
  tx: Tx,
  { openCutoff, after, limit }: { openCutoff: number; after: string | null; limit: number },
): Promise<string[]> {
  const rows = await tx<{ companyId: string }[]>`
    SELECT DISTINCT company_id AS "companyId" FROM usage_taken
    WHERE cutoff = ${openCutoff} AND (${after}::uuid IS NULL OR company_id > ${after})
    ORDER BY company_id LIMIT ${limit}`;
  return rows.map(({ companyId }) => companyId);
}

/** A billed period of one of several companies. */
export type CountedPeriod = Omit<PeriodTaken, 'period'> & { companyId: string; month: string; currency: string };

/** Reads all billed periods of the companies, except where it is not known how much an invoice took of which month. */
export async function selectCountedPeriods(
  tx: Tx,
  companyIds: readonly string[],
  openCutoff: number,
): Promise<CountedPeriod[]> {
  return tx<CountedPeriod[]>`
    SELECT company_id AS "companyId", period AS month, currency, start_at AS "startAt", end_at AS "endAt", ${takenOf(tx, openCutoff)}
    FROM billed_periods
    WHERE company_id IN (SELECT json_array_elements_text(${JSON.stringify(companyIds)}::text::json)::uuid)
      AND NOT EXISTS (SELECT FROM usage_taken WHERE usage_taken.company_id = billed_periods.company_id AND NOT is_exact)
    ORDER BY company_id, start_at`;
}
