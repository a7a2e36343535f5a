import type { WebhookEvent } from './calls/api.generated.ts';

/** The reason why a request is not accepted as a webhook. */
export type WebhookProblem = 'header_missing' | 'timestamp_out_of_tolerance' | 'signature_mismatch';

/** The request does not come from Paydesk, or somebody sent an old one again. Answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/** The headers of a request: `request.headers` of Node or of `fetch`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How many seconds the signature may be in the past or the future; 300 by default. */
  toleranceSeconds?: number;
  /** The current time in milliseconds since 1970; the machine's by default. */
  nowMs?: number;
};

const TOLERANCE_SECONDS = 300;

/**
 * Verifies the signature of a webhook (Standard Webhooks 1.0) and reads its event. Signatures are compared in constant time. @param body -
 * the body as it arrived, byte for byte: a body that was parsed and written again has another signature @param secrets - the endpoint's
 * `whsec_…`; several while the secret is rotated @throws WebhookVerificationError if it is not from Paydesk; TypeError if a secret or the
 * body has the wrong form
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const text = readBody(body);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = readHeader(headers, name);
    if (value !== null) return value;
    throw new WebhookVerificationError('header_missing', `The request has no header ${name}.`);
  }) as [string, string, string];
  const ageSeconds = Math.abs(nowMs / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    const message = `The signature is not of the last ${toleranceSeconds} seconds.`;
    throw new WebhookVerificationError('timestamp_out_of_tolerance', message);
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const secret of [secrets].flat()) {
    if (await isSignedWith(secret, signed, signatures)) return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookVerificationError('signature_mismatch', 'No signature of the request is of this secret.');
}

function readBody(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  }
  throw new TypeError('The body must be the text or the bytes as they came, before they are parsed.');
}

/** Returns a header by its name, ignoring case; null if it is missing or empty. */
function readHeader(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return (typeof value === 'string' ? value : value?.[0]) || null;
}

async function isSignedWith(secret: string, signed: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', readSecret(secret), algorithm, false, ['verify']);
  const candidates = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  for (const candidate of candidates) {
    const bytes = decodeBase64(candidate.slice('v1,'.length));
    if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}

function readSecret(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (bytes !== null && bytes.length > 0) return bytes;
  throw new TypeError('The secret of a webhook endpoint is whsec_ and base64.');
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
