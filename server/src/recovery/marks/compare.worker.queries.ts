import type { JournalEntry, Mark } from '../../continuity/journal/journal.service.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';

export type MarkOf = Pick<JournalEntry, 'companyId' | 'mark' | 'at'>;

/**
 * Returns those of the marks that the database lacks. Housekeeping deletes marks after 40 days, so older ones are not missing; and a
 * standby, which may lag behind, lacks nothing.
 */
export async function selectMissingMarks<Given extends MarkOf>(
  db: Queryable,
  marks: readonly Given[],
): Promise<Given[]> {
  const given = JSON.stringify(marks.map(({ companyId, mark, at }, index) => ({ index, companyId, mark, at })));
  const rows = await db<{ index: number }[]>`
    SELECT index FROM json_to_recordset(${given}::text::json) AS given (index int, "companyId" uuid, mark uuid, at timestamptz)
    WHERE at > now() - interval '39 days' AND NOT pg_is_in_recovery()
      AND NOT EXISTS (SELECT FROM marks WHERE company_id = given."companyId" AND marks.mark = given.mark)
    ORDER BY index`;
  return rows.flatMap(({ index }) => marks[index] ?? []);
}

/** A gateway's object. `reference` is our payment's or refund's id; of a refund, `names` is the installation that it names. */
export type ObjectId = {
  companyId: string;
  objectId: string;
  reference: string;
  status?: string;
  paymentId?: string;
  names?: string | null;
};
type Missing = { objectId: string; companyId: string };

/**
 * Returns those of the payments at a gateway that the database lacks, with their companies. A payment is there under the gateway's id, or
 * as a case that was dealt with. Our id, which is its mark, is that of several objects. So under ours a capture is there only while the
 * payment has no outcome, since the gateway is asked for that; and with the mark alone only what is canceled is there.
 */
export async function selectMissingPayments(
  db: Queryable,
  gateway: string,
  objects: readonly ObjectId[],
): Promise<Missing[]> {
  return db<Missing[]>`
    SELECT "objectId", "companyId"
    FROM json_to_recordset(${JSON.stringify(objects)}::text::json)
      AS given ("companyId" uuid, "objectId" text, reference uuid, status text)
    WHERE NOT pg_is_in_recovery()
      AND NOT EXISTS (SELECT FROM payments WHERE gateway = ${gateway} AND gateway_payment_id = "objectId")
      AND NOT EXISTS (
        SELECT FROM payments WHERE id = reference AND (given.status <> 'captured' OR state NOT IN ('captured', 'failed')))
      AND NOT (
        status = 'canceled'
        AND EXISTS (SELECT FROM marks WHERE company_id IN ("companyId", ${OPERATOR_SCOPE}) AND mark = reference))
      AND NOT EXISTS (
        SELECT FROM recovery_cases
        WHERE gateway = ${gateway} AND object_id = "objectId" AND kind = 'payment' AND state <> 'open' AND source = 'gateway')`;
}

/**
 * The same for refunds, whose company is that of their payment. A refund that names no installation counts only if its payment is ours:
 * another installation may use the same account.
 */
export async function selectMissingRefunds(
  db: Queryable,
  gateway: string,
  objects: readonly ObjectId[],
): Promise<Missing[]> {
  return db<Missing[]>`
    SELECT "objectId", coalesce(payment.company_id, lost.company_id, given."companyId") AS "companyId"
    FROM json_to_recordset(${JSON.stringify(objects)}::text::json)
      AS given ("companyId" uuid, "objectId" text, reference uuid, "paymentId" text, names uuid)
    LEFT JOIN payments AS payment ON payment.gateway = ${gateway} AND payment.gateway_payment_id = "paymentId"
    LEFT JOIN LATERAL (
      SELECT company_id FROM recovery_cases
      WHERE gateway = ${gateway} AND object_id = "paymentId" AND kind = 'payment' AND source = 'gateway' LIMIT 1
    ) AS lost ON true
    WHERE NOT pg_is_in_recovery()
      AND (names IS NOT NULL OR payment.company_id IS NOT NULL OR lost.company_id IS NOT NULL)
      AND NOT EXISTS (SELECT FROM refunds WHERE gateway = ${gateway} AND gateway_refund_id = "objectId")
      AND NOT EXISTS (SELECT FROM refunds WHERE id = reference)
      AND NOT EXISTS (SELECT FROM marks WHERE mark = reference AND company_id IN (payment.company_id, lost.company_id, ${OPERATOR_SCOPE}))
      AND NOT EXISTS (
        SELECT FROM recovery_cases
        WHERE gateway = ${gateway} AND object_id = "objectId" AND kind = 'refund' AND state <> 'open' AND source = 'gateway')`;
}

export type NewestMark = Mark & { writtenAt: Date };

/** Reads the newest mark of the database; null before the first one. */
export async function selectNewestMark(db: Queryable): Promise<NewestMark | null> {
  const [row] = await db<NewestMark[]>`
    SELECT company_id AS "companyId", mark, kind, subject, written_at AS "writtenAt" FROM marks
    ORDER BY written_at DESC LIMIT 1`;
  return row ?? null;
}

/** Reads the newest mark of the database, and that of the newest entry of all journals, which is often the same. */
export async function selectNewestMarks(db: Queryable): Promise<Mark[]> {
  return db<Mark[]>`
    (SELECT company_id AS "companyId", mark, kind, subject FROM marks ORDER BY written_at DESC LIMIT 1)
    UNION
    SELECT company_id, mark, kind, subject
    FROM (SELECT last_company_id, last_mark FROM journals WHERE last_mark IS NOT NULL ORDER BY last_mark_at DESC LIMIT 1) AS journal
    JOIN marks ON company_id = last_company_id AND mark = last_mark`;
}

/**
 * Begins a comparison of a gateway, if no process has begun one within this many seconds, or if the clock was set back since.
 * @returns when it begins, and when the last one began that found nothing missing; null when there is none to begin
 */
export async function beginComparison(
  db: Queryable,
  gateway: string,
  everySeconds: number,
): Promise<{ begunAt: Date; comparedAt: Date | null } | null> {
  const [row] = await db<{ begunAt: Date; comparedAt: Date | null }[]>`
    INSERT INTO gateway_comparisons AS known (gateway) VALUES (${gateway})
    ON CONFLICT (gateway) DO UPDATE SET begun_at = now()
    WHERE known.begun_at NOT BETWEEN now() - make_interval(secs => ${everySeconds}) AND now() - interval '1 millisecond'
    RETURNING begun_at AS "begunAt", compared_at AS "comparedAt"`;
  return row ?? null;
}

/** Says that a comparison which began then found nothing missing. */
export async function endComparison(db: Queryable, gateway: string, begunAt: Date): Promise<void> {
  await db`UPDATE gateway_comparisons SET compared_at = ${begunAt} WHERE gateway = ${gateway}`;
}

/** Reads when the last comparison of these gateways began that found nothing missing: of the one whose is the oldest. */
export async function selectOldestComparison(db: Queryable, gateways: readonly string[]): Promise<Date | null> {
  const [row] = await db<[{ comparedAt: Date | null }]>`
    SELECT min(compared_at) AS "comparedAt" FROM gateway_comparisons
    WHERE compared_at <= now() AND gateway IN (SELECT json_array_elements_text(${JSON.stringify(gateways)}::text::json))`;
  return row.comparedAt;
}
