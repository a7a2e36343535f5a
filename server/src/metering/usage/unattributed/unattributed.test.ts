import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listUnattributed, namedEvent } from '../../../../test/billing/unattributed.ts';
import { reportUsage, usageEvent } from '../../../../test/billing/usage.ts';
import { expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { giveExternalId } from '../../../../test/customers/external-ids.ts';
import { sendDuring } from '../../../../test/harness/database/deadlock.ts';
import { expectMetric } from '../../../../test/harness/metrics.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { runHousekeeping } from '../../../housekeeping.ts';
import { alertOfUnattributed } from './unattributed.alert.ts';

const NOW = '2026-03-04T00:00:00.000Z';
const DAY_MS = 86_400_000;

let now = new Date(NOW);
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => now });
});
afterAll(async () => service?.stop());
beforeEach(async () => {
  now = new Date(NOW);
  await service.database.owner`DELETE FROM unattributed_ids`;
  await service.database.owner`DELETE FROM unattributed_events`;
});

type Result = { status: string; reason: string | null; message: string | null; unattributed?: boolean };

/** What each event got: its reason, or its status, `waits` when it is unattributed. */
async function outcomesOf(events: object[]): Promise<string[]> {
  const { results } = await reportUsage(service, events);
  return results.map(({ status, reason, unattributed }: Result) => (unattributed ? 'waits' : (reason ?? status)));
}

const operator = (method: string, path: string, body?: object) =>
  service.call(method, `/operator${path}`, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });
const remove = (externalId: string) =>
  operator('DELETE', `/usage/unattributed?externalId=${encodeURIComponent(externalId)}`);

describe('usage of an external id that no company has', () => {
  it('is accepted as unattributed, in a batch beside other usage and alone', async () => {
    const { companyId } = await signUpAdmin(service);
    const [own, first, alone] = [usageEvent(companyId), namedEvent('early'), namedEvent(' early ')];
    const answer = await reportUsage(service, [own, first, { ...first, id: 7 }]);
    expect([answer.accepted, answer.duplicate, answer.rejected]).toEqual([2, 0, 1]);
    const accepted = { status: 'accepted', reason: null, message: null };
    expect(answer.results.slice(0, 2)).toEqual([
      { id: own.id, ...accepted },
      { id: first.id, ...accepted, unattributed: true },
    ]);
    expect(await reportUsage(service, alone)).toEqual({
      ...{ accepted: 1, duplicate: 0, rejected: 0 },
      results: [{ id: alone.id, ...accepted, unattributed: true }],
    });
    expect((await listUnattributed(service)).data).toMatchObject([{ externalId: 'early', events: 2, quantity: '2' }]);
  });

  it('is counted once, however often it is sent, in one batch and in several at once', async () => {
    const event = namedEvent('repeated', { data: { path: '/v1', quantity: 5 } });
    expect(await outcomesOf([event, event, { ...event, source: '/other' }])).toEqual(['waits', 'duplicate', 'waits']);
    const batches = await Promise.all(Array.from({ length: 8 }, () => outcomesOf([event, namedEvent('repeated')])));
    expect(batches.map(([first]) => first)).toEqual(Array(8).fill('duplicate'));
    expect((await reportUsage(service, event)).duplicate).toBe(1);
    expect((await listUnattributed(service)).data).toMatchObject([{ events: 10, quantity: '18' }]);
  });

  it('obeys the rules of every event', async () => {
    const [future, invalid] = [
      namedEvent('ruled', { time: '2026-03-04T00:05:00.001Z' }),
      namedEvent('ruled', { time: 'now' }),
    ];
    const wrongIds = ['', ' ', 'x'.repeat(256), 'a\u0080b', 'a\u0007b'].map((id) => namedEvent(id));
    expect(await outcomesOf([future, invalid, ...wrongIds])).toEqual([
      ...['time_in_future', 'invalid_event'],
      ...wrongIds.map(() => 'invalid_event'),
    ]);
    const refused = expectStatus(await operator('POST', '/usage', future), 400);
    expect(refused.body.error.details).toEqual([
      { field: 'time', message: 'must not be more than 5 minutes in the future' },
    ]);
    expect((await listUnattributed(service)).total).toBe(0);
  });

  it('is listed by its external id, the oldest first, with when the first and the last event came', async () => {
    now = new Date('2026-03-02T00:00:00Z');
    await outcomesOf([namedEvent('b', { time: '2026-01-01T00:00:00Z' }), namedEvent('a')]);
    now = new Date('2026-03-01T00:00:00Z');
    await outcomesOf([namedEvent('c', { data: { path: '/x', quantity: 1_000_000_000 } }), namedEvent('c')]);
    now = new Date(NOW);
    await outcomesOf([namedEvent('b', { data: { path: '/x', quantity: 0 } })]);
    const c = { externalId: 'c', events: 2, quantity: '1000000001', firstAt: '2026-03-01T00:00:00.000Z' };
    const b = { externalId: 'b', events: 2, quantity: '1', firstAt: '2026-03-02T00:00:00.000Z', lastAt: NOW };
    const { total, data } = await listUnattributed(service, 'perPage=2');
    expect([total, data[0]]).toEqual([3, { ...c, lastAt: c.firstAt }]);
    const all = [...data, ...(await listUnattributed(service, 'perPage=2&page=2')).data];
    expect(all.map(({ externalId }) => externalId).sort()).toEqual(['a', 'b', 'c']);
    expect(all).toContainEqual(b);
    expect(await listUnattributed(service, 'page=3&perPage=2')).toEqual({ total: 3, page: 3, perPage: 2, data: [] });
    expect(await expectMetric(service, 'paydesk_unattributed_usage_events')).toBe(5);
  });

  it('is refused by a service that keeps none', async () => {
    const strict = await startTestService({ unattributedUsage: 'reject' });
    try {
      const event = namedEvent('strict');
      const { results } = await reportUsage(strict, [event]);
      expect(results).toEqual([
        {
          ...{ id: event.id, status: 'rejected', reason: 'unknown_company' },
          message: 'subject must be the id of a company',
        },
      ]);
      const alone = await strict.call('POST', '/operator/usage', { token: strict.operatorKey, body: event });
      expect(expectStatus(alone, 400).body.error.details[0].field).toBe('subject');
      const admin = await signUpAdmin(strict);
      await giveExternalId(strict, admin.companyId, 'strict');
      expect((await reportUsage(strict, [event])).accepted).toBe(1);
    } finally {
      await strict.stop();
    }
  });
});

