import type { Keyring } from '../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { MailContent } from '../templates/render.ts';

/** The mail that a content is encrypted for. Null stands for no company, as OPERATOR_SCOPE does. */
type Owner = { companyId: string | null; id: string };

/** Encrypts the content of a mail with a key that is not in the database. */
export function sealContent(keyring: Pick<Keyring, 'seal'>, owner: Owner, content: MailContent): Buffer {
  return keyring.seal(JSON.stringify(content), contextOf(owner));
}

/** Null when the content can't be decrypted, because it was encrypted with keys that are lost. */
export function openContent(keyring: Pick<Keyring, 'unseal'>, owner: Owner, sealed: Uint8Array): MailContent | null {
  let json: string;
  try {
    json = keyring.unseal(sealed, contextOf(owner));
  } catch {
    return null;
  }
  return JSON.parse(json);
}

function contextOf({ companyId, id }: Owner): string {
  return `mail ${companyId ?? OPERATOR_SCOPE} ${id}`;
}
