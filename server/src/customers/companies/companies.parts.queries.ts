import { constantPart, type Queryable } from '../../platform/database/database.ts';

/**
 * The company's own prefix, which follows the seller's in document numbers while each company has its own series. Reads
 * the row of `companies`.
 */
export function companyPrefix(db: Queryable) {
  return db`coalesce(companies.number_prefix, upper(right(companies.id::text, 12)) || '-')`;
}

/** What the operator can set of a company, beside how it is billed. Its own e-mail is among the fields, not that of a member. */
export type CompanyFields = {
  externalId: string | null;
  name: string;
  phone: string;
  address: string;
  describe: string;
  email: string;
  metadata: Record<string, string>;
  disabled: boolean;
};

export type CompanyWithFields = CompanyFields & { id: string };

/** The columns of `CompanyWithFields`, of a row of `companies`. */
export const fieldColumns = constantPart(
  (db) => db`
    id, external_id AS "externalId", name, phone, address, describe, email, metadata, disabled_since IS NOT NULL AS disabled`,
);

/** The columns of `BillingSettingsRow`, from a row of `companies` with its `billing_information`. */
export function settingsColumns(db: Queryable) {
  return db`
    companies.id AS "companyId", billing_currency AS currency, trim_scale(tax_rate)::text AS "taxRate",
    exempt_with_tax_id AS "exemptWithTaxId", coalesce(billing_information.tax_id, '') AS "taxId",
    coalesce(billing_information.country, '') AS country, (SELECT tax_id FROM seller) AS "sellerTaxId", timezone,
    late_usage_kind AS "lateUsageKind", late_usage_days AS "lateUsageDays", invoice_grace_hours AS "invoiceGraceHours",
    collection, collects_automatically(companies.id, 'Card', billing_currency) AS "collectsAutomatically", net_days AS "netDays",
    dunning_days AS "dunningDays", payment_method AS "paymentMethod", invoice_method(companies.id) AS "invoiceMethod",
    ${companyPrefix(db)} AS "numberPrefix"`;
}
