import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, type WebhookProblem, WebhookVerificationError } from '../src/webhooks.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = JSON.stringify({ id: 'event-1', type: 'label.created', data: { name: 'Köln ☂' } });
const SENT_AT = new Date('2026-10-01T12:00:00Z');
const nowMs = SENT_AT.getTime();

function headersOf({ secret = SECRET, id = 'event-1', sentAt = SENT_AT, body = BODY } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(sentAt.getTime() / 1_000),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
}

/** Returns the problem that the verification reports. */
async function problemOf(verification: Promise<unknown>): Promise<WebhookProblem> {
  const error: unknown = await verification.catch((reason: unknown) => reason);
  if (error instanceof WebhookVerificationError) return error.problem;
  throw error;
}

describe('a webhook', () => {
  it('is accepted as text or as bytes, with headers of any kind', async () => {
    const headers = headersOf();
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const body of [BODY, new TextEncoder().encode(BODY), new TextEncoder().encode(BODY).buffer]) {
      for (const given of [headers, new Headers(headers), capitals]) {
        expect(await verifyWebhook(body, given, SECRET, { nowMs })).toMatchObject({
          id: 'event-1',
          type: 'label.created',
        });
      }
    }
  });

  it('may have several signatures: one valid signature is enough, and others are ignored', async () => {
    const headers = headersOf();
    const signature = headers['webhook-signature'];
    for (const others of [
      'v1,AAAA',
      'v2,AAAA',
      'v1a,!!!',
      'v1,***',
      headersOf({ secret: OTHER })['webhook-signature'],
    ]) {
      headers['webhook-signature'] = `${others} ${signature}`;
      expect(await verifyWebhook(BODY, headers, [OTHER.slice(0, -4), SECRET], { nowMs })).toBeDefined();
    }
  });

  const wrong: [string, WebhookProblem, { body?: string; headers?: Record<string, string>; secret?: string }][] = [
    ['another body', 'signature_mismatch', { body: BODY.replace('Köln', 'Bonn') }],
    [
      'a body that was parsed and written again',
      'signature_mismatch',
      { body: JSON.stringify(JSON.parse(BODY), null, 1) },
    ],
    ['another id', 'signature_mismatch', { headers: { 'webhook-id': 'event-2' } }],
    ['another time', 'signature_mismatch', { headers: { 'webhook-timestamp': String(nowMs / 1_000 + 1) } }],
    ['another secret', 'signature_mismatch', { secret: OTHER }],
    [
      'a signature cut short',
      'signature_mismatch',
      { headers: { 'webhook-signature': headersOf()['webhook-signature']?.slice(0, 20) ?? '' } },
    ],
    [
      'a signature of another kind',
      'signature_mismatch',
      { headers: { 'webhook-signature': `v2,${headersOf()['webhook-signature']?.slice(3)}` } },
    ],
    ['no signature', 'header_missing', { headers: { 'webhook-signature': '' } }],
    ['no time', 'header_missing', { headers: { 'webhook-timestamp': '' } }],
    ['a time that is none', 'timestamp_out_of_tolerance', { headers: { 'webhook-timestamp': 'now' } }],
  ];
  it.each(wrong)('with %s is refused: %s', async (_what, problem, { body = BODY, headers = {}, secret = SECRET }) => {
    expect(await problemOf(verifyWebhook(body, { ...headersOf(), ...headers }, secret, { nowMs }))).toBe(problem);
  });

  it('is refused five minutes before and after its time, or the given number of seconds', async () => {
    const at = (seconds: number, toleranceSeconds?: number) =>
      verifyWebhook(BODY, headersOf(), SECRET, {
        nowMs: nowMs + seconds * 1_000,
        ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
      });
    for (const seconds of [-300, 0, 300]) expect(await at(seconds)).toBeDefined();
    for (const seconds of [-301, 301]) expect(await problemOf(at(seconds))).toBe('timestamp_out_of_tolerance');
    expect(await at(3_600, 3_600)).toBeDefined();
    expect(await problemOf(at(11, 10))).toBe('timestamp_out_of_tolerance');
  });

  it('with a parsed body or an invalid secret throws a TypeError', async () => {
    await expect(verifyWebhook(JSON.parse(BODY), headersOf(), SECRET, { nowMs })).rejects.toThrow(
      'before they are parsed',
    );
    await expect(verifyWebhook(BODY, headersOf(), '', { nowMs })).rejects.toThrow(TypeError);
    await expect(verifyWebhook(BODY, headersOf(), 'whsec_*', { nowMs })).rejects.toThrow(TypeError);
  });

  it('is signed over the id, the time and the body, separated by dots', async () => {
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key)
      .update(`event-1.${nowMs / 1_000}.${BODY}`)
      .digest('base64');
    const headers = { ...headersOf(), 'webhook-signature': `v1,${signature}` };
    expect(await verifyWebhook(BODY, headers, SECRET, { nowMs })).toBeDefined();
  });
});
