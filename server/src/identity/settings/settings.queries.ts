import type { Queryable, Tx } from '../../platform/database/database.ts';
import { hasSecondFactor } from '../users/users.parts.queries.ts';
import type { CompanySettings } from './settings.schema.ts';

/** The settings of a company; null when there is none with this id. */
export async function selectSettings(db: Queryable, companyId: string): Promise<CompanySettings | null> {
  const [row] = await db<CompanySettings[]>`
    SELECT require_second_factor, sign_in, break_glass_member_id FROM companies WHERE id = ${companyId}`;
  return row ?? null;
}

/** Writes the settings. */
export async function updateSettings(tx: Tx, companyId: string, settings: CompanySettings): Promise<void> {
  await tx`
    UPDATE companies
    SET require_second_factor = ${settings.require_second_factor}, sign_in = ${settings.sign_in},
        break_glass_member_id = ${settings.break_glass_member_id}, updated_at = now()
    WHERE id = ${companyId}`;
}

/** Whether a member of the company has a second factor; null when the user is no member. */
export async function findSecondFactorOfMember(tx: Tx, companyId: string, userId: string): Promise<boolean | null> {
  const [row] = await tx<{ has: boolean }[]>`
    SELECT ${hasSecondFactor(tx)} AS has FROM users WHERE company_id = ${companyId} AND users.id = ${userId}`;
  return row?.has ?? null;
}
