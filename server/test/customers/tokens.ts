import { type KeyObject, sign } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { openKeyring } from '../../src/platform/keys/keys.ts';
import type { TestService } from '../harness/service.ts';

export type TokenParts = { header: Record<string, unknown>; claims: Record<string, unknown> };

/** Reads the parts of a token without verifying it. */
export function readToken(token: string): TokenParts {
  return { header: { ...decodeProtectedHeader(token) }, claims: { ...decodeJwt(token) } };
}

/** Builds a token from these parts. The function makes the signature from the signing input. */
export function assembleToken({ header, claims }: TokenParts, makeSignature: (input: Buffer) => Buffer): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${makeSignature(Buffer.from(input)).toString('base64url')}`;
}

/** Signs with an Ed25519 key. */
export function signedBy(key: KeyObject): (input: Buffer) => Buffer {
  return (input) => sign(null, input, key);
}

/** The key with which the service signs, as somebody who stole its key file would read it. */
export function signingKeyOf({ config }: TestService): KeyObject {
  const [key] = openKeyring(config.dataDirectory).signing();
  if (key === undefined) throw new Error('The service has no signing key.');
  return key.privateKey;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
