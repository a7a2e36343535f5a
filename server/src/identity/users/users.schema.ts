import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { STAFF_ROLES, type StaffRole } from '../../platform/operator-roles.ts';
import { UserRole } from '../roles/roles.schema.ts';

const unset = (example = '') =>
  Type.String({ description: 'The text is empty when the field is unset.', examples: [example] });

export const UserProfile = namedObject('UserProfile', {
  id: Type.String({ format: 'uuid' }),
  first_name: Type.String({ examples: ['Ada'] }),
  last_name: Type.String({ examples: ['Lovelace'] }),
  phone: unset(),
  email: Type.String({ format: 'email', examples: ['ada@example.com'] }),
  country: unset(),
  city: unset(),
  avatar: unset(),
  company: namedObject('UserCompany', {
    id: Type.String({
      description: 'The id of the company. Empty for a customer.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    }),
    name: unset(),
    phone: unset(),
    address: unset(),
    describe: unset(),
    email: unset(),
  }),
  role: UserRole,
  address: Type.Null(),
  state: Type.Enum(['CARD_NOT_FOUND', 'ACTIVED'] as const, {
    description:
      'The state of an admin is CARD_NOT_FOUND until the company has a card. The state of a customer is always ACTIVED.',
  }),
  language: unset(),
  timezone: unset(),
  default_app: unset(),
  email_verified: Type.Boolean({
    description: 'Whether the user has shown that the address is theirs, by a link in a mail.',
  }),
  staff_role: Type.Unsafe<StaffRole | null>({
    type: ['string', 'null'],
    enum: [...STAFF_ROLES, null],
    description: "The role of a member of the operator's staff. Null for all other users.",
    examples: [null],
  }),
  two_factor: Type.Boolean({ description: 'Whether a login needs a second factor.' }),
});
export type UserProfile = Static<typeof UserProfile>;
