import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

/** The company as the operator and events show it. */
export const Company = namedObject('Company', {
  id: uuid(),
  externalId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'The id that the operator’s product gives the company, unique in the installation. Null until it is set.',
    examples: ['acme'],
  }),
  name: Type.String({ examples: ['Analytical Engines Ltd'] }),
  phone: Type.String(),
  address: Type.String(),
  describe: Type.String(),
  email: Type.String({
    description:
      'The e-mail address of the company. If it has none, the address of its first admin. Empty without either.',
    examples: ['ada@example.com'],
  }),
  metadata: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'Texts that the operator keeps with the company. Members cannot read them, but the webhook endpoints ' +
      'of the company get them.',
    examples: [{ plan: 'pro' }],
  }),
  disabled: Type.Boolean({
    description: 'Whether the company is disabled: its members and API keys can read, but not change anything.',
    examples: [false],
  }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type Company = Static<typeof Company>;
