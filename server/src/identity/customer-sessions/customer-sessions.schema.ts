import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { Permissions, SessionPermissionsBody } from '../roles/roles.schema.ts';
import { MAX_TOKEN_LENGTH } from '../secrets/secrets.ts';
import { emailAddress } from '../users/email-address.ts';

const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;
const MAX_URL_LENGTH = 2_000;

const USER_ID = 'user-42';
const RETURN_URL = 'https://app.example.com/settings/billing';

export const CustomerSessionBody = namedObject('CustomerSessionBody', {
  user: Type.Optional(
    namedObject('CustomerSessionUserBody', {
      id: text({ required: true, description: 'The id that your product has for the person.', examples: [USER_ID] }),
      name: Type.Optional(text({ examples: ['Ada Lovelace'] })),
      email: Type.Optional(emailAddress({ isKept: true })),
    }),
  ),
  permission: Type.Optional(SessionPermissionsBody),
  expiresIn: Type.Optional(
    Type.Integer({
      minimum: MIN_SECONDS,
      maximum: MAX_SECONDS,
      description: 'How many seconds the session lasts: an hour if absent.',
      examples: [3600],
    }),
  ),
  returnUrl: Type.Optional(
    text({
      max: MAX_URL_LENGTH,
      required: true,
      description:
        'A page of your product, to which the dashboard links back. Its origin is one of `PUT /operator/integration`.',
      examples: [RETURN_URL],
    }),
  ),
});
export type CustomerSessionBody = Static<typeof CustomerSessionBody>;

const EXPIRES_AT = timestamp('2026-10-01T01:00:00.000Z');

export const NewCustomerSession = namedObject('NewCustomerSession', {
  id: uuid(),
  token: Type.Optional(
    Type.String({
      description: 'The access token. A request that is repeated with its idempotency key gets no token.',
      examples: ['eyJhbGciOiJFZERTQSIs…'],
    }),
  ),
  expiresAt: EXPIRES_AT,
  url: Type.Optional(
    Type.String({
      description:
        'A link that opens the dashboard once, within five minutes of this request, with the permissions of the session. A request that ' +
        'is repeated with its idempotency key gets no link.',
      examples: ['https://billing.example.com/app/session#code=kZ3v…'],
    }),
  ),
});
export type NewCustomerSession = Static<typeof NewCustomerSession>;

export const CustomerSession = namedObject('CustomerSession', {
  id: uuid(),
  user: Type.Unsafe<{ id: string; name?: string; email?: string } | null>({
    type: ['object', 'null'],
    description: 'The person, as the request named them. Null if it named nobody.',
    properties: {
      id: { type: 'string', examples: [USER_ID] },
      name: { type: 'string', examples: ['Ada Lovelace'] },
      email: { type: 'string', examples: ['ada@example.com'] },
    },
    required: ['id'],
  }),
  permission: Permissions,
  returnUrl: Type.Unsafe<string | null>({ type: ['string', 'null'], examples: [RETURN_URL] }),
  key: Type.String({
    description: 'The name of the operator key, or of the one of the staff, that opened the session.',
    examples: ['Product'],
  }),
  createdAt: timestamp(),
  expiresAt: EXPIRES_AT,
});
export type CustomerSession = Static<typeof CustomerSession>;

export const SessionCodeBody = namedObject('SessionCodeBody', {
  code: text({
    max: MAX_TOKEN_LENGTH,
    required: true,
    cardNumbers: 'allowed',
    description: 'The `code` after the `#` of the `url` of a customer session.',
    examples: ['pXkq3U0cV1tq7p6h1yQ0m8u4eL2nW9rZb5sJdGfAoTc'],
  }),
});

export const CustomerSessionQuery = Type.Object(pageQuery);
export type CustomerSessionQuery = Static<typeof CustomerSessionQuery>;

export const CustomerSessionList = pageOf('CustomerSessionList', CustomerSession);
export type CustomerSessionList = Static<typeof CustomerSessionList>;
