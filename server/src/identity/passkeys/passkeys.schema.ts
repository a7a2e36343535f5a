import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { ConfirmingPassword } from '../checks/confirmation.ts';
import { FirstRecoveryCodes } from '../second-factor/second-factor.schema.ts';

/** Bytes in base64url, as a browser's `toJSON()` writes them. */
function bytes(max: number, example: string, description?: string) {
  return text({
    max,
    required: true,
    cardNumbers: 'allowed',
    examples: [example],
    ...(description ? { description } : {}),
  });
}

const ID = 'q7Qd0Zb3v2nU8yT6x1kz5A';
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwi…';

/** An id has at most 1,023 bytes. */
const MAX_ID = 1_400;
/** A key of RSA and the signature of itself have some 3,000. */
const MAX_DATA = 8_000;

const credential = {
  id: bytes(MAX_ID, ID),
  rawId: bytes(MAX_ID, ID, 'The same value as `id`.'),
  type: Type.Enum(['public-key'] as const),
};

/** What `navigator.credentials.create()` returns. */
export const NewPasskey = namedObject(
  'RegistrationResponseJSON',
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: bytes(MAX_DATA, CLIENT_DATA),
      attestationObject: bytes(MAX_DATA, 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVi…'),
      transports: Type.Optional(Type.Array(text({ required: true, examples: ['internal'] }), { maxItems: 10 })),
    }),
  },
  {
    description:
      'The new passkey, as its `toJSON()` returns it in the browser (`RegistrationResponseJSON` of WebAuthn).',
  },
);
export type NewPasskey = Static<typeof NewPasskey>;

/** What `navigator.credentials.get()` returns. */
export const UsedPasskey = namedObject(
  'AuthenticationResponseJSON',
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: bytes(MAX_DATA, CLIENT_DATA),
      authenticatorData: bytes(MAX_DATA, 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ'),
      signature: bytes(MAX_DATA, 'MEUCIQDY…'),
      userHandle: Type.Optional(text({ cardNumbers: 'allowed', examples: ['AZjy1Hweezqfw8jloS1QA'] })),
    }),
  },
  {
    description: 'The passkey, as its `toJSON()` returns it in the browser (`AuthenticationResponseJSON` of WebAuthn).',
  },
);
export type UsedPasskey = Static<typeof UsedPasskey>;

const name = text({
  required: true,
  examples: ["Ada's phone"],
  description: 'The name that the user gives the passkey.',
});

export const PasskeyOptionsBody = namedObject('PasskeyOptionsBody', { password: ConfirmingPassword });

export const CreatePasskeyBody = namedObject('CreatePasskeyBody', { name, passkey: NewPasskey });

export const UpdatePasskeyBody = namedObject('UpdatePasskeyBody', { name });

export const DeletePasskeyBody = namedObject('DeletePasskeyBody', { password: ConfirmingPassword });

const passkey = {
  id: uuid(),
  name: Type.String({ examples: ["Ada's phone"] }),
  created_at: timestamp(),
  last_used_at: Type.Union([timestamp(), Type.Null()], {
    description: 'When the passkey was last used for a login. Null until the first login.',
  }),
  backed_up: Type.Boolean({ description: 'Whether the authenticator has copied the passkey to other devices.' }),
};

const Passkey = namedObject('Passkey', passkey);

export const PasskeyAnswer = namedObject('PasskeyAnswer', { error: Type.Null(), data: Passkey });

export const PasskeyList = namedObject('PasskeyList', { error: Type.Null(), data: Type.Array(Passkey) });

export const PasskeyCreated = namedObject('PasskeyCreated', {
  error: Type.Null(),
  data: Type.Object({ ...passkey, recovery_codes: FirstRecoveryCodes }),
});

const Descriptors = Type.Array(
  namedObject('PublicKeyCredentialDescriptorJSON', {
    type: Type.String({ examples: ['public-key'] }),
    id: Type.String({ examples: [ID] }),
    transports: Type.Optional(Type.Array(Type.String({ examples: ['internal'] }))),
  }),
);

const challenge = Type.String({
  description: 'The challenge works once, for five minutes.',
  examples: ['hxE-XJds2cDjwHAibHqfQzFqy3GHC25wssVSqtKiMTQ'],
});
const timeout = Type.Integer({ description: 'The time limit in milliseconds.', examples: [300_000] });
const userVerification = Type.String({ examples: ['required'] });

const CreationOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>(
  namedObject(
    'PublicKeyCredentialCreationOptionsJSON',
    {
      rp: Type.Object({ name: Type.String({ examples: ['Paydesk'] }), id: Type.String({ examples: ['localhost'] }) }),
      user: Type.Object({
        id: Type.String({ examples: ['AZjy1Hweezqfw8jloS1QA'] }),
        name: Type.String({ examples: ['ada@example.com'] }),
        displayName: Type.String({ examples: ['Ada Lovelace'] }),
      }),
      challenge,
      pubKeyCredParams: Type.Array(
        Type.Object({ alg: Type.Integer({ examples: [-7] }), type: Type.String({ examples: ['public-key'] }) }),
      ),
      timeout,
      attestation: Type.String({ examples: ['none'] }),
      excludeCredentials: Descriptors,
      authenticatorSelection: Type.Object({
        residentKey: Type.String({ examples: ['required'] }),
        requireResidentKey: Type.Boolean(),
        userVerification,
      }),
      extensions: Type.Object({ credProps: Type.Boolean() }),
    },
    { description: 'The options for `PublicKeyCredential.parseCreationOptionsFromJSON()`.' },
  ),
);

export const RequestOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>(
  namedObject(
    'PublicKeyCredentialRequestOptionsJSON',
    {
      rpId: Type.String({ examples: ['localhost'] }),
      challenge,
      timeout,
      userVerification,
      allowCredentials: Type.Optional(Descriptors),
    },
    { description: 'The options for `PublicKeyCredential.parseRequestOptionsFromJSON()`.' },
  ),
);

export const PasskeyCreationAnswer = namedObject('PasskeyCreationAnswer', {
  error: Type.Null(),
  data: CreationOptions,
});

export const PasskeyRequestAnswer = namedObject('PasskeyRequestAnswer', { error: Type.Null(), data: RequestOptions });
