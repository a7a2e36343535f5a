import { constantPart, type Part, type Queryable } from '../../platform/database/database.ts';

/** The columns of a `RecoveryCase`. */
export const caseColumns = constantPart(
  (db) => db`
    id, company_id AS "companyId", company_external_id AS "companyExternalId",
    hold_id AS "holdId", source, kind, mark, subject, gateway, object_id AS "objectId",
    happened_at AS "happenedAt", content, request, state, note, found_at AS "foundAt", decided_at AS "decidedAt"`,
);

/** The invoice that a case is about. What an object says at a gateway, or a document after a fault of the disk, need not be an id. */
export const invoiceOfCase = constantPart(
  (db) => db`CASE
    WHEN source = 'journal' AND kind IN ('invoice', 'void') THEN subject
    ELSE substring(
      CASE source
        WHEN 'journal' THEN coalesce(content::json ->> 'invoice_id', content::json ->> 'invoiceId')
        ELSE content::json -> 'details' ->> 'invoiceId'
      END FROM '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    )::uuid
  END`,
);

/** Whether the payment or the refund with this id is under review. These are few, and are read once for all cases of a statement. */
function isUnderReview(db: Queryable, id: Part): Part {
  return db`${id} IN (
    SELECT payments.id FROM payments WHERE payments.state = 'needs_review'
    UNION ALL SELECT refunds.id FROM refunds WHERE refunds.state = 'needs_review')`;
}

/** The state of a case: what a person decides by a review is done once that has ended. */
export function stateOfCase(db: Queryable): Part {
  return db`CASE
    WHEN recovery_cases.state = 'person' AND review_of IS NOT NULL AND NOT ${isUnderReview(db, db`review_of`)} THEN 'done'
    ELSE recovery_cases.state
  END`;
}
