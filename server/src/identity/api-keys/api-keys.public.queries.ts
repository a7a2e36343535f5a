import type { Queryable } from '../../platform/database/database.ts';
import type { PermissionSet } from '../../platform/permissions.ts';
import { storedRole } from '../roles/roles.parts.queries.ts';
import type { StoredRole } from '../roles/stored-role.ts';

/** How exact the time of the last use is. */
const USE_SECONDS = 60;

export type FoundApiKey = StoredRole & {
  id: string;
  companyId: string;
  name: string;
  permission: PermissionSet;
  allowedIps: string[];
  expiresAt: Date | null;
  userId: string;
  isCompanyDisabled: boolean;
  /** Of the creator. */
  isEmailVerified: boolean;
  /** Whether its last use was noted a while ago. */
  isUseOld: boolean;
};

/** The key with this hash and its creator's role, unless it has expired or the creator has left the company. */
export async function findApiKey(db: Queryable, keyHash: Buffer): Promise<FoundApiKey | null> {
  const [row] = await db<FoundApiKey[]>`
    SELECT api_keys.id, api_keys.company_id AS "companyId", api_keys.name, api_keys.permission,
           api_keys.allowed_ips AS "allowedIps", api_keys.expires_at AS "expiresAt", users.id AS "userId", ${storedRole(db)},
           disabled_since IS NOT NULL AS "isCompanyDisabled", users.email_verified_at IS NOT NULL AS "isEmailVerified",
           last_used_at IS NULL OR last_used_at NOT BETWEEN now() - make_interval(secs => ${USE_SECONDS}) AND now() AS "isUseOld"
    FROM api_keys
    JOIN companies ON companies.id = api_keys.company_id
    JOIN users ON users.id = api_keys.created_by AND users.company_id = api_keys.company_id
    WHERE key_hash = ${keyHash} AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now()) AND users.disabled_at IS NULL`;
  return row ?? null;
}
