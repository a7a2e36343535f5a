import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { Address, AddressBody, AddressList } from './addresses.schema.ts';
import { changeAddress, createAddress, findAddress, listAddresses, removeAddress } from './addresses.service.ts';

const tag = 'Addresses';
const resource = 'address';
const nameOf = ({ streetAddress }: { streetAddress?: unknown }) => streetAddress;

/** Saved postal addresses. */
export function registerAddressRoutes(app: FastifyInstance): void {
  route(app, {
    method: 'POST',
    url: '/payments/addresses',
    operationId: 'createAddress',
    tag,
    summary: 'Save an address',
    description: 'A company can have at most 1,000 addresses.',
    access: 'platform.billing.all',
    body: AddressBody,
    response: { 201: Address },
    errors: ['limit_reached'],
    idempotency: 'create',
    audit: { audience: 'company', action: 'address.created', name: nameOf },
    transaction: ({ companyId, body }, tx) => createAddress(tx, companyId, body),
  });
  route(app, {
    method: 'GET',
    url: '/payments/addresses',
    operationId: 'listAddresses',
    tag,
    summary: 'List addresses',
    description: 'The newest address comes first.',
    access: 'platform.billing.view',
    response: { 200: AddressList },
    errors: [],
    handler: ({ companyId }, db) => listAddresses(db, companyId),
  });
  route(app, {
    method: 'PUT',
    url: '/payments/addresses/:address_id',
    operationId: 'updateAddress',
    tag,
    summary: 'Change an address',
    description: 'Fields that are absent keep their values.',
    access: 'platform.billing.all',
    resource,
    body: AddressBody,
    response: { 200: Address },
    errors: [],
    audit: {
      audience: 'company',
      action: 'address.updated',
      name: nameOf,
      before: ({ companyId, ids }, tx) => findAddress(tx, companyId, ids.address_id),
    },
    transaction: ({ companyId, ids, body }, tx) => changeAddress(tx, companyId, ids.address_id, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/payments/addresses/:address_id',
    operationId: 'deleteAddress',
    tag,
    summary: 'Delete an address',
    description: 'Removes the address from the list. A card that uses the address still shows it.',
    access: 'platform.billing.all',
    resource,
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'company',
      action: 'address.deleted',
      name: nameOf,
      before: ({ companyId, ids }, tx) => findAddress(tx, companyId, ids.address_id),
    },
    transaction: async ({ companyId, ids }, tx) => {
      await removeAddress(tx, companyId, ids.address_id);
      return null;
    },
  });
}
