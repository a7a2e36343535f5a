import type { Tx } from '../../platform/database/database.ts';

export type CompanyProfile = {
  id: string;
  name: string;
  phone: string;
  address: string;
  describe: string;
  email: string;
};

/** Inserts a company with empty profile fields, and its one record of billing information, empty. */
export async function insertCompany(tx: Tx, companyId: string, billingInformationId: string): Promise<void> {
  await tx`INSERT INTO companies (id) VALUES (${companyId})`;
  await tx`INSERT INTO billing_information (company_id, id) VALUES (${companyId}, ${billingInformationId})`;
}

/** Locks the company's row; rows that refer to it can still be inserted. @returns whether there is one */
export async function selectCompanyForUpdate(tx: Tx, companyId: string): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
  return rows.length > 0;
}
