import type { Queryable, Tx } from '../../platform/database/database.ts';
import { missingRow } from '../../platform/errors.ts';
import { companyEvents } from './companies.events.ts';
import { selectCompany } from './companies.operator.queries.ts';
import type { Company } from './companies.schema.ts';

// For statements that list companies.
export { companyColumns } from './companies.operator.queries.ts';

/** Has this process read anew, from the next request on, what the members and API keys of a company may do. */
export type RecheckCompany = (companyId: string) => void;

/** The company as the operator sees it; null when there is none. */
export async function findCompany(db: Queryable, companyId: string): Promise<Company | null> {
  return selectCompany(db, companyId);
}

/** Records that a company was created or changed. @returns it */
export async function recordCompany(
  tx: Tx,
  companyId: string,
  type: 'company.created' | 'company.updated',
): Promise<Company> {
  const company = await selectCompany(tx, companyId);
  if (company === null) throw missingRow('company');
  await companyEvents.record(tx, companyId, { type, data: company });
  return company;
}
