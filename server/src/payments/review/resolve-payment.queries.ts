import type { Tx } from '../../platform/database/database.ts';

/** The refunds of a payment's capture under review. `openId`: the one that has no outcome yet, or waits for a person. */
export type Returns = { openId: string | null; hasSucceeded: boolean; failed: number };

/** Reads them, for callers that hold the invoice's lock. */
export async function selectReturns(tx: Tx, companyId: string, paymentId: string): Promise<Returns> {
  const [row] = await tx<[Returns]>`
    SELECT (array_agg(id) FILTER (WHERE state IN ('created', 'unknown', 'needs_review')))[1] AS "openId",
           coalesce(bool_or(state = 'succeeded'), false) AS "hasSucceeded", (count(*) FILTER (WHERE state = 'failed'))::int AS failed
    FROM refunds WHERE company_id = ${companyId} AND payment_id = ${paymentId} AND returns_capture`;
  return row;
}
