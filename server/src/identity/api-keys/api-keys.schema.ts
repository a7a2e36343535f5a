import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { checkInstant } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageNumber, pageSize, snakeCasePageOf } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { Permissions, PermissionsBody } from '../roles/roles.schema.ts';
import { checkRange } from './addresses.ts';

const instantOrNull = (description: string, example: string | null) =>
  Type.Unsafe<Date | null>({ type: ['string', 'null'], format: 'date-time', description, examples: [example] });

const fields = {
  id: uuid(),
  name: Type.String({ examples: ['Ticket service'] }),
  prefix: Type.String({ description: 'The first characters of the key.', examples: ['pdk_Zm9vYmFy'] }),
  permission: Permissions,
  created_by: namedObject('ApiKeyCreator', {
    id: uuid(),
    name: Type.String({ description: 'The first and last name of the creator.', examples: ['Ada Lovelace'] }),
  }),
  created_at: timestamp(),
  last_used_at: instantOrNull(
    'When the key was last used, to the minute. Null until the first use.',
    '2026-10-01T00:00:00.000Z',
  ),
  expires_at: instantOrNull('When the key expires. Null for a key that does not expire.', null),
  allowed_ips: Type.Array(Type.String(), {
    description: 'The IP addresses and ranges that may use the key. An empty list stands for all addresses.',
    examples: [['192.0.2.7', '2001:db8::/32']],
  }),
};

export const ApiKey = namedObject('ApiKey', fields);
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = namedObject('NewApiKey', {
  ...fields,
  key: Type.Optional(
    Type.String({
      description:
        'The key itself. It is shown only once, and a repeat with the same `Idempotency-Key` does not contain it.',
      examples: ['pdk_…'],
    }),
  ),
});
export type NewApiKey = Static<typeof NewApiKey>;

export const ApiKeyBody = namedObject('ApiKeyBody', {
  name: text({
    required: true,
    description: 'Who or what uses the key. The audit log shows the name.',
    examples: ['Ticket service'],
  }),
  permission: PermissionsBody,
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      ...text({ required: true, rule: checkInstant }),
      type: ['string', 'null'],
      description: 'When the key expires, which must be in the future. Null or absent for a key that does not expire.',
      examples: ['2099-12-31T00:00:00Z'],
    }),
  ),
  allowed_ips: Type.Optional(
    Type.Array(text({ required: true, rule: checkRange, examples: ['192.0.2.7'] }), {
      maxItems: 100,
      description: 'The IP addresses and ranges (CIDR) that may use the key. Absent or empty stands for all addresses.',
    }),
  ),
});
export type ApiKeyBody = Static<typeof ApiKeyBody>;

export const ApiKeyQuery = Type.Object({ page: pageNumber(), per_page: pageSize() });
export type ApiKeyQuery = Static<typeof ApiKeyQuery>;

export const ApiKeyList = snakeCasePageOf('ApiKeyList', ApiKey);
export type ApiKeyList = Static<typeof ApiKeyList>;
