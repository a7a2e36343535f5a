import { v7 as uuidv7 } from 'uuid';
import { type Queryable, type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { freesOfTax, readVatId } from '../../platform/vat-ids/vat-ids.service.ts';
import { type CompanyProfile, insertCompany, selectCompanyForUpdate } from './companies.queries.ts';
import {
  type BillingSettingsRow,
  isCurrencyHeld,
  selectBillingSettings,
  updateBillingSettings,
} from './companies.settings.queries.ts';
import type { BillingSettings, BillingSettingsBody } from './companies.settings.schema.ts';
import { selectBillingSettingsOfMany, selectCompaniesForUpdate } from './companies.worker.queries.ts';

// What a company's own numbers have after the seller's prefix.
export { companyPrefix } from './companies.parts.queries.ts';
export type { CompanyProfile } from './companies.queries.ts';

/** What a customer, who has no company, shows in its place. */
export const EMPTY_COMPANY: CompanyProfile = { id: '', name: '', phone: '', address: '', describe: '', email: '' };

/** Creates a company with empty profile fields. @returns its id */
export async function createCompany(tx: Tx): Promise<string> {
  const companyId = uuidv7();
  await insertCompany(tx, companyId);
  return companyId;
}

/** Makes whoever else locks this company wait until the transaction ends. */
export async function lockCompany(tx: Tx, companyId: string): Promise<void> {
  await selectCompanyForUpdate(tx, companyId);
}

/** The same for many companies at once. */
export async function lockCompanies(tx: Tx, companyIds: readonly string[]): Promise<void> {
  await selectCompaniesForUpdate(tx, companyIds);
}

/** How the company is billed. @throws ApiError not_found */
export async function readBillingSettings(db: Queryable, companyId: string): Promise<BillingSettings> {
  const row = await selectBillingSettings(db, companyId);
  if (row === null) throw notFound('company');
  return toSettings(row);
}

/** How each of many companies is billed, by id; without those that are not there. */
export async function readBillingSettingsOfMany(
  db: Queryable,
  companyIds: readonly string[],
): Promise<BillingSettings[]> {
  return (await selectBillingSettingsOfMany(db, companyIds)).map(toSettings);
}

function toSettings(row: BillingSettingsRow): BillingSettings {
  const { lateUsageKind, lateUsageDays, taxId, country, sellerTaxId, ...settings } = row;
  const vatId = readVatId(taxId, country);
  return {
    ...settings,
    vatId,
    taxExempt: settings.exemptWithTaxId && freesOfTax(vatId, sellerTaxId),
    lateUsage: { kind: lateUsageKind, ...(lateUsageDays === null ? {} : { days: lateUsageDays }) },
  };
}

/** The rate, in percent, that an invoice of this company bears: none when it is exempt. */
export function taxRateToBill({ taxExempt, taxRate }: BillingSettings): string {
  return taxExempt ? '0' : taxRate;
}

/** Whether what it is billed without tax has to say that the buyer owes it. */
export function isReverseCharge({ taxExempt, vatId }: BillingSettings): boolean {
  return taxExempt && vatId?.form === 'good';
}

/**
 * Writes the given settings and answers with all of them. What was issued stays as it is.
 * @throws ApiError 400; not_found; currency_in_use, while the company has credit, or items that wait,
 *   in another one;
 *   number_prefix_taken
 */
export async function changeBillingSettings(
  tx: Tx,
  companyId: string,
  body: BillingSettingsBody,
): Promise<BillingSettings> {
  if (body.lateUsage?.kind === 'refuse' && body.lateUsage.days === undefined) {
    throw invalidField('lateUsage.days', 'is required with refuse');
  }
  // Whoever adds to the credit or takes from it holds this lock too.
  await lockCompany(tx, companyId);
  const { currency } = await readBillingSettings(tx, companyId);
  const isOther = body.currency !== undefined && body.currency !== currency;
  if (isOther && (await isCurrencyHeld(tx, companyId))) {
    throw new ApiError(
      'currency_in_use',
      `The company has credit in ${currency}, a payment holds some of it, or items wait for an invoice.`,
    );
  }
  await updateBillingSettings(tx, companyId, body).catch(refuseTakenPrefix);
  return readBillingSettings(tx, companyId);
}

function refuseTakenPrefix(error: unknown): never {
  if (violatedConstraint(error) !== 'companies_number_prefix_taken') throw error;
  throw new ApiError('number_prefix_taken', 'Another company has this prefix.', {
    details: [{ field: 'numberPrefix', message: 'is taken' }],
  });
}
