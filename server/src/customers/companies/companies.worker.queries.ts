import type { Queryable, Tx } from '../../platform/database/database.ts';
import { settingsColumns } from './companies.parts.queries.ts';
import type { BillingSettingsRow } from './companies.settings.queries.ts';

/**
 * Locks the rows of many companies in the order of their ids, so that two callers wait for each other instead of
 * deadlocking.
 */
export async function selectCompaniesForUpdate(tx: Tx, companyIds: readonly string[]): Promise<void> {
  await tx`
    SELECT 1 FROM companies WHERE id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[])
    ORDER BY id FOR NO KEY UPDATE`;
}

/** The settings of many companies, each with the tax id of its billing information, by id; unknown ids are left out. */
export async function selectBillingSettingsOfMany(
  db: Queryable,
  companyIds: readonly string[],
): Promise<BillingSettingsRow[]> {
  return db<BillingSettingsRow[]>`
    SELECT ${settingsColumns(db)}
    FROM companies
    LEFT JOIN billing_information ON billing_information.company_id = companies.id
    WHERE companies.id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[])
    ORDER BY companies.id`;
}
