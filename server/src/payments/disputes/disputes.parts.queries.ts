import type { Queryable } from '../../platform/database/database.ts';

/** `disputes` of the row of `payments`, a name and a value of its JSON, the oldest first. */
export function disputesOfPayment(db: Queryable) {
  return db`'disputes', (
    SELECT coalesce(json_agg(dispute_json(disputes) ORDER BY disputes.id), '[]') FROM disputes
    WHERE disputes.company_id = payments.company_id AND disputes.payment_id = payments.id
  )`;
}
