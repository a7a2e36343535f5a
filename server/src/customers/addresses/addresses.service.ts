import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { writeList } from '../../platform/http/limits/batches.ts';
import type { Json, JsonParts } from '../../platform/http/schema/json.ts';
import { writerOf } from '../../platform/http/schema/serialization.ts';
import { lockCompany } from '../companies/companies.service.ts';
import { addressEvents } from './addresses.events.ts';
import {
  countAddresses,
  insertAddress,
  lockAddress,
  markAddressDeleted,
  selectAddresses,
  selectAddressIds,
  updateAddress,
} from './addresses.queries.ts';
import { Address, type AddressBody, type AddressList } from './addresses.schema.ts';

/** The list is not paged, so it is bounded. */
const MAX_ADDRESSES = 1_000;

const writeAddress = writerOf(Address);

/** Saves an address. @throws ApiError limit_reached */
export async function createAddress(tx: Tx, companyId: string, body: AddressBody): Promise<Address> {
  // Serializes parallel creates, so that each counts the other's address.
  await lockCompany(tx, companyId);
  if ((await countAddresses(tx, companyId)) >= MAX_ADDRESSES) {
    throw new ApiError('limit_reached', `A company can have at most ${MAX_ADDRESSES} addresses.`);
  }
  const address = await insertAddress(tx, companyId, uuidv7(), body);
  await addressEvents.record(tx, companyId, { type: 'address.created', data: address });
  return address;
}

/** The company's addresses, newest first. */
export async function listAddresses(
  db: Queryable,
  companyId: string,
): Promise<Json<typeof AddressList> | JsonParts<typeof AddressList>> {
  return writeList({
    head: null,
    limit: MAX_ADDRESSES,
    readFirst: (limit) => selectAddresses(db, companyId, { limit }),
    readIds: (limit) => selectAddressIds(db, companyId, limit),
    readItems: (ids) => selectAddresses(db, companyId, { limit: ids.length, ids }),
    write: writeAddress,
  });
}

/** The address, or null when the company has none with this id. */
export async function findAddress(db: Queryable, companyId: string, id: string): Promise<Address | null> {
  const [address] = await selectAddresses(db, companyId, { limit: 1, ids: [id] });
  return address ?? null;
}

/** Writes the given fields. @throws ApiError not_found */
export async function changeAddress(tx: Tx, companyId: string, id: string, body: AddressBody): Promise<Address> {
  const address = await updateAddress(tx, companyId, id, body);
  if (address === null) throw notFound('address');
  await addressEvents.record(tx, companyId, { type: 'address.updated', data: address });
  return address;
}

/** Deletes an address. A card that uses it keeps showing it. @throws ApiError not_found */
export async function removeAddress(tx: Tx, companyId: string, id: string): Promise<void> {
  const address = await markAddressDeleted(tx, companyId, id);
  if (address === null) throw notFound('address');
  await addressEvents.record(tx, companyId, { type: 'address.deleted', data: address });
}

/**
 * Checks that `addressId` is a saved address of the company, and locks it until the transaction ends. @throws ApiError
 * 400
 */
export async function requireAddress(tx: Tx, companyId: string, addressId: string): Promise<void> {
  if (isUuid(addressId) && (await lockAddress(tx, companyId, addressId))) return;
  throw invalidField('addressId', 'must be the id of a saved address');
}
