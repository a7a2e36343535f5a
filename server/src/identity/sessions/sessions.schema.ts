import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { MAX_TOKEN_LENGTH } from '../secrets/secrets.ts';
import { UserProfile } from '../users/users.schema.ts';

export const AuthData = namedObject('AuthData', {
  access_token: Type.String({
    description: 'Send it as `Authorization: Bearer <access_token>`.',
    examples: ['eyJhbGciOiJFZERTQSIs…'],
  }),
  expires_in: Type.Integer({ description: 'How many seconds the access token is valid.', examples: [3600] }),
  refresh_token: Type.Optional(
    Type.String({
      description:
        'Gets the next tokens from `POST /auth/refresh`, once. It is a secret, as a password is. With `?session=` it is in a cookie ' +
        'instead.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40.kZ3v…'],
    }),
  ),
  user: UserProfile,
});

export const AuthAnswer = namedObject('AuthAnswer', { error: Type.Null(), data: AuthData });
export type AuthAnswer = Static<typeof AuthAnswer>;

export const JwkSet = namedObject(
  'JwkSet',
  {
    keys: Type.Array(
      namedObject('Jwk', {
        kty: Type.String({ examples: ['OKP'] }),
        crv: Type.String({ examples: ['Ed25519'] }),
        x: Type.String({
          description: 'The public key, base64url.',
          examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'],
        }),
        kid: Type.String({
          description: 'As in the header of tokens.',
          examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
        }),
        alg: Type.String({ examples: ['EdDSA'] }),
        use: Type.String({ examples: ['sig'] }),
      }),
    ),
  },
  { description: 'RFC 7517.' },
);

export const RefreshBody = namedObject('RefreshBody', {
  refresh_token: Type.Optional(
    text({
      max: MAX_TOKEN_LENGTH,
      required: true,
      cardNumbers: 'allowed',
      description: 'From the last sign-up, login or refresh. Required without `?session=`, and ignored with it.',
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
      ip: Type.String({ description: 'Where it was last used from.', examples: ['203.0.113.7'] }),
      user_agent: Type.String({
        description: 'Of the program that last used it; at most 255 characters, empty when it has none.',
        examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
      }),
      current: Type.Boolean({ description: 'Whether the request belongs to this session.' }),
    }),
  ),
});
export type SessionList = Static<typeof SessionList>;
