import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Keyring } from '../../../platform/keys/keys.ts';

const SECRET_BYTES = 32;

/** The endpoint that a secret is encrypted for. */
type Owner = { companyId: string; endpointId: string };

/** Makes a secret: `shown` is the text (`whsec_…`), `kept` the encrypted bytes. */
export function createSecret(keyring: Keyring, owner: Owner): { shown: string; kept: Buffer } {
  const shown = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { shown, kept: keyring.seal(shown, sealingContextOf(owner)) };
}

type Message = { id: string; sentAt: Date; body: string };

/** The headers of Standard Webhooks 1.0, with a signature for each valid secret. */
export function signatureHeaders(
  keyring: Keyring,
  owner: Owner,
  secrets: readonly Uint8Array[],
  { id, sentAt, body }: Message,
): Record<string, string> {
  const context = sealingContextOf(owner);
  const signatures = secrets.map((kept) => new Webhook(keyring.unseal(kept, context)).sign(id, sentAt, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

function sealingContextOf({ companyId, endpointId }: Owner): string {
  return `webhook secret ${companyId} ${endpointId}`;
}
