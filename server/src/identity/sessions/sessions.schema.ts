import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { Company } from '../companies/companies.schema.ts';
import { keyRole } from '../operators/operators.schema.ts';
import { Permissions } from '../roles/roles.schema.ts';
import { MAX_TOKEN_LENGTH } from '../secrets/secrets.ts';
import { UserProfile } from '../users/users.schema.ts';

export const AuthData = namedObject('AuthData', {
  access_token: Type.String({
    description: 'The access token. Send it as `Authorization: Bearer <access_token>`.',
    examples: ['eyJhbGciOiJFZERTQSIs…'],
  }),
  expires_in: Type.Integer({ description: 'How many seconds the access token is valid.', examples: [3600] }),
  refresh_token: Type.Optional(
    Type.String({
      description:
        'The token for `POST /auth/refresh`, which works once. Keep it secret, like a password. With `?session=` it is in a ' +
        'cookie instead.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40.kZ3v…'],
    }),
  ),
  user: UserProfile,
});

export const AuthAnswer = namedObject('AuthAnswer', { error: Type.Null(), data: AuthData });
export type AuthAnswer = Static<typeof AuthAnswer>;

const { access_token, expires_in, refresh_token } = AuthData.properties;

const CustomerSessionData = namedObject('CustomerSessionData', {
  access_token,
  expires_in,
  refresh_token,
  return_url: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The page of the operator’s product to lead back to. Null without one.',
    examples: ['https://app.example.com/settings/billing'],
  }),
  permission: Permissions,
  name: Type.String({
    description: 'The name of the user whom the product has named. Empty without one.',
    examples: ['Grace Hopper'],
  }),
});

/** The tokens of a customer session, which has no user. */
export const CustomerSessionAnswer = namedObject('CustomerSessionAnswer', {
  error: Type.Null(),
  data: CustomerSessionData,
});
export type CustomerSessionAnswer = Static<typeof CustomerSessionAnswer>;

const ConsoleSessionData = namedObject('ConsoleSessionData', {
  access_token,
  expires_in,
  operator: namedObject('ConsoleOperator', {
    id: uuid('The id of the operator key.'),
    name: Type.String({ description: 'The name of the operator key.', examples: ['Month end'] }),
    role: keyRole,
  }),
});

/** The tokens of an operator key's session in the console. */
export const ConsoleSessionAnswer = namedObject('ConsoleSessionAnswer', {
  error: Type.Null(),
  data: ConsoleSessionData,
});
export type ConsoleSessionAnswer = Static<typeof ConsoleSessionAnswer>;

/** The next access token of the operator's view of a company. */
const CompanyView = namedObject('CompanyView', {
  access_token,
  expires_in,
  company: namedObject('ViewedCompany', {
    id: uuid(),
    externalId: Company.properties.externalId,
    name: Company.properties.name,
    email: Company.properties.email,
  }),
});
export type CompanyView = Static<typeof CompanyView>;

/** A view as it begins. */
export const NewCompanyView = namedObject('NewCompanyView', {
  ...CompanyView.properties,
  access_token: Type.Optional(
    Type.String({
      description: 'The access token of the view. An answer that is repeated for an idempotency key does not have it.',
      examples: ['eyJhbGciOiJFZERTQSIs…'],
    }),
  ),
});

/** The next tokens of a session, be it of a user, of a customer, of an operator key, or the view of a company. */
export const RefreshAnswer = namedObject('RefreshAnswer', {
  error: Type.Null(),
  data: Type.Union([AuthData, CustomerSessionData, ConsoleSessionData, CompanyView]),
});
export type RefreshAnswer = Static<typeof RefreshAnswer>;

export const JwkSet = namedObject(
  'JwkSet',
  {
    keys: Type.Array(
      namedObject('Jwk', {
        kty: Type.String({ examples: ['OKP'] }),
        crv: Type.String({ examples: ['Ed25519'] }),
        x: Type.String({
          description: 'The public key in base64url.',
          examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
        }),
        kid: Type.String({
          description: 'The id of the key, as in the header of access tokens.',
          examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
        }),
        alg: Type.String({ examples: ['EdDSA'] }),
        use: Type.String({ examples: ['sig'] }),
      }),
    ),
  },
  { description: 'A JSON Web Key Set (RFC 7517).' },
);

export const RefreshBody = namedObject('RefreshBody', {
  refresh_token: Type.Optional(
    text({
      max: MAX_TOKEN_LENGTH,
      required: true,
      cardNumbers: 'allowed',
      description:
        'The refresh token of the last sign-up, login or refresh. Required without `?session=`, and ignored with it.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40.kZ3v…'],
    }),
  ),
});
export type RefreshBody = Static<typeof RefreshBody>;

export const SessionList = namedObject('SessionList', {
  error: Type.Null(),
  data: Type.Array(
    namedObject('Session', {
      id: uuid(),
      created_at: timestamp(),
      last_used_at: timestamp(),
      ip: Type.String({ description: 'The IP address that last used the session.', examples: ['203.0.113.7'] }),
      user_agent: Type.String({
        description: 'The `User-Agent` that last used the session, at most 255 characters. Empty if there was none.',
        examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
      }),
      current: Type.Boolean({ description: 'Whether the request belongs to this session.' }),
    }),
  ),
});
export type SessionList = Static<typeof SessionList>;
