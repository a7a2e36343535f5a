import { companyEmail } from '../../../identity/users/users.parts.queries.ts';
import { constantPart, type Part, type Queryable } from '../../../platform/database/database.ts';

/** The current Seller of an invoice as JSON. */
export const sellerSnapshot = constantPart(
  (db) => db`(
    SELECT json_build_object(
      'name', name, 'addressLines', address_lines, 'taxId', tax_id, 'email', email, 'footerText', footer_text, 'legalNote', legal_note
    )
    FROM seller
  )`,
);

/** The current Buyer of an invoice as JSON. A company without an e-mail has that of its first user. */
export function buyerSnapshot(db: Queryable, companyId: Part) {
  return db`(
    SELECT json_build_object(
      'organization', coalesce(nullif(buyer.organization, ''), companies.name),
      'firstName', buyer.first_name, 'lastName', buyer.last_name, 'address', buyer.address, 'zipCode', buyer.zip_code,
      'city', buyer.city, 'province', buyer.province, 'country', buyer.country, 'taxId', buyer.tax_id,
      'email', ${companyEmail(db)},
      'timezone', companies.timezone
    )
    FROM companies JOIN billing_information AS buyer ON buyer.company_id = companies.id
    WHERE companies.id = ${companyId}
  )`;
}
