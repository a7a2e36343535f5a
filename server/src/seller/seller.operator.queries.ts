import type { Queryable } from '../platform/database/database.ts';
import type { Seller, SellerBody } from './seller.schema.ts';

/** Reads the seller. */
export async function selectSeller(db: Queryable): Promise<Seller> {
  const [row] = await db<[Seller]>`
    SELECT name, address_lines AS "addressLines", tax_id AS "taxId", email, footer_text AS "footerText",
           legal_note AS "legalNote", updated_at AS "updatedAt"
    FROM seller`;
  return row;
}

/** Writes the given fields. */
export async function updateSeller(db: Queryable, body: SellerBody): Promise<void> {
  const addressLines = body.addressLines === undefined ? null : JSON.stringify(body.addressLines);
  await db`
    UPDATE seller
    SET name = coalesce(${body.name ?? null}, name), address_lines = coalesce(${addressLines}::text::json, address_lines),
        tax_id = coalesce(${body.taxId ?? null}, tax_id), email = coalesce(${body.email ?? null}, email),
        footer_text = coalesce(${body.footerText ?? null}, footer_text), legal_note = coalesce(${body.legalNote ?? null}, legal_note),
        updated_at = now()`;
}
