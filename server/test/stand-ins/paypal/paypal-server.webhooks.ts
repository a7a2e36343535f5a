/** How the stand-in for PayPal signs events and verifies them (https://developer.paypal.com/api/rest/webhooks/rest/). */
import { createHmac, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { malformed } from './paypal-server.objects.ts';

export const PAYPAL_WEBHOOK_ID = '0PAYDESKTESTS00001';
/** PayPal signs with a certificate. Here only PayPal itself verifies signatures, so a secret is enough. */
const SECRET = 'PayPal alone knows this';

export type Signing = { webhookId?: string; time?: Date };

/** Returns the headers with which PayPal would send this body to a webhook. */
export function sign(
  body: string,
  { webhookId = PAYPAL_WEBHOOK_ID, time = new Date() }: Signing = {},
): Record<string, string> {
  const transmission = { id: randomUUID(), time: time.toISOString().replace(/\.\d+Z$/, 'Z') };
  return {
    'content-type': 'application/json',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-90621ecd',
    'paypal-transmission-id': transmission.id,
    'paypal-transmission-sig': signatureOf({ ...transmission, webhookId, body }),
    'paypal-transmission-time': transmission.time,
  };
}

/**
 * Returns the answer of `POST /v1/notifications/verify-webhook-signature`. The signature covers the bytes of the event.
 */
export function verify(text: string): object {
  const [head = '', ...rest] = text.split('"webhook_event":');
  const body = rest.join('"webhook_event":').slice(0, -1);
  const request = JSON.parse(`${head}"webhook_event":null}`) as Record<string, string>;
  const { auth_algo: algorithm, cert_url: url, transmission_id: id, transmission_sig: signature } = request;
  const { transmission_time: time, webhook_id: webhookId } = request;
  if (body === '' || !id || !time || !webhookId || !url || !algorithm) throw malformed('MISSING_REQUIRED_PARAMETER');
  const isRight = webhookId === PAYPAL_WEBHOOK_ID && signature === signatureOf({ id, time, webhookId, body });
  return { verification_status: isRight ? 'SUCCESS' : 'FAILURE' };
}

function signatureOf({
  id,
  time,
  webhookId,
  body,
}: {
  id: string;
  time: string;
  webhookId: string;
  body: string;
}): string {
  return createHmac('sha256', SECRET)
    .update(`${id}|${time}|${webhookId}|${crc32(body)}`)
    .digest('base64');
}
