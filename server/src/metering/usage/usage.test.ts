import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUsage, reportUsage, usageEvent } from '../../../test/billing/usage.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(async () => service?.stop());

const JANUARY = 'from=2026-01-01&to=2026-02-01&granularity=month';

async function sumOf({ token }: Actor, query = JANUARY): Promise<string[]> {
  const { data } = await readUsage(service, token, query);
  return data.map(({ path, quantity }: { path: string; quantity: string }) => `${path} ${quantity}`);
}

function post(rawBody: string, contentType: string, headers: Record<string, string> = {}) {
  const request = { token: service.operatorKey, rawBody, headers: { 'content-type': contentType, ...headers } };
  return service.call('POST', '/operator/usage', request);
}

describe('POST /operator/usage', () => {
  it('takes one event, as CloudEvents JSON and as plain JSON, with a default quantity of 1', async () => {
    const own = await signUpAdmin(service);
    for (const type of [
      'application/json',
      'application/cloudevents+json',
      'application/CloudEvents+JSON; charset=utf-8',
    ]) {
      const event = usageEvent(own.companyId, { data: { path: '/v1/images' } });
      const { body } = expectStatus(await post(JSON.stringify(event), type), 200);
      const result = { id: event.id, status: 'accepted', reason: null, message: null };
      expect(body).toEqual({ accepted: 1, duplicate: 0, rejected: 0, results: [result] });
    }
    expect(await sumOf(own)).toEqual(['/v1/images 3']);
  });

  it('takes a batch, with a result for each event in order, and stores the valid ones whatever the others are', async () => {
    const own = await signUpAdmin(service);
    const good = usageEvent(own.companyId, { data: { path: ' /v1/speech ', quantity: 4 } });
    const past = usageEvent(own.companyId);
    await reportUsage(service, past);
    const stranger = usageEvent(randomUUID());
    const late = usageEvent(own.companyId, { time: new Date(Date.now() + 3_600_000).toISOString() });
    const answer = await reportUsage(service, [null, stranger, good, { ...good, id: 7 }, past, late, good]);
    expect([answer.accepted, answer.duplicate, answer.rejected]).toEqual([1, 2, 4]);
    expect(answer.results).toEqual([
      { id: null, status: 'rejected', reason: 'invalid_event', message: 'must be an object' },
      {
        id: stranger.id,
        status: 'rejected',
        reason: 'unknown_company',
        message: 'subject must be the id of a company',
      },
      { id: good.id, status: 'accepted', reason: null, message: null },
      { id: null, status: 'rejected', reason: 'invalid_event', message: 'id must be a text of 1 to 255 characters' },
      { id: past.id, status: 'duplicate', reason: null, message: null },
      {
        id: late.id,
        status: 'rejected',
        reason: 'time_in_future',
        message: 'time must not be more than 5 minutes in the future',
      },
      { id: good.id, status: 'duplicate', reason: null, message: null },
    ]);
    expect(await sumOf(own)).toEqual(['/v1/speech 4', '/v1/transcriptions 1']);
  });

  it('names each result by its event’s id: trimmed, and never cut within a character', async () => {
    const own = await signUpAdmin(service);
    const longest = '𝒳'.repeat(255);
    const events = [longest, ' spaced ', ' spaced ', `${longest}x`].map((id) => usageEvent(own.companyId, { id }));
    const { results } = await reportUsage(service, events);
    expect(results.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      [longest, 'accepted'],
      ['spaced', 'accepted'],
      ['spaced', 'duplicate'],
      [longest, 'rejected'],
    ]);
  });

  it('refuses a single event with 400 where a batch would reject it', async () => {
    const wrongs: [field: string, event: object][] = [
      ['subject', usageEvent(randomUUID())],
      ['time', usageEvent(admin.companyId, { time: new Date(Date.now() + 3_600_000).toISOString() })],
      ['data.quantity', usageEvent(admin.companyId, { data: { path: '/x', quantity: -1 } })],
      ['type', usageEvent(admin.companyId, { type: 'com.example.other' })],
    ];
    for (const [field, event] of wrongs) {
      const { body } = expectStatus(await post(JSON.stringify(event), 'application/cloudevents+json'), 400);
      expect(body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
    }
  });

  it('says what the body must be for a batch sent as one event, and the other way round', async () => {
    const event = JSON.stringify(usageEvent(admin.companyId));
    const [one, batch] = ['application/json', 'application/cloudevents-batch+json'];
    const refused = [await post(`[${event}]`, one), await post(event, batch)];
    expect(refused.map(({ status, body }) => [status, body.error.message])).toEqual([
      [400, 'The body must be an object.'],
      [400, 'The body must be an array.'],
    ]);
  });

  it('judges each event of a batch as it judges the event alone', async () => {
    const longest = '𝒳'.repeat(255);
    const data = { path: '/x' };
    const changes: object[] = [
      { specversion: '0.3' },
      { specversion: 1 },
      { type: null },
      ...['source', 'id', 'subject', 'time'].flatMap((name) =>
        [undefined, null, 7, '', '   ', [], `${longest}x`].map((value) => ({ [name]: value })),
      ),
      ...['2026-01-15', '2026-01-15T09:30:00', '2026-02-30T00:00:00Z', '1999-12-31T23:59:59.999Z', 'now'].map(
        (time) => ({ time }),
      ),
      ...[undefined, null, 'x', [], {}].map((wrong) => ({ data: wrong })),
      ...[null, 7, ' ', `${longest}x`].map((path) => ({ data: { path } })),
      ...[null, '1', -1, 0.5, 1_000_000_001, true].map((quantity) => ({ data: { path: '/x', quantity } })),
      { id: longest, source: longest, data: { path: longest } },
      ...[0, 1_000_000_000].map((quantity) => ({ data: { path: '/x', quantity } })),
      { time: '2000-01-01T00:00:00.000Z', data },
      { time: '2026-01-15t09:30:00.123456789012+05:45', data },
      { subject: ` ${admin.companyId.toUpperCase()} `, data },
      { extension: 'any', object: {}, datacontenttype: 'application/json', data },
      ...['Extension', 'tenant_id', 'a.b', ''].map((unknown) => ({ [unknown]: 'any', data })),
      { data: { ...data, more: [] } },
      { data: { path: '/x', quantiy: 5 } },
    ];
    const events = changes.map((change) => usageEvent(admin.companyId, change));
    const twins = events.map((event) => (event.id === longest ? { ...event, source: '/twin' } : event));
    const { results } = await reportUsage(service, events);
    expect(results.map(({ status }: { status: string }) => status)).toContain('accepted');
    for (const [index, event] of twins.entries()) {
      const alone = await post(JSON.stringify(event), 'application/cloudevents+json');
      const field = alone.body.error?.details[0].field;
      const { status, message } = results[index];
      const label = JSON.stringify(changes[index]).slice(0, 100);
      expect([label, status], alone.text).toEqual([label, alone.status === 200 ? 'accepted' : 'rejected']);
      if (field !== undefined) expect([label, message]).toEqual([label, expect.stringContaining(field)]);
    }
  });

  it('takes 1,000 events a batch, and neither 1,001 nor none', async () => {
    const own = await signUpAdmin(service);
    const events = Array.from({ length: 1_001 }, (_, index) => usageEvent(own.companyId, { id: `event ${index}` }));
    const batch = (count: number) => post(JSON.stringify(events.slice(0, count)), 'application/cloudevents-batch+json');
    for (const count of [0, 1_001]) expect((await batch(count)).body.error.code).toBe('invalid_request');
    expect(await sumOf(own)).toEqual([]);
    expect(expectStatus(await batch(1_000), 200).body.accepted).toBe(1_000);
    expect(await sumOf(own)).toEqual(['/v1/transcriptions 1000']);
  });

  it('takes a batch only as a batch, and a single event only as a single event', async () => {
    const event = usageEvent(admin.companyId);
    expectStatus(await post(JSON.stringify([event]), 'application/json'), 400);
    expectStatus(await post(JSON.stringify([event]), 'application/cloudevents+json'), 400);
    expectStatus(await post(JSON.stringify(event), 'application/cloudevents-batch+json'), 400);
    expectStatus(await post(JSON.stringify(event), 'application/cloudevents+xml'), 415);
  });

  it.each(['application/cloudevents+json', 'application/cloudevents-batch+json'])(
    'applies every rule of JSON to %s',
    async (type) => {
      const wrap = (text: string) => (type.includes('batch') ? `[${text}]` : text);
      const event = JSON.stringify(usageEvent(admin.companyId));
      const withMore = (more: string) => wrap(`${event.slice(0, -1)},${more}}`);
      const bad = [
        '"a":"\\u0000"',
        '"a":"\\ud800"',
        '"__proto__":{}',
        `"a":${'['.repeat(40)}${']'.repeat(40)}`,
        '"a":01',
        '"a":',
      ];
      for (const more of bad) {
        expect((await post(withMore(more), type)).body.error?.code, more).toBe('invalid_request');
      }
      expectStatus(await post(withMore('"a":1'), `${type}; charset=utf-16`), 415);
      expectStatus(await post(`"${'x'.repeat(1_200_000)}"`, type), 413);
      expectStatus(await post(withMore('"a":1'), type), 200);
    },
  );

  it('accepts these media types on this route only: another route answers 415', async () => {
    const headers = { 'content-type': 'application/cloudevents+json' };
    const answer = await service.call('POST', '/labels', { token: admin.token, rawBody: '{}', headers });
    expect(answer.status).toBe(415);
  });

  it('replays its answer to a repeated Idempotency-Key, and refuses it with another body', async () => {
    const body = JSON.stringify([usageEvent(admin.companyId)]);
    const send = (text: string) => post(text, 'application/cloudevents-batch+json', { 'idempotency-key': 'usage 1' });
    const first = expectStatus(await send(body), 200);
    const repeat = expectStatus(await send(body), 200);
    expect([repeat.text, repeat.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expectStatus(await send(JSON.stringify([usageEvent(admin.companyId)])), 422);
  });
});

describe('an event counts once', () => {
  it('for ever: whatever time, path and quantity its repeats have, also once it is rolled up', async () => {
    const own = await signUpAdmin(service);
    const event = usageEvent(own.companyId);
    await reportUsage(service, event);
    for (const change of [{}, { time: '2026-01-16T00:00:00Z' }, { data: { path: '/other', quantity: 5 } }]) {
      expect(await reportUsage(service, { ...event, ...change })).toMatchObject({ accepted: 0, duplicate: 1 });
    }
    expect(await sumOf(own)).toEqual(['/v1/transcriptions 1']);
  });

  it('among many others too: of a large batch that was partly sent before, the rest is new', async () => {
    const own = await signUpAdmin(service);
    const events = Array.from({ length: 150 }, () => usageEvent(own.companyId));
    expect(await reportUsage(service, events.slice(0, 100))).toMatchObject({ accepted: 100, duplicate: 0 });
    const { accepted, results } = await reportUsage(service, [...events.slice(50), usageEvent(randomUUID())]);
    expect(accepted).toBe(50);
    const statuses = results.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual([...Array(50).fill('duplicate'), ...Array(50).fill('accepted'), 'rejected']);
    expect(await sumOf(own)).toEqual(['/v1/transcriptions 150']);
  });

  it('within one batch, where the first one counts', async () => {
    const own = await signUpAdmin(service);
    const event = usageEvent(own.companyId);
    const later = { ...event, data: { path: '/later', quantity: 9 } };
    const invalid = { ...event, data: {} };
    const { results } = await reportUsage(service, [invalid, event, later, event]);
    const statuses = results.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['rejected', 'accepted', 'duplicate', 'duplicate']);
    expect(await sumOf(own)).toEqual(['/v1/transcriptions 1']);
  });

  it('by company, source and id together: another value of any is another event', async () => {
    const [own, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const event = usageEvent(own.companyId, { source: 'ab', id: 'c' });
    const others = [{ source: 'a', id: 'bc' }, { id: 'C' }, { source: 'ab/' }, { subject: other.companyId }];
    const answer = await reportUsage(service, [event, ...others.map((change) => ({ ...event, ...change }))]);
    expect(answer).toMatchObject({ accepted: 5, duplicate: 0 });
    expect([await sumOf(own), await sumOf(other)]).toEqual([['/v1/transcriptions 4'], ['/v1/transcriptions 1']]);
  });

  it('when ten send the same batch at once, and ten others the same in another order', async () => {
    const own = await signUpAdmin(service);
    const batch = Array.from({ length: 300 }, () => usageEvent(own.companyId));
    const batches = Array.from({ length: 20 }, (_, index) => (index % 2 ? batch : batch.toReversed()));
    const answers = await Promise.all(batches.map((events) => reportUsage(service, events)));
    const sum = (name: 'accepted' | 'duplicate') => answers.reduce((total, answer) => total + answer[name], 0);
    expect([sum('accepted'), sum('duplicate')]).toEqual([300, 19 * 300]);
    expect(await sumOf(own)).toEqual(['/v1/transcriptions 300']);
  });

  it('an event that was rejected may be sent again', async () => {
    const own = await signUpAdmin(service);
    const event = usageEvent(own.companyId);
    const future = { ...event, time: new Date(Date.now() + 3_600_000).toISOString() };
    const { results } = await reportUsage(service, [future, event]);
    expect(results.map(({ status }: { status: string }) => status)).toEqual(['rejected', 'accepted']);
  });
});

it('keeps any text as it was sent', async () => {
  const own = await signUpAdmin(service);
  const texts = ['a"b\\c,{}', 'NULL', '\u0001\n\t.', "'; DROP TABLE usage_events", '𝒳é\u0301', '{"a":[1]}'];
  await reportUsage(
    service,
    texts.map((text) => usageEvent(own.companyId, { id: text, source: text, data: { path: text } })),
  );
  const { data } = await readUsage(service, own.token, JANUARY);
  expect(data.map(({ path }: { path: string }) => path).sort()).toEqual(texts.toSorted());
  const kept = await service.database.owner`SELECT source, event FROM usage_events WHERE company_id = ${own.companyId}`;
  expect(kept.map(({ source, event }) => [source, event]).sort()).toEqual(texts.toSorted().map((text) => [text, text]));
});
