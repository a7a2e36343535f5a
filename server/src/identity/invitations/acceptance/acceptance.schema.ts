import type { Static } from 'typebox';
import { timestamp } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { secretText, text } from '../../../platform/http/schema/validation.ts';
import { AccountPassword } from '../../passwords/password.schema.ts';
import { MAX_TOKEN_LENGTH } from '../../secrets/secrets.ts';

export const OpenInvitation = namedObject('OpenInvitation', {
  error: Type.Null(),
  data: Type.Object({
    company: Type.Object({
      name: Type.String({
        description: 'The name of the company. Empty when the company has no name.',
        examples: ['Analytical Engines Ltd'],
      }),
    }),
    invited_by: Type.Object({ name: Type.String({ examples: ['Ada Lovelace'] }) }),
    email: Type.String({ format: 'email', examples: ['grace@example.com'] }),
    staff: Type.Boolean({
      description: 'Whether the operator invites to its staff. The names above are what the inviter has chosen.',
      examples: [false],
    }),
    role: Type.Object({ name: Type.String({ examples: ['Viewer'] }) }),
    expires_at: timestamp('2026-10-08T00:00:00.000Z'),
  }),
});
export type OpenInvitation = Static<typeof OpenInvitation>;

const NEEDED = 'Required without an access token, and ignored with one.';

export const AcceptanceBody = namedObject('AcceptanceBody', {
  token: secretText({
    max: MAX_TOKEN_LENGTH,
    description: 'The token of the link in the mail.',
    examples: ['dGhlIGxpbmsgaW4gdGhlIG1haWwgaGFzIHRoZSB0b2tlbg'],
  }),
  first_name: Type.Optional(text({ required: true, description: NEEDED, examples: ['Grace'] })),
  last_name: Type.Optional(text({ required: true, description: NEEDED, examples: ['Hopper'] })),
  password: Type.Optional(AccountPassword),
});
export type AcceptanceBody = Static<typeof AcceptanceBody>;
