import { constantPart, idList, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { BillingInformationBody } from './billing-information.schema.ts';

export type BillingInformationRow = {
  /** The answer as JSON text, without the fields computed from the two below. */
  json: string;
  zipCode: string;
  /** Null while the company has never had credit. */
  creditMinor: string | null;
  creditCurrency: string | null;
};

/** The columns and tables of a BillingInformationRow, of a row `billing` with the columns of the table. */
const informationOf = constantPart(
  (db) => db`
    SELECT json_build_object(
             'id', billing.id, 'companyId', billing.company_id,
             'paymentId', cards.id, 'paymentMethod', coalesce(cards.method, ''),
             'firstName', billing.first_name, 'lastName', billing.last_name, 'phoneNumber', billing.phone_number,
             'country', billing.country, 'address', billing.address, 'zipCode', billing.zip_code,
             'province', billing.province, 'city', billing.city, 'organization', billing.organization, 'taxId', billing.tax_id,
             'createdAt', iso_instant(billing.created_at), 'updatedAt', iso_instant(billing.updated_at)
           )::text AS json,
           billing.zip_code AS "zipCode",
           balance_minor::text AS "creditMinor", credit_balances.currency AS "creditCurrency"
    FROM billing
    LEFT JOIN credit_balances ON credit_balances.company_id = billing.company_id
    LEFT JOIN cards ON cards.company_id = billing.company_id AND cards.is_default AND cards.deleted_at IS NULL`,
);

/** The company's record with its default payment method and its credit; null when there is no such company. */
export async function selectBillingInformation(
  db: Queryable,
  companyId: string,
): Promise<BillingInformationRow | null> {
  const [row] = await db<BillingInformationRow[]>`
    WITH billing AS (SELECT * FROM billing_information WHERE company_id = ${companyId}) ${informationOf(db)}`;
  return row ?? null;
}

/** Writes the given fields. @returns what `selectBillingInformation` returns from then on */
export async function updateBillingInformation(
  tx: Tx,
  companyId: string,
  body: BillingInformationBody,
): Promise<BillingInformationRow | null> {
  const [row] = await tx<BillingInformationRow[]>`
    WITH billing AS (
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
      WHERE company_id = ${companyId}
      RETURNING *
    ) ${informationOf(tx)}`;
  return row ?? null;
}

export type BillingInformationChange = { id: string; changedBy: string; before: object; after: object };

/** Records a correction: the values before and after, and who made it. */
export async function insertBillingInformationChange(
  tx: Tx,
  companyId: string,
  { id, changedBy, before, after }: BillingInformationChange,
): Promise<void> {
  await tx`
    INSERT INTO billing_information_changes (company_id, id, changed_by, before, after)
    VALUES (${companyId}, ${id}, ${changedBy}, ${JSON.stringify(before)}::text::json, ${JSON.stringify(after)}::text::json)`;
}

/** The ids of a page of corrections, newest first, and how many there are; null when there is no such company. */
export async function selectBillingInformationChangeIds(
  db: Queryable,
  companyId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: string; ids: string[] } | null> {
  const [row] = await db<{ total: string; ids: string[] }[]>`
    SELECT (SELECT count(*) FROM billing_information_changes WHERE company_id = companies.id)::text AS total, (
      SELECT coalesce(json_agg(page.id ORDER BY page.id DESC), '[]')
      FROM (
        SELECT id FROM billing_information_changes
        WHERE company_id = ${companyId} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}
      ) AS page
    ) AS ids
    FROM companies WHERE companies.id = ${companyId}`;
  return row ?? null;
}

/** The corrections with these ids, newest first, each as JSON text. */
export async function selectBillingInformationChanges(
  db: Queryable,
  companyId: string,
  ids: readonly string[],
): Promise<{ id: string; json: string }[]> {
  return db<{ id: string; json: string }[]>`
    SELECT id, json_build_object('id', id, 'companyId', company_id, 'changedBy', changed_by, 'before', before, 'after', after,
                             'createdAt', iso_instant(created_at))::text AS json
    FROM billing_information_changes WHERE company_id = ${companyId} AND id = ANY(${idList(db, ids)})
    ORDER BY id DESC`;
}
