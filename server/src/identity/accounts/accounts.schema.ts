import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { patternRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { secretText, text } from '../../platform/http/schema/validation.ts';
import { brokenPasswordRules } from '../passwords/password.ts';

const ATOM = "[A-Za-z0-9_!#$%&'*+/=?^`{|}~\\-]+";
const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';
const EMAIL = `${ATOM}(?:[.]${ATOM})*@(?:${DOMAIN_LABEL}[.])+${DOMAIN_LABEL}`;

const emailOptions = {
  required: true,
  format: 'email',
  rule: patternRule(EMAIL, 'must be a valid e-mail address'),
  description: 'Compared without case.',
  examples: ['ada@example.com'],
};

const password = secretText({
  max: 256,
  format: 'password',
  rule: brokenPasswordRules,
  description:
    'Longer than 8 characters, at most 256 bytes, with an uppercase and a lowercase letter, a digit and a special character. A sign-up ' +
    'refuses common and breached ones too, and those made of the e-mail or the name.',
  examples: ['Correct-horse-7'],
});

export const SignUpBody = namedObject('SignUpBody', {
  first_name: text({ required: true, examples: ['Ada'] }),
  last_name: text({ required: true, examples: ['Lovelace'] }),
  email: text(emailOptions),
  password,
});
export type SignUpBody = Static<typeof SignUpBody>;

export const LoginBody = namedObject('LogInBody', {
  email: text({ ...emailOptions, cardNumbers: 'allowed' }),
  password,
});
export type LoginBody = Static<typeof LoginBody>;

const Flags = namedObject('PermissionFlags', { all: Type.Boolean(), view: Type.Boolean() });

const Permission = namedObject('Permissions', {
  platform: Type.Object({ applications: Flags, admins: Flags, roles: Flags, billing: Flags }),
  application: Type.Object({
    applications: Type.Null(),
    tickets: Flags,
    agents: Flags,
    customers: Flags,
    live_map: Flags,
    labels: Flags,
    settings: Flags,
  }),
});

const unset = (example = '') => Type.String({ description: 'Empty when unset.', examples: [example] });

export const UserProfile = namedObject('UserProfile', {
  id: Type.String({ format: 'uuid' }),
  first_name: Type.String({ examples: ['Ada'] }),
  last_name: Type.String({ examples: ['Lovelace'] }),
  phone: unset(),
  email: Type.String({ format: 'email', examples: ['ada@example.com'] }),
  country: unset(),
  city: unset(),
  avatar: unset(),
  company: namedObject('UserCompany', {
    id: Type.String({ description: 'Empty for a customer.', examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'] }),
    name: unset(),
    phone: unset(),
    address: unset(),
    describe: unset(),
    email: unset(),
  }),
  role: namedObject('UserRole', {
    name: Type.Enum(['Admin', 'Customer'] as const),
    description: Type.String(),
    category: Type.String({ examples: ['SYSTEM ROLE'] }),
    permission: Permission,
  }),
  address: Type.Null(),
  state: Type.Enum(['CARD_NOT_FOUND', 'ACTIVED'] as const, {
    description: 'An admin is CARD_NOT_FOUND until the company has a card; a customer is always ACTIVED.',
  }),
  language: unset(),
  timezone: unset(),
  default_app: unset(),
});
export type UserProfile = Static<typeof UserProfile>;

export const AuthAnswer = namedObject('AuthAnswer', {
  error: Type.Null(),
  data: Type.Object({
    access_token: Type.String({
      description: 'Send it as `Authorization: Bearer <access_token>`.',
      examples: ['eyJhbGciOiJFZERTQSIs…'],
    }),
    user: UserProfile,
  }),
});
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
