import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Tx } from '../database/database.ts';
import { type CompanyProfile, insertCompany, selectCompany, selectCompanyForUpdate } from './companies.queries.ts';

/** What a customer, who has no company, shows in its place (specification 2.6). */
export const EMPTY_COMPANY: CompanyProfile = { id: '', name: '', phone: '', address: '', describe: '', email: '' };

/** Creates a company with empty profile fields. @returns its id */
export async function createCompany(tx: Tx): Promise<string> {
  const companyId = uuidv7();
  await insertCompany(tx, companyId);
  return companyId;
}

/** The company's profile as a user's profile shows it. */
export async function findCompanyProfile(db: Queryable, companyId: string): Promise<CompanyProfile> {
  return (await selectCompany(db, companyId)) ?? EMPTY_COMPANY;
}

/** Makes whoever else locks this company wait until the transaction ends. */
export async function lockCompany(tx: Tx, companyId: string): Promise<void> {
  await selectCompanyForUpdate(tx, companyId);
}
