import { constantPart } from '../../../platform/database/database.ts';

/**
 * What invoices took for the usage of the month of a row of `billed_periods`, as JSON, if one of them was written again after the database
 * went back; null for all other months. `given` names the company, and the cutoff up to which its usage was billed.
 */
export const takenOfMonth = constantPart(
  (db) => db`(
    SELECT json_build_object('amount', coalesce(sum(taken) FILTER (WHERE is_last AND period = billed_periods.period), 0)::text,
                             'isUnclear', bool_or(NOT is_exact), 'isBilledSince', max(cutoff) < given.cutoff)
    FROM (
      SELECT *, cutoff = max(cutoff) OVER (PARTITION BY period) AS is_last FROM usage_taken
      WHERE usage_taken.company_id = given."companyId" AND usage_taken.cutoff <= given.cutoff
    ) AS known
    WHERE period = billed_periods.period OR period > billed_periods.period AND NOT is_exact
    HAVING count(*) > 0
  )`,
);
