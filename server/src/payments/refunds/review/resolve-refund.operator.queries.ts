import type { Queryable } from '../../../platform/database/database.ts';
import { type Refund, type RefundRow, toRefund } from '../issue/refund.ts';
import { REFUND_COLUMNS, REFUNDS_AND_PAYMENTS } from '../issue/refunds.queries.ts';

/** A refund with the current time of the database's clock. */
export type DatedRefund = Refund & { readAt: Date };

/** Reads the refund with this id, of any company; null when there is none. */
export async function selectRefundToResolve(db: Queryable, id: string): Promise<DatedRefund | null> {
  const [row] = await db<(RefundRow & { readAt: Date })[]>`
    SELECT ${db.unsafe(REFUND_COLUMNS)}, now() AS "readAt"
    FROM ${db.unsafe(REFUNDS_AND_PAYMENTS)}
    WHERE refunds.id = ${id}`;
  return row === undefined ? null : { ...toRefund(row), readAt: row.readAt };
}