describe('the bounds', () => {
  it('are 1,000 external ids, also for requests at once; repeats stay duplicates', async () => {
    const events = Array.from({ length: 1_010 }, (_, number) => namedEvent(`id ${number}`));
    const halves = [events.slice(0, 505), events.slice(505)].map((half) => outcomesOf(half));
    const counts = Map.groupBy((await Promise.all(halves)).flat(), (outcome) => outcome);
    expect([counts.get('waits')?.length, counts.get('unknown_company')?.length]).toEqual([1_000, 10]);
    expect((await listUnattributed(service)).total).toBe(1_000);
    const { results } = await reportUsage(service, [namedEvent('one more')]);
    expect(results[0]).toMatchObject({
      reason: 'unknown_company',
      message: 'subject must be the id of a company: usage of 1,000 external ids waits for companies already',
    });
    const [kept] = (await listUnattributed(service)).data;
    const known = events.find(({ subject }) => subject === `external:${kept.externalId}`);
    expect(await outcomesOf([known ?? {}, namedEvent(kept.externalId)])).toEqual(['duplicate', 'waits']);
  });

  it('are 1,000,000 events', async () => {
    const first = namedEvent('many');
    await outcomesOf([first]);
    await service.database.owner`UPDATE unattributed_ids SET events = 999_998`;
    const events = [namedEvent('many'), first, namedEvent('many'), namedEvent('many'), namedEvent('other')];
    expect(await outcomesOf(events)).toEqual(['waits', 'duplicate', 'waits', 'unknown_company', 'unknown_company']);
    const alone = expectStatus(await operator('POST', '/usage', namedEvent('many')), 400);
    expect(alone.body.error.details[0].field).toBe('subject');
  });

  it('are 30 days from the first event on: an older external id takes no more, and keeps what it has', async () => {
    const first = namedEvent('old');
    await outcomesOf([first]);
    now = new Date(now.getTime() + 30 * DAY_MS);
    expect(await outcomesOf([namedEvent('old')])).toEqual(['waits']);
    now = new Date(now.getTime() + 1);
    expect(await outcomesOf([first, namedEvent('old'), namedEvent('young')])).toEqual([
      ...['duplicate', 'unknown_company', 'waits'],
    ]);
    expect((await listUnattributed(service)).data[0]).toMatchObject({ externalId: 'old', events: 2 });
    expectStatus(await operator('PUT', '/companies/external:old', {}), 201);
    const { body } = await operator('GET', '/usage?companyId=external:old&from=2026-01-01&to=2026-02-01');
    expect(body.data).toMatchObject([{ quantity: '2' }]);
  });
});

