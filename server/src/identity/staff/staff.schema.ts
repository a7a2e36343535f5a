import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { staffRole } from '../operators/operators.schema.ts';
import { emailAddress } from '../users/email-address.ts';

export const Staff = namedObject('Staff', {
  id: uuid('The id of the account, which is also the id of the invitation.'),
  email: Type.String({ format: 'email', examples: ['ada@example.com'] }),
  role: staffRole,
  status: Type.Enum(['invited', 'active'] as const, { examples: ['active'] }),
  createdAt: timestamp(),
});
export type Staff = Static<typeof Staff>;

export const StaffBody = namedObject('StaffBody', {
  email: emailAddress({ isKept: true }),
  role: staffRole,
});
export type StaffBody = Static<typeof StaffBody>;

export const StaffRoleBody = namedObject('StaffRoleBody', { role: staffRole });

export const StaffQuery = Type.Object(pageQuery);
export type StaffQuery = Static<typeof StaffQuery>;

export const StaffList = pageOf('StaffList', Staff);
export type StaffList = Static<typeof StaffList>;
