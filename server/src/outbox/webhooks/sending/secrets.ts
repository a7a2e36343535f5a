import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Keyring } from '../../../platform/keys/keys.ts';

const SECRET_BYTES = 32;

/** Whose a secret is; it is encrypted for this endpoint and no other. */
type Owner = { companyId: string; endpointId: string };

/** A new secret, as it is shown (`whsec_…`) and as it is kept. */
export function createSecret(keyring: Keyring, owner: Owner): { shown: string; kept: Buffer } {
  const shown = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { shown, kept: keyring.seal(shown, placeOf(owner)) };
}

type Message = { id: string; sentAt: Date; body: string };

/** The headers of Standard Webhooks 1.0, with a signature by each of the secrets that are good now. */
export function signatureHeaders(
  keyring: Keyring,
  owner: Owner,
  secrets: readonly Uint8Array[],
  { id, sentAt, body }: Message,
): Record<string, string> {
  const place = placeOf(owner);
  const signatures = secrets.map((kept) => new Webhook(keyring.unseal(kept, place)).sign(id, sentAt, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

function placeOf({ companyId, endpointId }: Owner): string {
  return `webhook secret ${companyId} ${endpointId}`;
}
