import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { parse as parseUuid } from 'uuid';
import type { Config } from '../../platform/config/config.ts';

/** How long a challenge is good, in the database and in the browser. */
export const CHALLENGE_SECONDS = 5 * 60;

/** COSE identifiers of the signatures that WebAuthn recommends: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

const NAME = 'Paydesk';

/** The service as browsers know it: its origin, and the host name that passkeys are bound to. */
export type RelyingParty = { id: string; origin: string };

/** Of `PUBLIC_URL` alone, never of a header. */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { hostname: id, origin } = new URL(publicUrl);
  return { id, origin };
}

/** What the authenticator gives back with each passkey, so that it names its user: the bytes of the id. */
export function userHandleOf(userId: string): string {
  return Buffer.from(parseUuid(userId)).toString('base64url');
}

/** A passkey as a browser is told of it. */
export type KnownCredential = { credentialId: Buffer; transports: string[] };

/** Loaded at the first passkey, because it takes longer than the rest of the start. */
const load = () => import('@simplewebauthn/server');

/** What a browser needs for making a passkey. The authenticator keeps it, and verifies the user. */
export async function creationOptions(
  { id: rpID }: RelyingParty,
  user: { id: string; email: string; name: string },
  challenge: Buffer,
  known: readonly KnownCredential[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID,
    userID: Uint8Array.from(parseUuid(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: Uint8Array.from(challenge),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(describeCredential),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** What a browser needs for using a passkey: one of these, or with null any that it has for this service. */
export async function requestOptions(
  { id: rpID }: RelyingParty,
  challenge: Buffer,
  allowed: readonly KnownCredential[] | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID,
    challenge: Uint8Array.from(challenge),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'required',
    ...(allowed === null ? {} : { allowCredentials: allowed.map(describeCredential) }),
  });
}

function describeCredential({ credentialId, transports }: KnownCredential) {
  // The library's type names the transports of today; browsers ignore those that they do not know.
  return { id: credentialId.toString('base64url'), transports: transports as 'usb'[] };
}

/** The challenge that the browser says it signed; null when its data is malformed. */
export function readChallenge(clientDataJSON: string): Buffer | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? Buffer.from(challenge, 'base64url') : null;
  } catch {
    return null;
  }
}

/** A new passkey, as it is kept. */
export type Credential = KnownCredential & {
  publicKey: Buffer;
  counter: number;
  isBackupEligible: boolean;
  isBackedUp: boolean;
};

/** Verifies a new passkey (WebAuthn level 3, 7.1). Null for one that breaks a rule. */
export async function verifyRegistration(
  relyingParty: RelyingParty,
  passkey: RegistrationResponseJSON,
  challenge: Buffer,
): Promise<Credential | null> {
  if (await hasCertificates(passkey)) return null;
  const { verifyRegistrationResponse } = await load();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: passkey,
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse);
  if (registrationInfo === undefined) return null;
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
  // The id is signed within the attestation, and what the browser says beside it is not.
  if (credential.id !== passkey.id) return null;
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: passkey.response.transports ?? [],
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  };
}

/**
 * Whether the attestation comes with certificates. Browsers send none, because the options ask for none; and the library would ask their
 * issuers over the network whether they are revoked.
 */
async function hasCertificates({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const object = decodeAttestationObject(Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')));
    const format = object.get('fmt');
    return (format !== 'none' && format !== 'packed') || object.get('attStmt').get('x5c') !== undefined;
  } catch {
    return true;
  }
}

/**
 * Verifies a signature by a passkey (WebAuthn level 3, 7.2). A counter that does not go on is refused: the passkey may have been copied.
 * @returns what has changed of it; null for a signature that breaks a rule
 */
export async function verifySignature(
  relyingParty: RelyingParty,
  passkey: AuthenticationResponseJSON,
  challenge: Buffer,
  { credentialId, publicKey, counter, isBackupEligible }: Credential,
): Promise<Pick<Credential, 'counter' | 'isBackedUp'> | null> {
  const { verifyAuthenticationResponse } = await load();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: passkey,
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    credential: { id: credentialId.toString('base64url'), publicKey: Uint8Array.from(publicKey), counter },
  }).catch(refuse);
  if (!verified || authenticationInfo === undefined) return null;
  const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
  if ((credentialDeviceType === 'multiDevice') !== isBackupEligible) return null;
  return { counter: newCounter, isBackedUp: credentialBackedUp };
}

/** The library throws for every rule that is broken. */
function refuse(): { verified: false; registrationInfo?: undefined; authenticationInfo?: undefined } {
  return { verified: false };
}
