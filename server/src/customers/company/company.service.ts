import type { Queryable } from '../../platform/database/database.ts';
import { missingRow } from '../../platform/errors.ts';
import { selectCompany, updateCompany } from './company.queries.ts';
import type { OwnCompany, OwnCompanyBody } from './company.schema.ts';

/** The profile of a member's company. */
export async function readCompany(db: Queryable, companyId: string): Promise<OwnCompany> {
  const company = await selectCompany(db, companyId);
  if (company === null) throw missingRow('company');
  return company;
}

/** Writes the given fields of the profile. */
export async function changeCompany(db: Queryable, companyId: string, body: OwnCompanyBody): Promise<OwnCompany> {
  const company = await updateCompany(db, companyId, body);
  if (company === null) throw missingRow('company');
  return company;
}
