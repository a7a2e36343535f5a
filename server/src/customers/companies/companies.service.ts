import { v7 as uuidv7 } from 'uuid';
import { type Queryable, type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { readVatId, shiftsTaxToBuyer } from '../vat-ids/vat-ids.service.ts';
import { type CompanyProfile, insertCompany, selectCompanyForUpdate } from './companies.queries.ts';
import { type BillingSettingsRow, selectBillingSettings, updateBillingSettings } from './companies.settings.queries.ts';
import type { BillingSettings, BillingSettingsBody } from './companies.settings.schema.ts';
import { selectBillingSettingsOfMany, selectCompaniesForUpdate } from './companies.worker.queries.ts';

export type { CompanyProfile } from './companies.queries.ts';

/** Shown to a customer, who has no company. */
export const EMPTY_COMPANY: CompanyProfile = { id: '', name: '', phone: '', address: '', describe: '', email: '' };

/** Creates a company with empty profile fields and empty billing information. @returns its id */
export async function createCompany(tx: Tx): Promise<string> {
  const companyId = uuidv7();
  await insertCompany(tx, companyId, uuidv7());
  return companyId;
}

/** Locks the company until the transaction ends. @throws ApiError not_found */
export async function lockCompany(tx: Tx, companyId: string): Promise<void> {
  if (!(await selectCompanyForUpdate(tx, companyId))) throw notFound('company');
}

/** Locks many companies until the transaction ends; unknown ones are left out. */
export async function lockCompanies(tx: Tx, companyIds: readonly string[]): Promise<void> {
  await selectCompaniesForUpdate(tx, companyIds);
}

/** How the company is billed. @throws ApiError not_found */
export async function readBillingSettings(db: Queryable, companyId: string): Promise<BillingSettings> {
  const row = await selectBillingSettings(db, companyId);
  if (row === null) throw notFound('company');
  return toSettings(row);
}

/** How each of many companies is billed, by id; unknown ids are left out. */
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
    taxExempt: settings.exemptWithTaxId && shiftsTaxToBuyer(vatId, sellerTaxId),
    lateUsage: { kind: lateUsageKind, ...(lateUsageDays === null ? {} : { days: lateUsageDays }) },
  };
}

/** The tax rate of this company's invoices, in percent: "0" when it is exempt. */
export function taxRateToBill({ taxExempt, taxRate }: BillingSettings): string {
  return taxExempt ? '0' : taxRate;
}

/** Whether its invoices must say that the buyer owes the tax (reverse charge). */
export function isReverseCharge({ taxExempt, vatId }: BillingSettings): boolean {
  return taxExempt && vatId?.form === 'good';
}

/** Whether something of the company is in its currency, which then can't change. The payments, a later domain, hand it in. */
export type IsCurrencyInUse = (db: Queryable, companyId: string) => Promise<boolean>;

/**
 * Writes the given settings and returns all of them. Issued invoices do not change.
 * @throws ApiError 400; not_found; number_prefix_taken; currency_in_use while the company has credit or waiting items
 *   in another currency
 */
export async function changeBillingSettings(
  tx: Tx,
  companyId: string,
  body: BillingSettingsBody,
  isCurrencyInUse: IsCurrencyInUse,
): Promise<BillingSettings> {
  if (body.lateUsage?.kind === 'refuse' && body.lateUsage.days === undefined) {
    throw invalidField('lateUsage.days', 'is required if kind is refuse');
  }
  // Whoever adds or takes credit holds this lock too.
  await lockCompany(tx, companyId);
  const { currency } = await readBillingSettings(tx, companyId);
  const isOther = body.currency !== undefined && body.currency !== currency;
  if (isOther && (await isCurrencyInUse(tx, companyId))) {
    throw new ApiError(
      'currency_in_use',
      `The currency cannot change: the company has credit in ${currency}, a payment holds some of its credit, or items wait ` +
        'for an invoice.',
    );
  }
  await updateBillingSettings(tx, companyId, body).catch(refuseTakenPrefix);
  return readBillingSettings(tx, companyId);
}

function refuseTakenPrefix(error: unknown): never {
  if (violatedConstraint(error) !== 'companies_number_prefix_taken') throw error;
  throw new ApiError('number_prefix_taken', 'Another company has this number prefix.', {
    details: [{ field: 'numberPrefix', message: 'is taken' }],
  });
}
