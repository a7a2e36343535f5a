import type { Queryable, Tx } from '../../platform/database/database.ts';
import { missingRow } from '../../platform/errors.ts';
import { readChangedCompany, recordCompany } from '../companies/companies.service.ts';
import { selectCompany, updateCompany } from './company.queries.ts';
import type { OwnCompany, OwnCompanyBody } from './company.schema.ts';

/** The profile of a member's company. */
export async function readCompany(db: Queryable, companyId: string): Promise<OwnCompany> {
  const company = await selectCompany(db, companyId);
  if (company === null) throw missingRow('company');
  return company;
}

/** Writes the given fields of the profile. */
export async function changeCompany(tx: Tx, companyId: string, body: OwnCompanyBody): Promise<OwnCompany> {
  const before = await readCompany(tx, companyId);
  const company = await updateCompany(tx, companyId, body);
  if (company === null) throw missingRow('company');
  if (JSON.stringify(company) !== JSON.stringify(before))
    await recordCompany(tx, await readChangedCompany(tx, companyId), 'company.updated');
  return company;
}
