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
  prefix: Type.String({ description: 'How the key begins.', examples: ['pdk_Zm9vYmFy'] }),
  permission: Permissions,
  created_by: namedObject('ApiKeyCreator', {
    id: uuid(),
    name: Type.String({ description: 'First and last name.', examples: ['Ada Lovelace'] }),
  }),
  created_at: timestamp(),
  last_used_at: instantOrNull('To the minute; null until it is used.', '2026-10-01T00:00:00.000Z'),
  expires_at: instantOrNull('From then on it is refused; null if never.', null),
  allowed_ips: Type.Array(Type.String(), {
    description: 'The addresses and ranges from which it is accepted; empty for all.',
    examples: [['192.0.2.7', '2001:db8::/32']],
  }),
};

export const ApiKey = namedObject('ApiKey', fields);
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = namedObject('NewApiKey', {
  ...fields,
  key: Type.Optional(
    Type.String({
      description: 'Shown once: a repeat with the same `Idempotency-Key` does not have it.',
      examples: ['pdk_…'],
    }),
  ),
});
export type NewApiKey = Static<typeof NewApiKey>;

export const ApiKeyBody = namedObject('ApiKeyBody', {
  name: text({ required: true, description: 'Who or what has it, for the audit log.', examples: ['Ticket service'] }),
  permission: PermissionsBody,
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      ...text({ required: true, rule: checkInstant }),
      type: ['string', 'null'],
      description: 'An instant in the future; null or absent for a key that does not expire.',
      examples: ['2099-12-31T00:00:00Z'],
    }),
  ),
  allowed_ips: Type.Optional(
    Type.Array(text({ required: true, rule: checkRange, examples: ['192.0.2.7'] }), {
      maxItems: 100,
      description: 'IP addresses and ranges in CIDR notation; absent or empty for all addresses.',
    }),
  ),
});
export type ApiKeyBody = Static<typeof ApiKeyBody>;

export const ApiKeyQuery = Type.Object({ page: pageNumber(), per_page: pageSize() });
export type ApiKeyQuery = Static<typeof ApiKeyQuery>;

export const ApiKeyList = snakeCasePageOf('ApiKeyList', ApiKey);
export type ApiKeyList = Static<typeof ApiKeyList>;
