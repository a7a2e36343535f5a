import type { Static } from 'typebox';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { text } from '../../../platform/http/schema/validation.ts';
import { RequestOptions, UsedPasskey } from '../../passkeys/passkeys.schema.ts';
import { AccountPassword } from '../../passwords/password.schema.ts';
import { MAX_TOKEN_LENGTH } from '../../secrets/secrets.ts';
import { AuthData } from '../../sessions/sessions.schema.ts';
import { emailAddress } from '../../users/email-address.ts';

export const LoginBody = namedObject('LogInBody', {
  email: emailAddress({ isKept: false }),
  password: AccountPassword,
});

const SecondFactorDemanded = namedObject('SecondFactorDemanded', {
  second_factor: Type.Object({
    token: Type.String({
      description:
        'The token to send to `POST /auth/local/second-factor`. It works for five minutes and five attempts.',
      examples: ['pXkq3U0cV1tq7p6h1yQ0m8u4eL2nW9rZb5sJdGfAoTc'],
    }),
    methods: Type.Array(Type.Enum(['totp', 'recovery_code', 'passkey'] as const), {
      description: 'The second factors that the user has.',
      examples: [['totp', 'recovery_code']],
    }),
    passkey_options: Type.Optional(RequestOptions),
  }),
});

const SecondFactorAnswer = Type.Object({ error: Type.Null(), data: SecondFactorDemanded });
export type SecondFactorAnswer = Static<typeof SecondFactorAnswer>;

/** The answer to a password: a session, or that a second factor is missing. */
export const LoginAnswer = namedObject('LoginAnswer', {
  error: Type.Null(),
  data: Type.Union([AuthData, SecondFactorDemanded]),
});

const TOKEN = 'pXkq3U0cV1tq7p6h1yQ0m8u4eL2nW9rZb5sJdGfAoTc';

export const SecondFactorBody = namedObject(
  'SecondFactorBody',
  {
    token: text({
      max: MAX_TOKEN_LENGTH,
      required: true,
      cardNumbers: 'allowed',
      description: 'The `data.second_factor.token` of the login.',
      examples: ['pXkq3U0cV1tq7p6h1yQ0m8u4eL2nW9rZb5sJdGfAoTc'],
    }),
    code: Type.Optional(
      text({
        required: true,
        cardNumbers: 'allowed',
        description:
          'The code that the authenticator app shows. Send exactly one of `code`, `recovery_code` and `passkey`.',
        examples: ['492039'],
      }),
    ),
    recovery_code: Type.Optional(
      text({ required: true, cardNumbers: 'allowed', examples: ['K5QWY3-DPEHPK-3PXPJB-SWY3DP'] }),
    ),
    passkey: Type.Optional(UsedPasskey),
  },
  { examples: [{ token: TOKEN, code: '492039' }] },
);
export type SecondFactorBody = Static<typeof SecondFactorBody>;

export const PasskeyLoginBody = namedObject('PasskeyLoginBody', { passkey: UsedPasskey });
