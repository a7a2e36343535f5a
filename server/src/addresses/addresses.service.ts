import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Queryable, Tx } from '../database/database.ts';
import { ApiError, invalidField, notFound } from '../errors.ts';
import {
  countAddresses,
  insertAddress,
  lockAddress,
  markAddressDeleted,
  selectAddresses,
  updateAddress,
} from './addresses.queries.ts';
import type { Address, AddressBody } from './addresses.schema.ts';

/** The list has no pages (specification 4.4), so it has a bound. */
const MAX_ADDRESSES = 1_000;

/** @throws ApiError limit_reached */
export async function createAddress(db: Queryable, companyId: string, body: AddressBody): Promise<Address> {
  if ((await countAddresses(db, companyId)) >= MAX_ADDRESSES) {
    throw new ApiError('limit_reached', `A company may have ${MAX_ADDRESSES} addresses.`);
  }
  return insertAddress(db, companyId, uuidv7(), body);
}

/** The company's addresses, newest first. */
export async function listAddresses(db: Queryable, companyId: string): Promise<Address[]> {
  return selectAddresses(db, companyId);
}

/** Writes the given fields. @throws ApiError not_found */
export async function changeAddress(db: Queryable, companyId: string, id: string, body: AddressBody): Promise<Address> {
  const address = await updateAddress(db, companyId, id, body);
  if (address === null) throw notFound('address');
  return address;
}

/** Takes an address off the list. A card that uses it keeps showing it. @throws ApiError not_found */
export async function removeAddress(db: Queryable, companyId: string, id: string): Promise<void> {
  if (!(await markAddressDeleted(db, companyId, id))) throw notFound('address');
}

/** Makes sure that `addressId` is a saved address of the company, and stays one until the transaction ends. @throws ApiError 400 */
export async function requireAddress(tx: Tx, companyId: string, addressId: string): Promise<void> {
  if (isUuid(addressId) && (await lockAddress(tx, companyId, addressId))) return;
  throw invalidField('addressId', 'must be the id of a saved address');
}