describe('DELETE /operator/usage/unattributed', () => {
  it('deletes the usage of an external id, which is no duplicate when it comes again', async () => {
    const [event, other] = [namedEvent('a/b c'), namedEvent('kept')];
    await outcomesOf([event, other]);
    expectStatus(await remove(' a/b c '), 204);
    expect((await listUnattributed(service)).data).toMatchObject([{ externalId: 'kept' }]);
    expect(await expectMetric(service, 'paydesk_unattributed_usage_events')).toBe(1);
    expect(await outcomesOf([event, other])).toEqual(['waits', 'duplicate']);
    expectStatus(await operator('PUT', '/companies/external:a%2Fb%20c', {}), 201);
    const { body } = await operator('GET', '/usage?companyId=external:a%2Fb%20c&from=2026-01-01&to=2026-02-01');
    expect(body.data).toMatchObject([{ quantity: '1' }]);
  });

  it('is 404 where nothing waits, and 400 without an external id or with none', async () => {
    expectStatus(await remove('nobody'), 404);
    await outcomesOf([namedEvent('prefixed')]);
    expectStatus(await remove('external:prefixed'), 404);
    for (const query of ['', '?externalId=', `?externalId=${'x'.repeat(256)}`]) {
      const { body } = expectStatus(await operator('DELETE', `/usage/unattributed${query}`), 400);
      expect(body.error.details[0].field).toBe('externalId');
    }
    expect((await listUnattributed(service)).total).toBe(1);
  });

  it('records all that it deletes, also what came while it waited', async () => {
    await outcomesOf([namedEvent('busy')]);
    // As a request that adds an event does, until its commit.
    const answer = await sendDuring(
      service.database,
      async (tx) => {
        await tx`SELECT pg_advisory_xact_lock(hashtextextended('external ids given', 0))`;
        await tx`UPDATE unattributed_ids SET events = events + 1, quantity = quantity + 1 WHERE external_id = 'busy'`;
      },
      () => remove('busy'),
    );
    expectStatus(answer, 204);
    const { body } = await operator('GET', '/audit-log?action=unattributed_usage.deleted&perPage=1');
    expect(body.data[0]).toMatchObject({ target: { name: 'busy' }, changes: { before: { events: 2 } } });
  });

  it('is in the audit log of the operator, and housekeeping removes the events', async () => {
    await outcomesOf([namedEvent('gone'), namedEvent('gone'), namedEvent('gone too'), namedEvent('stays')]);
    expectStatus(await remove('gone'), 204);
    expectStatus(await remove('gone too'), 204);
    const { body } = await operator('GET', '/audit-log?action=unattributed_usage.deleted&perPage=1');
    expect(body.data).toMatchObject([{ companyId: null, target: { kind: 'unattributed_usage', name: 'gone too' } }]);
    await runHousekeeping({ db: service.database.db, usageRetentionYears: 10 });
    const counts = await service.database.owner`
      SELECT (SELECT count(*)::int FROM unattributed_ids) AS ids, (SELECT count(*)::int FROM unattributed_events) AS events`;
    expect([...counts]).toEqual([{ ids: 1, events: 1 }]);
  });
});

describe('the alert unattributed_usage', () => {
  const alerts = async () => (await operator('GET', '/alerts?kind=unattributed_usage')).body.data;
  const look = () => alertOfUnattributed(service.database.db, () => now);

  it('is raised when usage is older than a day: one, of no company, until it is acknowledged', async () => {
    await outcomesOf([namedEvent('forgotten'), namedEvent('forgotten'), namedEvent('lost')]);
    now = new Date(now.getTime() + DAY_MS);
    await look();
    expect(await alerts()).toEqual([]);
    now = new Date(now.getTime() + 1);
    await look();
    await look();
    const [alert, ...more] = await alerts();
    expect([alert, more]).toMatchObject([{ companyId: null, acknowledgedAt: null }, []]);
    expect(alert.message).toContain('external ids 2, events 3.');
    expectStatus(await operator('POST', `/alerts/${alert.id}/acknowledge`), 200);
    await look();
    expect(await alerts()).toHaveLength(2);
  });
});
