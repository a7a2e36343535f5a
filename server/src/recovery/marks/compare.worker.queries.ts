import type { Queryable } from '../../platform/database/database.ts';
import type { JournalEntry } from '../../platform/journal/journal.service.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';

export type MarkOf = Pick<JournalEntry, 'companyId' | 'mark' | 'at'>;

/**
 * Returns those of the marks that the database lacks. Housekeeping deletes marks after 40 days, so older ones are not missing; and a
 * standby, which may lag behind, lacks nothing.
 */
export async function selectMissingMarks(db: Queryable, marks: readonly MarkOf[]): Promise<string[]> {
  const given = JSON.stringify(marks.map(({ companyId, mark, at }) => ({ companyId, mark, at })));
  const rows = await db<{ mark: string }[]>`
    SELECT given.mark FROM json_to_recordset(${given}::text::json) AS given ("companyId" uuid, mark uuid, at timestamptz)
    WHERE at > now() - interval '39 days' AND NOT pg_is_in_recovery()
      AND NOT EXISTS (SELECT FROM marks WHERE company_id = given."companyId" AND marks.mark = given.mark)`;
  return rows.map(({ mark }) => mark);
}

/** A gateway's object. `reference` is our payment's or refund's id; of a refund, `names` is the installation that it names. */
export type ObjectId = {
  companyId: string;
  objectId: string;
  reference: string;
  paymentId?: string;
  names?: string | null;
};
type Missing = { objectId: string; companyId: string };

/**
 * Returns those of the payments at a gateway that the database lacks, with their companies. A payment is there under the gateway's id,
 * under ours, with its mark, or as a case that was dealt with.
 */
export async function selectMissingPayments(
  db: Queryable,
  gateway: string,
  objects: readonly ObjectId[],
): Promise<Missing[]> {
  return db<Missing[]>`
    SELECT "objectId", "companyId"
    FROM json_to_recordset(${JSON.stringify(objects)}::text::json) AS given ("companyId" uuid, "objectId" text, reference uuid)
    WHERE NOT pg_is_in_recovery()
      AND NOT EXISTS (SELECT FROM payments WHERE gateway = ${gateway} AND gateway_payment_id = "objectId")
      AND NOT EXISTS (SELECT FROM payments WHERE id = reference)
      AND NOT EXISTS (SELECT FROM marks WHERE company_id IN ("companyId", ${OPERATOR_SCOPE}) AND mark = reference)
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

/** When the newest mark of the database was written; null before the first one. */
export async function selectNewestMarkTime(db: Queryable): Promise<Date | null> {
  const [row] = await db<[{ writtenAt: Date | null }]>`SELECT max(written_at) AS "writtenAt" FROM marks`;
  return row.writtenAt;
}
