import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile, whileLocked, writePrivateFile } from '../data-directory.ts';

/**
 * Where the keys are: in `keysFile`, else in `keys.json` of the data directory; or they are `keys` itself, the text of such a file, which
 * nobody can rotate in its place.
 */
export type KeySource = { dataDirectory: string; keysFile?: string | undefined; keys?: string | undefined };

/**
 * The keys that Paydesk makes on its first start and keeps in a file, never in the database. Rotation
 * adds a key in front; older ones stay, so that what they signed is still understood. Processes that share the data
 * directory see a rotation within a second. A new token-signing key is published at once and signs later, when nobody
 * remembers a key set without it.
 */
export type Keyring = {
  /** Tells these keys from those of another installation, and says nothing about them. Rotations leave it as it is. */
  identity: () => string;
  /** All that verify and are published, newest first. */
  signing: () => SigningKey[];
  /** The one that signs now: the newest whose time has come, or the oldest while none's has. */
  signingKey: () => SigningKey;
  /** The signing key of this id, after looking whether another process has just added it. */
  findSigningKey: (keyId: string) => SigningKey | undefined;
  /** HMAC-SHA256 of a card number with the newest fingerprint key. */
  fingerprint: (cardNumber: string) => { value: Buffer; keyVersion: number };
  /** HMAC-SHA256 of a request, for comparing it with a repeat without keeping it. */
  hashRequest: (text: string) => Buffer;
  /** HMAC-SHA256 of what a link to a page names, with which the link opens that page. Rotations leave it as it is. */
  signLink: (target: string) => Buffer;
  /** Encrypts what the database keeps but must not know (AES-256-GCM). `context` is bound to it as associated data. */
  seal: (text: string, context: string) => Buffer;
  /** @throws Error when it was sealed with another context, changed since, or with a key that is not there */
  unseal: (sealed: Uint8Array, context: string) => string;
};

export type SigningKey = { keyId: string; privateKey: KeyObject; publicKey: KeyObject; signsFromMs: number };

type KeyFile = {
  /** Ed25519 private keys in PKCS#8 PEM, newest first. */
  signing: { keyId: string; privateKey: string; createdAt: string; signsFrom: string }[];
  /** 32 random bytes each, newest first. */
  fingerprint: { version: number; secret: string; createdAt: string }[];
  /** The same. */
  sealing: { version: number; secret: string; createdAt: string }[];
  request: string;
};

/** How long a verifier may go on with the public keys that it has. */
export const KEY_SET_MAX_AGE_SECONDS = 300;

/** From a key's publication to its first signature: that age, and a minute for clocks that differ and processes that reload. */
const PUBLISHED_AHEAD_MS = (KEY_SET_MAX_AGE_SECONDS + 60) * 1_000;

const RELOAD_INTERVAL_MS = 1_000;

/** Whether there are keys in a place already. */
export function hasKeys(source: KeySource): boolean {
  return source.keys !== undefined || existsSync(keyPath(source));
}

/**
 * Opens the keyring of a place, or of a data directory, making it on the first start. `now` is the clock, in milliseconds since 1970.
 * @throws Error when what is there are no keys
 */
export function openKeyring(from: string | KeySource, now: () => number = Date.now): Keyring {
  const source = typeof from === 'string' ? { dataDirectory: from } : from;
  const path = keyPath(source);
  if (source.keys === undefined) prepareFile(path, now());
  const readVersion = () => (source.keys === undefined ? versionOf(path) : '');
  const read = () => (source.keys === undefined ? load(path, readFileSync(path, 'utf8')) : load('KEYS', source.keys));
  let version = readVersion();
  let keys = read();
  let readAtMs = performance.now();

  const reload = () => {
    readAtMs = performance.now();
    const found = readVersion();
    if (found === version) return;
    keys = read();
    version = found;
  };
  const current = () => {
    if (performance.now() - readAtMs > RELOAD_INTERVAL_MS) reload();
    return keys;
  };

  return {
    identity: () => createHmac('sha256', keys.request).update('paydesk: identity').digest('hex').slice(0, 32),
    signing: () => current().signing,
    signingKey: () => {
      const { signing, oldest } = current();
      return signing.find(({ signsFromMs }) => signsFromMs <= now()) ?? oldest;
    },
    findSigningKey: (keyId) => {
      const known = current().signing.find((key) => key.keyId === keyId);
      if (known !== undefined) return known;
      reload();
      return keys.signing.find((key) => key.keyId === keyId);
    },
    fingerprint: (cardNumber) => {
      const { version, secret } = current().fingerprint;
      return { value: createHmac('sha256', secret).update(cardNumber).digest(), keyVersion: version };
    },
    hashRequest: (text) => createHmac('sha256', current().request).update(text).digest(),
    signLink: (target) => createHmac('sha256', current().request).update(`paydesk: link ${target}`).digest(),
    seal: (text, context) => seal(newest(current().sealing), text, context),
    unseal: (sealed, context) => {
      const version = Buffer.from(sealed).readUInt32BE(0);
      const find = () => keys.sealing.find((key) => key.version === version);
      if (find() === undefined) reload();
      return unseal(find(), Buffer.from(sealed), context);
    },
  };
}

export type Rotation = { signingKeyId: string; signsFrom: string; fingerprintKeyVersion: number };

/**
 * Adds a new signing key, a new fingerprint key and a new key for secrets in front of the old ones. Running servers take them up by
 * themselves: the signing key at `signsFrom`, the others within a second. Rotations at the same time take turns.
 * @throws Error when there are no keys yet, or when they are the environment's
 */
