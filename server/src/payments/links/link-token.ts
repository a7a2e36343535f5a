import { timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import type { Keyring } from '../../platform/keys/keys.ts';

/** What the token of a link names. `id` is the link's: a link that replaces another one has a new id. */
export type LinkTarget = { companyId: string; invoiceId: string; id: string };

type Signer = Pick<Keyring, 'signLink'>;

const UUID_BYTES = 16;
const TARGET_CHARACTERS = 64;
/** A target of 48 bytes and an HMAC-SHA256, both in base64url. */
const TOKEN = /^[\w-]{64}\.[\w-]{43}$/;

/** Writes the token of a link: its target, and a signature over that. Nothing in the database is enough to make one. */
export function writeToken(signer: Signer, { companyId, invoiceId, id }: LinkTarget): string {
  const target = Buffer.concat([companyId, invoiceId, id].map((uuid) => parse(uuid))).toString('base64url');
  return `${target}.${signer.signLink(target).toString('base64url')}`;
}

/** Reads a token; null for one that this installation has not signed, in whichever of its characters it differs. */
export function readToken(signer: Signer, token: string): LinkTarget | null {
  if (!TOKEN.test(token)) return null;
  const target = token.slice(0, TARGET_CHARACTERS);
  const signed = `${target}.${signer.signLink(target).toString('base64url')}`;
  // The texts are compared, because the last character of a signature has bits that no byte has.
  if (!timingSafeEqual(Buffer.from(token), Buffer.from(signed))) return null;
  const bytes = Buffer.from(target, 'base64url');
  const [companyId = '', invoiceId = '', id = ''] = [0, 1, 2].map((place) => stringify(bytes, place * UUID_BYTES));
  return { companyId, invoiceId, id };
}
