import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { RoleReference } from '../members/members.schema.ts';
import { emailAddress } from '../users/email-address.ts';

export const OperatorInvitation = namedObject('OperatorInvitation', {
  id: uuid(),
  ...companyIds,
  email: Type.String({ format: 'email', examples: ['grace@example.com'] }),
  role: RoleReference,
  invitedBy: namedObject('OperatorInviter', {
    id: uuid('The id of the operator key, of the person of the staff or of the member, as in the audit log.'),
    name: Type.String({ examples: ['Our backend'] }),
  }),
  createdAt: timestamp(),
  expiresAt: timestamp('2026-10-08T00:00:00.000Z'),
});
export type OperatorInvitation = Static<typeof OperatorInvitation>;

export const OperatorInvitationBody = namedObject('OperatorInvitationBody', {
  email: emailAddress({ isKept: true }),
  role: Type.Optional(
    text({
      required: true,
      description:
        'The name of a role of the system or of the company, without case, except Customer. Admin when absent.',
      examples: ['Admin'],
    }),
  ),
});
export type OperatorInvitationBody = Static<typeof OperatorInvitationBody>;

export const OperatorInvitationQuery = Type.Object(pageQuery);
export type OperatorInvitationQuery = Static<typeof OperatorInvitationQuery>;

export const OperatorInvitationList = pageOf('OperatorInvitationList', OperatorInvitation);
export type OperatorInvitationList = Static<typeof OperatorInvitationList>;
