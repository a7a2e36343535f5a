import type { CustomerDescription } from '../../gateways/gateway/gateway.cards.ts';
import { managesMembersAndRoles } from '../../identity/roles/roles.parts.queries.ts';
import type { Db } from '../../platform/database/database.ts';
import { claimJobs } from '../../platform/queue/claim.parts.queries.ts';

/** `describeAt` is when it would be described again; a change sets it anew. */
export type CustomerToDescribe = CustomerDescription & { describeAt: Date };

/** During a hold of the database they wait, because a copy of the database must not describe what the original has. */
const IS_DUE = `describe_at <= now() AND NOT EXISTS (SELECT FROM charges_holds WHERE ended_at IS NULL)`;

/** The gateways that have customers of any company to describe. */
export async function selectGatewaysToDescribeAt(db: Db): Promise<string[]> {
  const rows = await db<
    { gateway: string }[]
  >`SELECT DISTINCT gateway FROM gateway_customers WHERE ${db.unsafe(IS_DUE)}`;
  return rows.map(({ gateway }) => gateway);
}

/**
 * Claims customers of any company at a gateway, or that of one, with who they are. The next attempt follows after as long again as the
 * change was made, between half a minute and six hours, unless the customer is recorded as described.
 */
export async function claimCustomersToDescribe(
  db: Db,
  { gateway, limit, companyId = null }: { gateway: string; limit: number; companyId?: string | null },
): Promise<CustomerToDescribe[]> {
  return db<CustomerToDescribe[]>`
    WITH ${claimJobs(
      db,
      { table: 'gateway_customers', key: ['company_id', 'gateway'] },
      {
        where: db`gateway = ${gateway} AND (${companyId}::uuid IS NULL OR company_id = ${companyId}) AND ${db.unsafe(IS_DUE)}`,
        first: db`ORDER BY describe_at LIMIT ${limit}`,
        set: db`describe_at = now() + least(greatest(now() - changed_at, interval '30 seconds'), interval '6 hours')`,
      },
    )}
    SELECT claimed.company_id AS "companyId", external_id AS "companyExternalId", customer, describe_at AS "describeAt",
           coalesce(nullif(organization, ''), trim(concat_ws(' ', nullif(first_name, ''), nullif(last_name, ''))), '') AS name,
           (SELECT users.email
            FROM users LEFT JOIN roles ON roles.company_id = users.company_id AND roles.id = users.role_id
            WHERE users.company_id = claimed.company_id AND users.disabled_at IS NULL AND users.deleted_at IS NULL
              AND ${managesMembersAndRoles(db)}
            ORDER BY users.created_at, users.id LIMIT 1) AS email
    FROM claimed JOIN companies ON companies.id = claimed.company_id
    LEFT JOIN billing_information ON billing_information.company_id = claimed.company_id`;
}

/** Records that the gateway shows the company as it was when it was claimed; a change since then stays queued. */
export async function recordDescribed(
  db: Db,
  companyId: string,
  { gateway, describeAt }: { gateway: string; describeAt: Date },
): Promise<void> {
  await db`
    UPDATE gateway_customers SET describe_at = NULL
    WHERE company_id = ${companyId} AND gateway = ${gateway} AND describe_at = ${describeAt}`;
}
