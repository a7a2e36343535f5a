/** A software authenticator: what a browser and a device do for a passkey (WebAuthn level 3). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type CreationOptions = { rp: { id: string }; user: { id: string }; challenge: string };
type RequestOptions = { rpId: string; challenge: string };

/** A passkey on the device. */
export type DevicePasskey = { id: Buffer; rpId: string; userHandle: string; privateKey: KeyObject; counter: number };

/** What an attacker, or a broken authenticator, does differently. */
export type Deviation = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  counter?: number;
  isPresent?: boolean;
  isVerified?: boolean;
  isBackupEligible?: boolean;
  isBackedUp?: boolean;
  /** Null leaves it out. */
  userHandle?: string | null;
  /** Instead of none; `self` is a signature by the passkey itself. */
  attestation?: 'self' | { fmt: string; attStmt: CborValue };
};

/** Makes a passkey. @returns it, and what the browser's `toJSON()` writes for the service */
export function makePasskey(
  origin: string,
  options: CreationOptions,
  deviation: Deviation = {},
  id: Buffer = randomBytes(32),
) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const device: DevicePasskey = { id, rpId: options.rp.id, userHandle: options.user.id, privateKey, counter: 0 };
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = new Map<CborValue, CborValue>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const attested = Buffer.concat([Buffer.alloc(16), length, id, toCbor(coseKey)]);
  const authData = Buffer.concat([head(device, deviation, 0x40), attested]);
  const client = clientData('webauthn.create', origin, options, deviation);
  const { attestation = { fmt: 'none', attStmt: new Map<CborValue, CborValue>() } } = deviation;
  const { fmt, attStmt } = attestation === 'self' ? attestItself(privateKey, authData, client) : attestation;
  const object: [CborValue, CborValue][] = [
    ['fmt', fmt],
    ['attStmt', attStmt],
    ['authData', authData],
  ];
  const response = {
    clientDataJSON: client.toString('base64url'),
    attestationObject: toCbor(new Map(object)).toString('base64url'),
    transports: ['internal', 'hybrid'],
  };
  return { device, passkey: { ...describe(device), response } };
}

function attestItself(privateKey: KeyObject, authData: Buffer, client: Buffer) {
  const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
  const statement: [CborValue, CborValue][] = [
    ['alg', -7],
    ['sig', sign('sha256', signed, privateKey)],
  ];
  return { fmt: 'packed', attStmt: new Map(statement) };
}

/** Signs a challenge. @returns what the browser's `toJSON()` writes for the service */
export function usePasskey(origin: string, device: DevicePasskey, options: RequestOptions, deviation: Deviation = {}) {
  device.counter += 1;
  const authenticatorData = head(device, deviation, 0);
  const clientDataJSON = clientData('webauthn.get', origin, options, deviation);
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
  const { userHandle = device.userHandle } = deviation;
  const response = {
    clientDataJSON: clientDataJSON.toString('base64url'),
    authenticatorData: authenticatorData.toString('base64url'),
    signature: sign('sha256', signed, device.privateKey).toString('base64url'),
    ...(userHandle === null ? {} : { userHandle }),
  };
  return { ...describe(device), response };
}

function describe({ id }: DevicePasskey) {
  const text = id.toString('base64url');
  return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform' };
}

function clientData(type: string, origin: string, options: { challenge: string }, deviation: Deviation): Buffer {
  const { challenge = options.challenge } = deviation;
  const data = { type: deviation.type ?? type, challenge, origin: deviation.origin ?? origin, crossOrigin: false };
  return Buffer.from(JSON.stringify(data));
}

/** The part of the authenticator data that is always there. */
function head(device: DevicePasskey, deviation: Deviation, moreFlags: number): Buffer {
  const { isPresent = true, isVerified = true, isBackupEligible = true, isBackedUp = true } = deviation;
  const flags = [isPresent, false, isVerified, isBackupEligible, isBackedUp].reduce(
    (sum, isSet, bit) => sum | (isSet ? 1 << bit : 0),
    moreFlags,
  );
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags);
  rest.writeUInt32BE(deviation.counter ?? device.counter, 1);
  const rpIdHash = createHash('sha256')
    .update(deviation.rpId ?? device.rpId)
    .digest();
  return Buffer.concat([rpIdHash, rest]);
}

export type CborValue = number | string | Buffer | CborValue[] | Map<CborValue, CborValue>;

/** Writes CBOR (RFC 8949), as far as attestations need it. */
function toCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([cborHead(4, value.length), ...value.map(toCbor)]);
  return Buffer.concat([cborHead(5, value.size), ...[...value].flat().map(toCbor)]);
}

function cborHead(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 255]);
}
