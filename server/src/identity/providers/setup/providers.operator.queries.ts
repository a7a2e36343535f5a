import { constantPart, type Queryable, type Tx } from '../../../platform/database/database.ts';
import { storedRoleOfProvider } from '../../roles/roles.parts.queries.ts';
import type { StoredRole } from '../../roles/stored-role.ts';

/** A provider as the database has it. A provider of no company has no role. */
export type ProviderRow = StoredRole & {
  name: string;
  issuer: string;
  clientId: string;
  /** Encrypted. */
  clientSecret: Uint8Array;
  emailDomains: string[];
  companyId: string | null;
};

const columns = constantPart(
  (db) => db`
    name, issuer, client_id AS "clientId", client_secret AS "clientSecret", email_domains AS "emailDomains",
    company_id AS "companyId", ${storedRoleOfProvider(db)}`,
);

/** How many providers there are. */
export async function countProviders(db: Queryable): Promise<number> {
  const [row] = await db<[{ total: number }]>`SELECT count(*)::int AS total FROM sign_in_providers`;
  return row.total;
}

/** A page of the providers, newest first, and how many there are. */
export async function selectProviders(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: ProviderRow[] }> {
  const total = await countProviders(db);
  const rows = await db<ProviderRow[]>`
    SELECT ${columns(db)} FROM sign_in_providers ORDER BY created_at DESC, name LIMIT ${limit} OFFSET ${offset}`;
  return { total, rows: [...rows] };
}

/** A provider; null when there is none with this name. */
export async function selectProvider(db: Queryable, name: string): Promise<ProviderRow | null> {
  const [row] = await db<ProviderRow[]>`SELECT ${columns(db)} FROM sign_in_providers WHERE name = ${name}`;
  return row ?? null;
}

/** The names of the providers of companies that have no domains. */
export async function selectProvidersWithoutDomains(db: Queryable): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    SELECT name FROM sign_in_providers WHERE company_id IS NOT NULL AND email_domains = '[]' ORDER BY name`;
  return rows.map(({ name }) => name);
}

/** Locks the list of the providers until the commit, so that of two changes one sees the other. */
export async function lockProviders(tx: Tx): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended('sign-in providers', 0))`;
}

/**
 * Writes a provider, new or not. @throws PostgresError on `sign_in_providers_company_id_fkey` for an unknown company, and on
 * `sign_in_providers_role_in_use` for a role that it has not
 */
export async function upsertProvider(tx: Tx, provider: ProviderRow): Promise<void> {
  const { name, issuer, clientId, clientSecret, emailDomains, companyId, systemRole, customRole } = provider;
  await tx`
    INSERT INTO sign_in_providers (name, issuer, client_id, client_secret, email_domains, company_id, role, role_id)
    VALUES (${name}, ${issuer}, ${clientId}, ${clientSecret}, ${JSON.stringify(emailDomains)}::text::jsonb, ${companyId},
            ${systemRole}, ${customRole?.id ?? null})
    ON CONFLICT (name) DO UPDATE
    SET issuer = excluded.issuer, client_id = excluded.client_id, client_secret = excluded.client_secret,
        email_domains = excluded.email_domains, company_id = excluded.company_id, role = excluded.role, role_id = excluded.role_id,
        updated_at = now()`;
}

/** Those of the ids that no company has. */
export async function selectUnknownCompanies(db: Queryable, companyIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM unnest(string_to_array(${companyIds.join()}, ',')::uuid[]) AS given (id)
    WHERE NOT EXISTS (SELECT 1 FROM companies WHERE companies.id = given.id)`;
  return rows.map(({ id }) => id);
}

/** Deletes a provider. @returns whether there was one */
export async function deleteProvider(tx: Tx, name: string): Promise<boolean> {
  return (await tx`DELETE FROM sign_in_providers WHERE name = ${name}`).count === 1;
}
