import { constantPart, emptyPart, idList, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { Address, AddressBody } from './addresses.schema.ts';

const columns = constantPart(
  (db) => db`
    id, company_id AS "companyId", first_name AS "firstName", last_name AS "lastName", street_address AS "streetAddress",
    apt_number AS "aptNumber", state, country, zip_code AS "zipCode", created_at AS "createdAt", updated_at AS "updatedAt"`,
);

/** Inserts an address; absent fields are empty. */
export async function insertAddress(db: Queryable, companyId: string, id: string, body: AddressBody): Promise<Address> {
  const [row] = await db<[Address]>`
    INSERT INTO addresses (company_id, id, first_name, last_name, street_address, apt_number, state, country, zip_code)
    VALUES (${companyId}, ${id}, ${body.firstName ?? ''}, ${body.lastName ?? ''}, ${body.streetAddress ?? ''},
            ${body.aptNumber ?? ''}, ${body.state ?? ''}, ${body.country ?? ''}, ${body.zipCode ?? ''})
    RETURNING ${columns(db)}`;
  return row;
}

/** The company's addresses without the deleted ones, newest first: the first `limit`, or those with these ids. */
export async function selectAddresses(
  db: Queryable,
  companyId: string,
  { limit, ids = null }: { limit: number; ids?: readonly string[] | null },
): Promise<Address[]> {
  return db<Address[]>`
    SELECT ${columns(db)} FROM addresses
    WHERE company_id = ${companyId} AND deleted_at IS NULL ${ids === null ? emptyPart(db) : db`AND id = ANY(${idList(db, ids)})`}
    ORDER BY id DESC LIMIT ${limit}`;
}

/** The ids of the company's addresses without the deleted ones, newest first. */
export async function selectAddressIds(db: Queryable, companyId: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM addresses WHERE company_id = ${companyId} AND deleted_at IS NULL ORDER BY id DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** How many addresses the company has, without the deleted ones. */
export async function countAddresses(db: Queryable, companyId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM addresses WHERE company_id = ${companyId} AND deleted_at IS NULL`;
  return row.count;
}

/** Whether the address exists and is not deleted; locks it until the transaction ends. */
export async function lockAddress(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    SELECT 1 FROM addresses WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL FOR SHARE`;
  return rows.length === 1;
}

/** Writes the given fields; null when the company has no such address. */
export async function updateAddress(
  db: Queryable,
  companyId: string,
  id: string,
  body: AddressBody,
): Promise<Address | null> {
  const [row] = await db<Address[]>`
    UPDATE addresses
    SET first_name = coalesce(${body.firstName ?? null}, first_name),
        last_name = coalesce(${body.lastName ?? null}, last_name),
        street_address = coalesce(${body.streetAddress ?? null}, street_address),
        apt_number = coalesce(${body.aptNumber ?? null}, apt_number),
        state = coalesce(${body.state ?? null}, state),
        country = coalesce(${body.country ?? null}, country),
        zip_code = coalesce(${body.zipCode ?? null}, zip_code),
        updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
    RETURNING ${columns(db)}`;
  return row ?? null;
}

/** Marks the address deleted and returns it; null when the company has no such address. */
export async function markAddressDeleted(db: Queryable, companyId: string, id: string): Promise<Address | null> {
  const [row] = await db<Address[]>`
    UPDATE addresses SET deleted_at = now() WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
    RETURNING ${columns(db)}`;
  return row ?? null;
}
