import type { Queryable, Tx } from '../database/database.ts';
import type { BillingInformationBody } from './billing-information.schema.ts';

export type BillingInformationRow = {
  /** What the answer shows, but for what follows from the two below, as JSON text. */
  json: string;
  zipCode: string;
  /** Null while the company never had any. */
  creditMinor: string | null;
  creditCurrency: string | null;
};

/** Inserts the company's one record, empty. */
export async function insertBillingInformation(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx`INSERT INTO billing_information (company_id, id) VALUES (${companyId}, ${id})`;
}

/** The company's record with its default card and its credit, or null when there is no such company. */
export async function selectBillingInformation(
  db: Queryable,
  companyId: string,
): Promise<BillingInformationRow | null> {
  const [row] = await db<BillingInformationRow[]>`
    SELECT billing_information_json(billing, cards)::text AS json, billing.zip_code AS "zipCode",
           balance_minor::text AS "creditMinor", credit_balances.currency AS "creditCurrency"
    FROM billing_information AS billing
    LEFT JOIN credit_balances ON credit_balances.company_id = billing.company_id
    LEFT JOIN cards ON cards.company_id = billing.company_id AND cards.is_default AND cards.deleted_at IS NULL
    WHERE billing.company_id = ${companyId}`;
  return row ?? null;
}

/** Writes the given fields. */
export async function updateBillingInformation(tx: Tx, companyId: string, body: BillingInformationBody): Promise<void> {
  await tx`
    UPDATE billing_information
    SET first_name = coalesce(${body.firstName ?? null}, first_name),
        last_name = coalesce(${body.lastName ?? null}, last_name),
        phone_number = coalesce(${body.phoneNumber ?? null}, phone_number),
        country = coalesce(${body.country ?? null}, country),
        address = coalesce(${body.address ?? null}, address),
        zip_code = coalesce(${body.zipCode ?? null}, zip_code),
        province = coalesce(${body.province ?? null}, province),
        city = coalesce(${body.city ?? null}, city),
        organization = coalesce(${body.organization ?? null}, organization),
        tax_id = coalesce(${body.taxId ?? null}, tax_id),
        updated_at = now()
    WHERE company_id = ${companyId}`;
}
