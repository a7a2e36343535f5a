import type { Tx } from '../../platform/database/database.ts';
import { type CompanyFields, type CompanyWithFields, fieldColumns } from './companies.parts.queries.ts';

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

/**
 * Inserts a company with these fields, and its one record of billing information, empty.
 * @returns the time of creation; null when another company has the external id
 */
export async function insertCompanyWith(
  tx: Tx,
  companyId: string,
  { externalId, metadata, disabled, ...profile }: CompanyFields,
  billingInformationId: string,
): Promise<Date | null> {
  const [row] = await tx<{ createdAt: Date }[]>`
    WITH company AS (
      INSERT INTO companies (id, external_id, name, phone, address, describe, email, metadata, disabled_since)
      VALUES (${companyId}, ${externalId}, ${profile.name}, ${profile.phone}, ${profile.address}, ${profile.describe}, ${profile.email},
              ${JSON.stringify(metadata)}::text::jsonb, CASE WHEN ${disabled} THEN now() END)
      ON CONFLICT (external_id) DO NOTHING
      RETURNING id, created_at
    ), billing AS (
      INSERT INTO billing_information (company_id, id) SELECT id, ${billingInformationId} FROM company
    )
    SELECT created_at AS "createdAt" FROM company`;
  return row?.createdAt ?? null;
}

/** Writes these fields of a company. @throws PostgresError on the constraint `companies_external_id_taken` */
export async function updateCompanyFields(
  tx: Tx,
  companyId: string,
  { externalId, metadata, disabled, ...profile }: CompanyFields,
): Promise<void> {
  await tx`
    UPDATE companies
    SET external_id = ${externalId}, name = ${profile.name}, phone = ${profile.phone}, address = ${profile.address},
        describe = ${profile.describe}, email = ${profile.email}, metadata = ${JSON.stringify(metadata)}::text::jsonb,
        disabled_since = CASE WHEN ${disabled} THEN coalesce(disabled_since, now()) END, updated_at = now()
    WHERE id = ${companyId}`;
}

/** Locks a company. @returns it; null when there is none */
export async function lockCompanyWithFields(tx: Tx, companyId: string): Promise<CompanyWithFields | null> {
  const [row] = await tx<CompanyWithFields[]>`
    SELECT ${fieldColumns(tx)} FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
  return row ?? null;
}

/** Locks the company's row; rows that refer to it can still be inserted. @returns whether there is one */
export async function selectCompanyForUpdate(tx: Tx, companyId: string): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/**
 * Writes a company as the journal has it, whose columns an older version may lack. Its external id and its members do not come from there,
 * and the prefix of its numbers only if nobody else has it by now.
 */
export async function restoreCompanyRows(tx: Tx, companyId: string, document: string): Promise<void> {
  await tx`
    UPDATE companies
    SET name = was.name, phone = was.phone, address = was.address, describe = was.describe, email = was.email, metadata = was.metadata,
        disabled_since = was.disabled_since, created_at = was.created_at, billing_currency = was.billing_currency,
        tax_rate = was.tax_rate, exempt_with_tax_id = was.exempt_with_tax_id, timezone = was.timezone,
        late_usage_kind = was.late_usage_kind, late_usage_days = was.late_usage_days, invoice_grace_hours = was.invoice_grace_hours,
        collection = was.collection, net_days = was.net_days, dunning_days = was.dunning_days, payment_method = was.payment_method,
        number_prefix = CASE WHEN NOT EXISTS (SELECT FROM companies AS other WHERE other.number_prefix = was.number_prefix)
                             THEN was.number_prefix END
    FROM companies AS made, json_populate_record(made, ${document}::text::json -> 'company') AS was
    WHERE made.id = ${companyId} AND companies.id = made.id`;
  await tx`
    UPDATE billing_information
    SET id = was.id, first_name = was.first_name, last_name = was.last_name, phone_number = was.phone_number, country = was.country,
        address = was.address, zip_code = was.zip_code, province = was.province, city = was.city, organization = was.organization,
        tax_id = was.tax_id, created_at = was.created_at
    FROM billing_information AS made, json_populate_record(made, ${document}::text::json -> 'billingInformation') AS was
    WHERE made.company_id = ${companyId} AND billing_information.company_id = made.company_id`;
  await tx`
    INSERT INTO addresses
    SELECT was.* FROM json_populate_recordset(NULL::addresses, ${document}::text::json -> 'addresses') AS was`;
}