export function rotateKeys(from: string | KeySource, nowMs = Date.now()): Rotation {
  const source = typeof from === 'string' ? { dataDirectory: from } : from;
  if (source.keys !== undefined) {
    throw new Error(
      'KEYS is set: write its text to a file, rotate that file with KEYS_FILE, and set KEYS to the new text.',
    );
  }
  const path = keyPath(source);
  if (!existsSync(path)) throw new Error(`There are no keys in ${path} yet: the first start creates them.`);
  return whileLocked(path, () => {
    const file = addKeys(parse(path, readFileSync(path, 'utf8')), nowMs, nowMs + PUBLISHED_AHEAD_MS);
    writePrivateFile(path, write(file));
    const { keyId = '', signsFrom = '' } = file.signing[0] ?? {};
    return { signingKeyId: keyId, signsFrom, fingerprintKeyVersion: file.fingerprint[0]?.version ?? 0 };
  });
}

function addKeys(file: KeyFile, nowMs: number, signsFromMs: number): KeyFile {
  const [createdAt, signsFrom] = [new Date(nowMs).toISOString(), new Date(signsFromMs).toISOString()];
  const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const version = (file.fingerprint[0]?.version ?? 0) + 1;
  const sealingVersion = (file.sealing[0]?.version ?? 0) + 1;
  return {
    ...file,
    signing: [{ keyId: randomUUID(), privateKey, createdAt, signsFrom }, ...file.signing],
    fingerprint: [{ version, secret: newSecret(), createdAt }, ...file.fingerprint],
    sealing: [{ version: sealingVersion, secret: newSecret(), createdAt }, ...file.sealing],
  };
}

function prepareFile(path: string, nowMs: number): void {
  if (existsSync(path)) {
    addSealingKey(path, nowMs);
    return;
  }
  const none: KeyFile = { signing: [], fingerprint: [], sealing: [], request: newSecret() };
  createPrivateFile(path, write(addKeys(none, nowMs, nowMs)));
}

/** A data directory may be older than what is encrypted. */
function addSealingKey(path: string, nowMs: number): void {
  const read = () => parse(path, readFileSync(path, 'utf8')) as Omit<KeyFile, 'sealing'> & Partial<KeyFile>;
  if (read().sealing !== undefined) return;
  whileLocked(path, () => {
    const file = read();
    const sealing = [{ version: 1, secret: newSecret(), createdAt: new Date(nowMs).toISOString() }];
    if (file.sealing === undefined) writePrivateFile(path, write({ ...file, sealing }));
  });
}

/** What JSON.parse says of a text would quote it. */
function parse(name: string, text: string): KeyFile {
  try {
    return JSON.parse(text) as KeyFile;
  } catch {
    throw new Error(`${name} contains no keys: it is not valid JSON.`);
  }
}

function load(name: string, text: string) {
  const file = parse(name, text);
  if (![file?.signing, file?.fingerprint, file?.sealing].every(Array.isArray) || typeof file.request !== 'string') {
    throw new Error(`${name} contains no keys.`);
  }
  const fingerprint = file.fingerprint[0];
  const signing = file.signing.map(({ keyId, privateKey: pem, signsFrom }): SigningKey => {
    const privateKey = createPrivateKey(pem);
    return { keyId, privateKey, publicKey: createPublicKey(privateKey), signsFromMs: Date.parse(signsFrom) };
  });
  const oldest = signing.at(-1);
  if (fingerprint === undefined || oldest === undefined) throw new Error(`${name} contains no keys.`);
  return {
    signing,
    oldest,
    fingerprint: { version: fingerprint.version, secret: readSecret(fingerprint.secret) },
    request: readSecret(file.request),
    sealing: file.sealing.map(({ version, secret }) => ({ version, secret: readSecret(secret) })),
  };
}

type SealingKey = { version: number; secret: KeyObject };

function newest(keys: SealingKey[]): SealingKey {
  const [key] = keys;
  if (key === undefined) throw new Error('There is no key to encrypt with.');
  return key;
}

const [VERSION_BYTES, NONCE_BYTES, TAG_BYTES] = [4, 12, 16];

/** The key's version, the nonce, the tag, and what is encrypted. */
function seal({ version, secret }: SealingKey, text: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const head = Buffer.alloc(VERSION_BYTES);
  head.writeUInt32BE(version);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), encrypted]);
}

function unseal(key: SealingKey | undefined, sealed: Buffer, context: string): string {
  if (key === undefined) throw new Error('The key that encrypted this value is not in the data directory.');
  const tagAt = VERSION_BYTES + NONCE_BYTES;
  const nonce = sealed.subarray(VERSION_BYTES, tagAt);
  const decipher = createDecipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
  return decipher.update(sealed.subarray(tagAt + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

/** Another text for every file that was ever put in this place, also for two within one tick of the file system's clock. */
function versionOf(path: string): string {
  const { ino, mtimeNs, size } = statSync(path, { bigint: true });
  return `${ino} ${mtimeNs} ${size}`;
}

function write(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function keyPath({ dataDirectory, keysFile }: KeySource): string {
  return keysFile ?? join(dataDirectory, 'keys.json');
}

function newSecret(): string {
  return randomBytes(32).toString('base64');
}

/** A key object is made ready once; of bytes Node would make one for each use. */
function readSecret(text: string): KeyObject {
  return createSecretKey(text, 'base64');
}
