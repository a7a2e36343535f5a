import type { Tx } from '../../platform/database/database.ts';
import type { ThresholdRow } from './thresholds.queries.ts';

/** The hours of fresh usage: the beginnings of the first and the last one. */
export type FreshHours = { firstHour: Date; lastHour: Date };

/** Marks the company's usage for comparison with its thresholds, from a time of the billing clock on, unless it is marked already. */
export async function insertCheck(
  tx: Tx,
  companyId: string,
  { firstHour, lastHour, dueAt }: FreshHours & { dueAt: Date },
): Promise<void> {
  await tx`
    INSERT INTO usage_threshold_checks (company_id, first_hour, last_hour, due_at)
    SELECT ${companyId}, ${firstHour}, ${lastHour}, ${dueAt}
    WHERE NOT EXISTS (
      SELECT FROM usage_threshold_checks
      WHERE company_id = ${companyId} AND due_at = ${dueAt} AND first_hour <= ${firstHour} AND last_hour >= ${lastHour}
    )`;
}

/**
 * Removes the company's due marks, as the first statement of the transaction that compares, so that later rollups add new ones. Null if
 * there are none, or if another worker is comparing.
 */
export async function claimChecks(tx: Tx, companyId: string, now: Date): Promise<FreshHours | null> {
  const [row] = await tx<[{ firstHour: Date | null; lastHour: Date | null }]>`
    WITH taken AS (
      DELETE FROM usage_threshold_checks
      WHERE company_id = ${companyId} AND id = ANY(ARRAY(
        SELECT id FROM usage_threshold_checks WHERE company_id = ${companyId} AND due_at <= ${now} FOR UPDATE SKIP LOCKED
      ))
      RETURNING first_hour, last_hour
    )
    SELECT min(first_hour) AS "firstHour", max(last_hour) AS "lastHour" FROM taken`;
  const { firstHour, lastHour } = row;
  return firstHour === null || lastHour === null ? null : { firstHour, lastHour };
}

/** Reads the company's thresholds that were not reached in the period yet, the oldest first. */
export async function selectUnreachedThresholds(tx: Tx, companyId: string, period: string): Promise<ThresholdRow[]> {
  return tx<ThresholdRow[]>`
    SELECT id, company_id AS "companyId", path, quantity::text AS quantity, created_at AS "createdAt"
    FROM usage_thresholds AS thresholds
    WHERE company_id = ${companyId} AND NOT EXISTS (
      SELECT FROM usage_threshold_crossings
      WHERE company_id = ${companyId} AND threshold_id = thresholds.id AND period = ${period}
    )
    ORDER BY id`;
}

/** Records that a threshold was reached in the period. @returns false if that is recorded already */
export async function insertCrossing(
  tx: Tx,
  companyId: string,
  { thresholdId, period, quantity }: { thresholdId: string; period: string; quantity: string },
): Promise<boolean> {
  const rows = await tx`
    INSERT INTO usage_threshold_crossings (company_id, threshold_id, period, quantity)
    VALUES (${companyId}, ${thresholdId}, ${period}, ${quantity}::text::numeric)
    ON CONFLICT DO NOTHING
    RETURNING 1`;
  return rows.length === 1;
}
