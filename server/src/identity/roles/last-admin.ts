import { lockCompany } from '../../customers/companies/companies.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { hasAdmin } from './roles.queries.ts';

/**
 * Makes a change of a company's members or roles, unless the company would lose its last member with both `platform.admins.all` and
 * `platform.roles.all`. Such changes of one company wait for each other.
 * @throws ApiError last_admin
 */
export async function keepAdmin<T>(tx: Tx, companyId: string, change: () => Promise<T>): Promise<T> {
  await lockCompany(tx, companyId);
  const hadAdmin = await hasAdmin(tx, companyId);
  const result = await change();
  if (hadAdmin && !(await hasAdmin(tx, companyId))) {
    throw new ApiError(
      'last_admin',
      'At least one member of the company must be able to change its members and roles.',
    );
  }
  return result;
}
