import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { named, namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const field = (example: string) => Type.Optional(text({ examples: [example] }));

/** The body of create and update. On update, absent fields keep their values. */
export const AddressBody = namedObject('AddressBody', {
  firstName: field('Ada'),
  lastName: field('Lovelace'),
  streetAddress: field('12 St James Square'),
  aptNumber: field('4'),
  state: field('London'),
  zipCode: field('SW1Y 4JH'),
  country: field('GB'),
});
export type AddressBody = Static<typeof AddressBody>;

export const Address = namedObject('Address', {
  id: uuid(),
  ...companyIds,
  firstName: Type.String({ examples: ['Ada'] }),
  lastName: Type.String({ examples: ['Lovelace'] }),
  streetAddress: Type.String({ examples: ['12 St James Square'] }),
  aptNumber: Type.String({ examples: ['4'] }),
  state: Type.String({ examples: ['London'] }),
  country: Type.String({ examples: ['GB'] }),
  zipCode: Type.String({ examples: ['SW1Y 4JH'] }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type Address = Static<typeof Address>;

export const AddressList = named('AddressList', Type.Array(Address));
