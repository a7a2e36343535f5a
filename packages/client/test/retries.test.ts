import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRetryAfter } from '../src/calls/retries.ts';
import { createPaydesk, isPaydeskError, PaydeskConnectionError, PaydeskError } from '../src/index.ts';
import { createFakeTimeClient, type Reply, refusal, type Script, startScript } from './script.ts';

let script: Script;
beforeAll(async () => {
  script = await startScript();
});
afterAll(() => script?.stop());

const LABEL = { name: 'Priority', color: '#ff8800', description: '', userName: 'Ada Lovelace' };
const made: Reply = { status: 201, body: { id: 'label-1' } };
const read: Reply = { status: 200, body: { id: 'label-1' } };
const keysOf = () => script.asked.map(({ headers }) => headers['idempotency-key']);

/** Returns what a promise rejects with. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('That should have been refused.');
    },
    (error: unknown) => error,
  );
}

describe('a create', () => {
  it.each<[string, Reply]>([
    ['the connection was cut after it had been sent', 'cut'],
    ['the service was overloaded', refusal(503, 'service_unavailable', { 'retry-after': '2' })],
    ['a proxy had no service behind it', { status: 502, body: '<h1>Bad gateway</h1>' }],
    ['a proxy timed out', { status: 504, body: '' }],
    ['there were too many requests', refusal(429, 'rate_limited', { 'retry-after': '1' })],
    ['the first try was still running', refusal(409, 'idempotency_key_in_use', { 'retry-after': '1' })],
  ])('is sent again with the same key when %s', async (_why, reply) => {
    script.play(reply, made);
    const { paydesk } = createFakeTimeClient({ url: script.url });
    expect(await paydesk.labels.create(LABEL)).toEqual({ id: 'label-1' });
    const [first, second, ...more] = keysOf();
    expect(first).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect([second, more]).toEqual([first, []]);
    expect(script.asked.map(({ body }) => JSON.parse(body))).toEqual([LABEL, LABEL]);
  });

  it('has a new key each time, or the one that it is given', async () => {
    script.play(made);
    const { paydesk } = createFakeTimeClient({ url: script.url });
    await paydesk.labels.create(LABEL);
    await paydesk.labels.create(LABEL);
    await paydesk.labels.create(LABEL, { idempotencyKey: 'order-1042' });
    const [first, second, third] = keysOf();
    expect(first).not.toBe(second);
    expect(third).toBe('order-1042');
  });

  it.each([
    [400, 'invalid_request'],
    [409, 'label_name_taken'],
    [422, 'idempotency_key_reused'],
    [500, 'internal_error'],
  ])('that is refused with %s %s is sent once', async (status, code) => {
    script.play(refusal(status, code));
    const { paydesk } = createFakeTimeClient({ url: script.url });
    expect(await failureOf(paydesk.labels.create(LABEL))).toMatchObject({ status, code, requestId: 'request-1' });
    expect(script.asked).toHaveLength(1);
  });
});

describe('a request without a key', () => {
  const { signal } = new AbortController();
  const calls = {
    'an update': () =>
      createFakeTimeClient({ url: script.url }).paydesk.labels.update('label-1', { color: '#fff' }, { signal }),
    'a deletion': () => createFakeTimeClient({ url: script.url }).paydesk.cards.delete('card-1'),
    'a login': () =>
      createFakeTimeClient({ url: script.url }).paydesk.auth.logIn({ email: 'ada@example.com', password: 'x' }),
  };

  it.each(Object.entries(calls))('%s is not sent again if it may have been carried out', async (_name, call) => {
    for (const reply of ['cut', refusal(503, 'service_unavailable', { 'retry-after': '1' })] as const) {
      script.play(reply);
      await failureOf(call());
      expect(script.asked).toHaveLength(1);
      expect(keysOf()).toEqual([undefined]);
    }
  });

  it.each(Object.entries(calls))(
    '%s is sent again after 429, which is answered before any work',
    async (_name, call) => {
      script.play(refusal(429, 'rate_limited', { 'retry-after': '1' }), { status: 200, body: {} });
      await call();
      expect(script.asked).toHaveLength(2);
    },
  );
});

describe('a read', () => {
  it('is sent again without a key', async () => {
    script.play('cut', refusal(503, 'service_unavailable'), read);
    const { paydesk } = createFakeTimeClient({ url: script.url });
    expect(await paydesk.labels.get('label-1')).toEqual({ id: 'label-1' });
    expect(keysOf()).toEqual([undefined, undefined, undefined]);
  });
});

describe('the wait before the next attempt', () => {
  it('follows Retry-After, in seconds or as a date, plus a random time so that clients do not all return at once', async () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
    script.play(
      refusal(503, 'service_unavailable', { 'retry-after': '7' }),
      refusal(503, 'service_unavailable', { 'retry-after': inTenSeconds }),
      read,
    );
    const { paydesk, waitsMs } = createFakeTimeClient({ url: script.url });
    await paydesk.labels.get('label-1');
    expect(waitsMs[0]).toBe(7_500);
    expect(waitsMs[1]).toBeGreaterThan(7_000);
    expect(waitsMs[1]).toBeLessThanOrEqual(10_500);
  });

  it('doubles without Retry-After, up to eight seconds', async () => {
    script.play('cut');
    const { paydesk, waitsMs } = createFakeTimeClient({ url: script.url, maxRetries: 6 });
    await failureOf(Promise.resolve(paydesk.labels.get('label-1')));
    expect(waitsMs).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', null],
    [null, null],
  ])('Retry-After: %s is %s seconds', (header, seconds) => {
    expect(readRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(seconds);
  });
});

describe('attempts are limited', () => {
  it('by their number: four, or as many as requested', async () => {
    script.play(refusal(503, 'service_unavailable'));
    const { paydesk } = createFakeTimeClient({ url: script.url });
    expect(await failureOf(paydesk.labels.create(LABEL))).toMatchObject({ code: 'service_unavailable' });
    expect(script.asked).toHaveLength(4);
    script.play(refusal(503, 'service_unavailable'));
    await failureOf(paydesk.labels.create(LABEL, { maxRetries: 0 }));
    expect(script.asked).toHaveLength(1);
  });

  it('by the time: a longer wait is not started, and the error is thrown at once', async () => {
    script.play(refusal(429, 'card_testing_suspected', { 'retry-after': '3600' }));
    const { paydesk, waitsMs } = createFakeTimeClient({ url: script.url });
    const error = await failureOf(paydesk.invoices.pay('invoice-1'));
    expect(error).toMatchObject({ code: 'card_testing_suspected', retryAfterSeconds: 3_600 });
    expect([script.asked.length, waitsMs]).toEqual([1, []]);
  });

  it('and the error has the key with which the caller can continue later', async () => {
    script.play('cut');
    const { paydesk } = createFakeTimeClient({ url: script.url });
    const error = await failureOf(paydesk.invoices.pay('invoice-1'));
    expect(error).toBeInstanceOf(PaydeskConnectionError);
    expect(error).toMatchObject({ reason: 'network', idempotencyKey: keysOf()[0] });
  });
});

describe('an attempt', () => {
  it('that gets no answer in time ends, and another attempt follows', async () => {
    script.play('silence', made);
    const { paydesk } = createFakeTimeClient({ url: script.url, timeoutMs: 100 });
    expect(await paydesk.labels.create(LABEL)).toEqual({ id: 'label-1' });
    script.play('silence');
    const error = await failureOf(paydesk.labels.create(LABEL, { maxRetries: 0, timeoutMs: 50 }));
    expect(error).toMatchObject({ name: 'PaydeskConnectionError', reason: 'timeout' });
  });

  it('is reported with its answer, and what the callback throws reaches the caller', async () => {
    script.play(refusal(503, 'service_unavailable'), { status: 200, body: { data: [], total: 0 } });
    const answers: unknown[] = [];
    const { paydesk } = createFakeTimeClient({ url: script.url, onAnswer: (answer) => answers.push(answer) });
    await paydesk.labels.list({ name: 'a b' });
    const common = { method: 'GET', path: '/labels?name=a+b', requestId: 'request-1' };
    expect(answers).toEqual([
      { ...common, status: 503, attempt: 1 },
      { ...common, status: 200, attempt: 2 },
    ]);
    const broken = new Error('The log is full.');
    const onAnswer = () => {
      throw broken;
    };
    const throwing = createFakeTimeClient({ url: script.url, onAnswer }).paydesk;
    expect(await failureOf(throwing.labels.get('label-1'))).toBe(broken);
  });
});

describe('an abort', () => {
  it('before the first attempt sends nothing', async () => {
    script.play(made);
    const paydesk = createPaydesk({ url: script.url, accessToken: 'token' });
    const reason = new Error('Closed.');
    expect(await failureOf(paydesk.labels.create(LABEL, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(script.asked).toEqual([]);
  });

  it('during an attempt, and during the wait for the next one, ends the call with its reason', async () => {
    const reason = new Error('Closed.');
    for (const reply of ['silence', refusal(503, 'service_unavailable', { 'retry-after': '60' })] as const) {
      script.play(reply);
      const aborting = new AbortController();
      const onAnswer = () => void setImmediate(() => aborting.abort(reason));
      const paydesk = createPaydesk({ url: script.url, accessToken: 'token', onAnswer });
      const failure = failureOf(paydesk.labels.create(LABEL, { signal: aborting.signal }));
      if (reply === 'silence') {
        await expect.poll(() => script.asked).toHaveLength(1);
        aborting.abort(reason);
      }
      expect(await failure).toBe(reason);
      expect(script.asked).toHaveLength(1);
    }
  });
});

describe('an answer that is not Paydesk’s', () => {
  it.each<[string, Reply, number]>([
    ['a page of a proxy', { status: 404, body: '<h1>Not found</h1>' }, 404],
    ['a page in place of the API', { status: 200, body: '<h1>Welcome</h1>' }, 200],
    ['a redirect, which must not get the token', { status: 302, headers: { location: '/elsewhere' } }, 302],
  ])('is reported as such: %s', async (_what, reply, status) => {
    script.play(reply);
    const { paydesk } = createFakeTimeClient({ url: script.url });
    const error = await failureOf(paydesk.labels.create(LABEL));
    expect(error).toBeInstanceOf(PaydeskError);
    expect(isPaydeskError(error, 'unexpected_response') && error.status).toBe(status);
    expect(script.asked).toHaveLength(1);
  });
});
