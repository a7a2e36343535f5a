import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile, replacePrivateFile } from '../private-files.ts';

/**
 * The keys that Paydesk makes on its first start and keeps in `<DATA_DIR>/keys.json`, never in the database. Rotation
 * adds a key in front; older ones stay, so that what they signed is still understood. Processes that share the data
 * directory see a rotation within a second.
 */
export type Keyring = {
  /** Newest first. The first one signs; all of them verify. */
  signing: () => SigningKey[];
  /** The signing key of this id, after looking whether another process has just added it. */
  findSigningKey: (keyId: string) => SigningKey | undefined;
  /** HMAC-SHA256 of a card number with the newest fingerprint key. */
  fingerprint: (cardNumber: string) => { value: Buffer; keyVersion: number };
  /** HMAC-SHA256 of a request, for comparing it with a repeat without keeping it. */
  hashRequest: (text: string) => Buffer;
};

export type SigningKey = { keyId: string; privateKey: KeyObject; publicKey: KeyObject };

type KeyFile = {
  /** Ed25519 private keys in PKCS#8 PEM, newest first. */
  signing: { keyId: string; privateKey: string; createdAt: string }[];
  /** 32 random bytes each, newest first. */
  fingerprint: { version: number; secret: string; createdAt: string }[];
  request: string;
};

const RELOAD_INTERVAL_MS = 1_000;

/** Opens the keyring of a data directory, making it on the first start. */
export function openKeyring(dataDirectory: string): Keyring {
  const path = keyPath(dataDirectory);
  if (!existsSync(path)) {
    createPrivateFile(path, write(addKeys({ signing: [], fingerprint: [], request: newSecret() })));
  }
  let changedAtMs = statSync(path).mtimeMs;
  let keys = load(path);
  let lookedAtMs = performance.now();

  const reload = () => {
    lookedAtMs = performance.now();
    const modifiedMs = statSync(path).mtimeMs;
    if (modifiedMs === changedAtMs) return;
    keys = load(path);
    changedAtMs = modifiedMs;
  };
  const current = () => {
    if (performance.now() - lookedAtMs > RELOAD_INTERVAL_MS) reload();
    return keys;
  };

  return {
    signing: () => current().signing,
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
  };
}

/**
 * Adds a new signing key and a new fingerprint key in front of the old ones. Running servers take them up by themselves.
 * @throws Error when the data directory holds no keys yet
 */
export function rotateKeys(dataDirectory: string): { signingKeyId: string; fingerprintKeyVersion: number } {
  const path = keyPath(dataDirectory);
  if (!existsSync(path)) throw new Error(`There are no keys in ${dataDirectory} yet: the first start makes them.`);
  const file = addKeys(JSON.parse(readFileSync(path, 'utf8')) as KeyFile);
  replacePrivateFile(path, write(file));
  return { signingKeyId: file.signing[0]?.keyId ?? '', fingerprintKeyVersion: file.fingerprint[0]?.version ?? 0 };
}

function addKeys(file: KeyFile): KeyFile {
  const createdAt = new Date().toISOString();
  const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const version = (file.fingerprint[0]?.version ?? 0) + 1;
  return {
    ...file,
    signing: [{ keyId: randomUUID(), privateKey, createdAt }, ...file.signing],
    fingerprint: [{ version, secret: newSecret(), createdAt }, ...file.fingerprint],
  };
}

function load(path: string) {
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
  const fingerprint = file.fingerprint[0];
  if (fingerprint === undefined || file.signing.length === 0) throw new Error(`${path} holds no keys.`);
  return {
    signing: file.signing.map(({ keyId, privateKey: pem }) => {
      const privateKey = createPrivateKey(pem);
      return { keyId, privateKey, publicKey: createPublicKey(privateKey) };
    }),
    fingerprint: { version: fingerprint.version, secret: Buffer.from(fingerprint.secret, 'base64') },
    request: Buffer.from(file.request, 'base64'),
  };
}

function write(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function keyPath(dataDirectory: string): string {
  return join(dataDirectory, 'keys.json');
}

function newSecret(): string {
  return randomBytes(32).toString('base64');
}
