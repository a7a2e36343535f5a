import type { Part, Queryable, Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';

/**
 * Whether neither the database nor a journal has the mark of a gateway's object. Journals keep marks for 40 days; what was made before the
 * database had any has none. A payment or refund that is here had its mark here.
 * @param object - the name of a row with `company_id`, `mark` and `made_at`
 */
function isUnjournaled(db: Queryable, object: string): Part {
  const [mark, madeAt] = [db`${db(object)}.mark`, db`${db(object)}.made_at`];
  return db`
    ${madeAt} > now() - interval '38 days'
    AND ${madeAt} > (SELECT min(written_at) FROM marks) - interval '1 minute'
    AND NOT EXISTS (SELECT FROM missing_marks WHERE missing_marks.mark = ${mark})
    AND NOT EXISTS (
      SELECT FROM marks WHERE marks.company_id IN (${db(object)}.company_id, ${OPERATOR_SCOPE}) AND marks.mark = ${mark})
    AND NOT EXISTS (SELECT FROM payments WHERE payments.id = ${mark})
    AND NOT EXISTS (SELECT FROM refunds WHERE refunds.id = ${mark})`;
}

/** Returns the first of these objects whose mark is nowhere; null when there is none. */
export async function selectFirstUnjournaled(
  db: Queryable,
  objects: readonly { companyId: string; mark: string; objectId: string; createdAt: Date }[],
): Promise<string | null> {
  const [row] = await db<{ objectId: string }[]>`
    SELECT "objectId" FROM (
      SELECT "companyId" AS company_id, mark, "objectId", "createdAt" AS made_at
      FROM json_to_recordset(${JSON.stringify(objects)}::text::json)
        AS given ("companyId" uuid, mark uuid, "objectId" text, "createdAt" timestamptz)
    ) AS object
    WHERE ${isUnjournaled(db, 'object')} ORDER BY made_at LIMIT 1`;
  return row?.objectId ?? null;
}

/** Notes what no journal has. False when the hold has ended, or something was noted before. */
export async function markUnjournaled(tx: Tx, holdId: string, unjournaled: string): Promise<boolean> {
  const rows = await tx`
    UPDATE charges_holds SET unjournaled = ${unjournaled}
    WHERE id = ${holdId} AND ended_at IS NULL AND unjournaled IS NULL RETURNING 1`;
  return rows.length === 1;
}

/** Notes that what no journal has was given up before. */
export async function markUnjournaledLostBefore(db: Queryable, holdId: string, unjournaled: string): Promise<void> {
  await db`
    UPDATE charges_holds SET unjournaled = coalesce(unjournaled, ${unjournaled}), unjournaled_lost_at = now()
    WHERE id = ${holdId} AND unjournaled_lost_at IS NULL`;
}

/** Forgets what no journal had, if nobody has given it up and a journal with the marks of all open cases was read meanwhile. */
export async function forgetUnjournaled(db: Queryable, holdId: string): Promise<void> {
  await db`
    UPDATE charges_holds SET unjournaled = NULL
    WHERE id = ${holdId} AND unjournaled IS NOT NULL AND unjournaled_lost_at IS NULL AND NOT EXISTS (
      SELECT FROM (
        SELECT company_id, mark, happened_at AS made_at FROM recovery_cases
        WHERE hold_id = ${holdId} AND state = 'open' AND source = 'gateway' AND mark IS NOT NULL
          AND (kind = 'refund' OR kind = 'payment' AND content::json -> 'details' ->> 'installation' IS NOT NULL)
      ) AS object
      WHERE ${isUnjournaled(db, 'object')})`;
}
