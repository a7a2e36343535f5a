import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { checkInstant } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { OPERATOR_ROLES, STAFF_ROLES } from '../../platform/operator-roles.ts';

const ROLES = '`viewer` can read. `finance` can also change payments and documents. `admin` can do everything.';

/** What one of the operator's people may do. */
export const staffRole = Type.Enum(STAFF_ROLES, { description: ROLES, examples: ['finance'] });

/** What an operator key may do. */
export const keyRole = Type.Enum(OPERATOR_ROLES, {
  description:
    `${ROLES} \`integration\` is for the backend of your product: companies with their invitations and sessions, usage, and to ` +
    'read prices and invoices.',
  examples: ['finance'],
});

const instantOrNull = (description: string, example: string | null) =>
  Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time', description, examples: [example] });

const fields = {
  id: uuid(),
  name: Type.String({
    description:
      'The name of the key. `first` is the name of the initial key, which is read from `OPERATOR_KEY` or the data directory.',
    examples: ['Ada'],
  }),
  role: keyRole,
  prefix: Type.String({ description: 'The first characters of the key.', examples: ['opk_Zm9vYmFy'] }),
  createdAt: timestamp(),
  lastUsedAt: instantOrNull(
    'When the key was last used, to the minute. Null until the first use.',
    '2026-10-01T00:00:00.000Z',
  ),
  expiresAt: instantOrNull('When the key expires. Null for a key that does not expire.', null),
};

export const OperatorKey = namedObject('OperatorKey', fields);
export type OperatorKey = Static<typeof OperatorKey>;

export const NewOperatorKey = namedObject('NewOperatorKey', {
  ...fields,
  key: Type.Optional(
    Type.String({
      description:
        'The key itself. It is shown only once, and a repeat with the same `Idempotency-Key` does not contain it.',
      examples: ['opk_…'],
    }),
  ),
});
export type NewOperatorKey = Static<typeof NewOperatorKey>;

export const OperatorKeyBody = namedObject('OperatorKeyBody', {
  name: text({ required: true, description: 'Who or what uses the key. The log shows the name.', examples: ['Ada'] }),
  role: keyRole,
  expiresAt: Type.Optional(
    Type.Unsafe<string | null>({
      ...text({ required: true, rule: checkInstant }),
      type: ['string', 'null'],
      description: 'When the key expires, which must be in the future. Null or absent for a key that does not expire.',
      examples: ['2099-12-31T00:00:00Z'],
    }),
  ),
});
export type OperatorKeyBody = Static<typeof OperatorKeyBody>;

export const OperatorKeyQuery = Type.Object(pageQuery);
export type OperatorKeyQuery = Static<typeof OperatorKeyQuery>;

export const OperatorKeyList = pageOf('OperatorKeyList', OperatorKey);
export type OperatorKeyList = Static<typeof OperatorKeyList>;
