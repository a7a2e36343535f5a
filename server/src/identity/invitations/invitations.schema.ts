import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageNumber, pageSize, snakeCasePageOf } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { RoleId, RoleReference } from '../members/members.schema.ts';
import { emailAddress } from '../users/email-address.ts';

export const Invitation = namedObject('Invitation', {
  id: uuid(),
  email: Type.String({ format: 'email', examples: ['grace@example.com'] }),
  role: RoleReference,
  invited_by: namedObject('Inviter', {
    id: uuid('The id of the member; of the operator, that of its key or of the person, as in the audit log.'),
    name: Type.String({
      description: 'The name of the person. Where a key of the operator has sent the invitation, that of the seller.',
      examples: ['Ada Lovelace'],
    }),
  }),
  created_at: timestamp(),
  expires_at: timestamp('2026-10-08T00:00:00.000Z'),
});
export type Invitation = Static<typeof Invitation>;

export const InvitationBody = namedObject('InvitationBody', {
  email: emailAddress({ isKept: true }),
  role_id: RoleId,
});
export type InvitationBody = Static<typeof InvitationBody>;

export const InvitationQuery = Type.Object({ page: pageNumber(), per_page: pageSize() });
export type InvitationQuery = Static<typeof InvitationQuery>;

export const InvitationList = snakeCasePageOf('InvitationList', Invitation);
export type InvitationList = Static<typeof InvitationList>;
