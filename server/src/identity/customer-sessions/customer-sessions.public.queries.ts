import { constantPart, type Queryable } from '../../platform/database/database.ts';
import type { CustomerSessionPrincipal } from '../../platform/http/route/types.ts';
import type { PermissionSet } from '../../platform/permissions.ts';
import { isOpen } from './customer-sessions.parts.queries.ts';

/** A session whose token, code or refresh token has come. */
type FoundSession = {
  sessionId: string;
  companyId: string;
  customerId: string | null;
  name: string;
  permissions: PermissionSet;
  openedById: string;
  openedByName: string;
};

/** The columns of a FoundSession. */
const columns = constantPart(
  (db) => db`
    customer_sessions.id AS "sessionId", customer_sessions.company_id AS "companyId", user_id AS "customerId",
    coalesce(user_name, '') AS name, permission AS permissions, coalesce(operator_key_id, staff_id) AS "openedById",
    key_name AS "openedByName"`,
);

/** The open session with this id; else null. */
export async function findCustomerSession(db: Queryable, sessionId: string): Promise<CustomerSessionPrincipal | null> {
  const [row] = await db<FoundSession[]>`
    SELECT ${columns(db)} FROM customer_sessions WHERE id = ${sessionId} AND ${isOpen(db)}`;
  return row === undefined ? null : toPrincipal(row);
}

/** The session as a caller. */
function toPrincipal({ openedById, openedByName, ...session }: FoundSession): CustomerSessionPrincipal {
  return { kind: 'customer_session', ...session, openedBy: { id: openedById, name: openedByName } };
}
