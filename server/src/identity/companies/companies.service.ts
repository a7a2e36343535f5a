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

/** The same for a company that was changed or made in this transaction. */
export async function readChangedCompany(tx: Tx, companyId: string): Promise<Company> {
  const company = await selectCompany(tx, companyId);
  if (company === null) throw missingRow('company');
  return company;
}

/** Records that a company was created or changed. @param company - as it is now */
export async function recordCompany(
  tx: Tx,
  company: Company,
  type: 'company.created' | 'company.updated',
): Promise<void> {
  await companyEvents.record(tx, company.id, { type, data: company });
}
