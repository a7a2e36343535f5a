import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageNumber, pageSize, snakeCasePageOf } from '../../platform/http/schema/pagination.ts';
import { patternRule, UUID } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

/** The `role_id` of a body. */
export const RoleId = text({
  required: true,
  rule: patternRule(UUID, 'must be the id of a role'),
  description: 'A role of the company or of the system, except Customer.',
  examples: ['01900000-0000-7000-8000-000000000002'],
});

/** The role of a member, in short. */
export const RoleReference = namedObject('RoleReference', {
  id: uuid(),
  name: Type.String({ examples: ['Viewer'] }),
});

export const Member = namedObject('Member', {
  id: uuid('The id of the user.'),
  first_name: Type.String({ examples: ['Ada'] }),
  last_name: Type.String({ examples: ['Lovelace'] }),
  email: Type.String({ format: 'email', examples: ['ada@example.com'] }),
  role: RoleReference,
  email_verified: Type.Boolean(),
  two_factor: Type.Boolean({ description: 'Whether the member has a second factor.' }),
  created_at: timestamp(),
});
export type Member = Static<typeof Member>;

export const MemberBody = namedObject('MemberBody', { role_id: RoleId });

export const MemberQuery = Type.Object({ page: pageNumber(), per_page: pageSize() });
export type MemberQuery = Static<typeof MemberQuery>;

export const MemberList = snakeCasePageOf('MemberList', Member);
export type MemberList = Static<typeof MemberList>;
