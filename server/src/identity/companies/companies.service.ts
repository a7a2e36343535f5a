import { afterCommit, type Tx } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { selectCompany, updateDisabled } from './companies.operator.queries.ts';
import type { Company, CompanyBody } from './companies.schema.ts';

/** Has this process read anew, from the next request on, what the members and API keys of a company may do. */
export type RecheckCompany = (companyId: string) => void;

/** Disables or enables a company. @throws ApiError not_found */
export async function changeCompany(
  tx: Tx,
  companyId: string,
  { disabled }: CompanyBody,
  recheck: RecheckCompany,
): Promise<Company> {
  const company =
    disabled === undefined ? await selectCompany(tx, companyId) : await updateDisabled(tx, companyId, disabled);
  if (company === null) throw notFound('company');
  afterCommit(tx, async () => recheck(companyId));
  return company;
}
