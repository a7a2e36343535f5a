import { constantPart } from '../../platform/database/database.ts';

/** The columns of a `RecoveryCase`. */
export const caseColumns = constantPart(
  (db) => db`
    id, company_id AS "companyId", hold_id AS "holdId", source, kind, mark, subject, gateway, object_id AS "objectId",
    happened_at AS "happenedAt", content, request, state, note, found_at AS "foundAt", decided_at AS "decidedAt", writer,
    is_foreign AS "isForeign"`,
);
