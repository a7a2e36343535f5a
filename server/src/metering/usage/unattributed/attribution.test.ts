import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runMonth, setBilling } from '../../../../test/billing/billing.ts';
import { attributeNow, listUnattributed, namedEvent } from '../../../../test/billing/unattributed.ts';
import { readUsage, reportUsage, usageEvent } from '../../../../test/billing/usage.ts';
import { expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { giveExternalId } from '../../../../test/customers/external-ids.ts';
import { sendDuring } from '../../../../test/harness/database/deadlock.ts';
import { listJobs } from '../../../../test/harness/jobs.ts';
import { eventually } from '../../../../test/harness/process.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { runHousekeeping } from '../../../housekeeping.ts';
import type { Tx } from '../../../platform/database/database.ts';

const NOW = '2026-03-04T00:00:00.000Z';

let now = NOW;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => new Date(now) });
});
afterAll(async () => service?.stop());
beforeEach(() => {
  now = NOW;
});

const operator = (method: string, path: string, body?: object) =>
  service.call(method, `/operator${path}`, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });

async function outcomesOf(events: object[]): Promise<string[]> {
  const { results } = await reportUsage(service, events);
  return results.map(({ status, reason }: { status: string; reason: string | null }) => reason ?? status);
}

/** The usage of a company by month and path. */
async function usageOf(companyId: string): Promise<string[]> {
  const path = `/usage?companyId=${companyId}&from=2025-01-01&to=2027-01-01&granularity=month&perPage=100`;
  const { data } = expectStatus(await operator('GET', path), 200).body;
  return data.map(
    ({ start, path, quantity }: Record<'start' | 'path' | 'quantity', string>) =>
      `${start.slice(0, 7)} ${path} ${quantity}`,
  );
}

const GIVERS: [string, (externalId: string) => Promise<string>][] = [
  [
    'POST',
    async (externalId) => expectStatus(await operator('POST', '/companies', { name: 'N', externalId }), 201).body.id,
  ],
  [
    'PUT of the external id',
    async (externalId) => expectStatus(await operator('PUT', `/companies/external:${externalId}`, {}), 201).body.id,
  ],
  [
    'PUT of the UUID',
    async (externalId) => {
      const { companyId } = await signUpAdmin(service);
      await giveExternalId(service, companyId, externalId);
      return companyId;
    },
  ],
];

describe.each(GIVERS)('a company that gets its external id by %s', (_name, give) => {
  it('has the usage that waited before it is answered, each event once', async () => {
    const externalId = randomUUID();
    const data = { path: '/v1/images', quantity: 4 };
    const [one, two] = [namedEvent(externalId), namedEvent(externalId, { data, time: '2026-02-28T23:59:59.999Z' })];
    await reportUsage(service, [one, two, namedEvent(randomUUID())]);
    const companyId = await give(externalId);
    expect(await usageOf(companyId)).toEqual(['2026-01 /v1/transcriptions 1', '2026-02 /v1/images 4']);
    expect(await usageOf(`external:${externalId}`)).toHaveLength(2);
    const again = [one, { ...two, subject: companyId }, namedEvent(externalId)];
    const { results } = await reportUsage(service, again);
    expect(results.map(({ status }: { status: string }) => status)).toEqual(['duplicate', 'duplicate', 'accepted']);
    expect(results[2]).not.toHaveProperty('unattributed');
    const { data: waiting } = await listUnattributed(service);
    expect(waiting.filter((row: { externalId: string }) => row.externalId === externalId)).toEqual([]);
    expect(await usageOf(companyId)).toEqual(['2026-01 /v1/transcriptions 2', '2026-02 /v1/images 4']);
  });
});

it('an event that the company has sent under its UUID before is not counted again', async () => {
  const admin = await signUpAdmin(service);
  const event = usageEvent(admin.companyId);
  await reportUsage(service, [event, { ...event, subject: 'external:both' }, namedEvent('both')]);
  await giveExternalId(service, admin.companyId, 'both');
  expect(await usageOf(admin.companyId)).toEqual(['2026-01 /v1/transcriptions 2']);
});

it('an id that a company gave up is unknown again, and what was counted stays', async () => {
  const [first, second] = [await signUpAdmin(service), await signUpAdmin(service)];
  await giveExternalId(service, first.companyId, 'given up');
  await reportUsage(service, [namedEvent('given up')]);
  await giveExternalId(service, first.companyId, null);
  expect((await reportUsage(service, [namedEvent('given up')])).results).toMatchObject([{ unattributed: true }]);
  await giveExternalId(service, second.companyId, 'given up');
  for (const { companyId } of [first, second]) {
    expect(await usageOf(companyId)).toEqual(['2026-01 /v1/transcriptions 1']);
  }
});

it('a transaction that is undone leaves the usage where it is', async () => {
  await reportUsage(service, [namedEvent('undone')]);
  const body = { name: 'N', externalId: 'undone', billingSettings: { numberPrefix: 'TAKEN-' } };
  await setBilling(service, await signUpAdmin(service), body.billingSettings);
  expectStatus(await operator('POST', '/companies', body), 409);
  const { data } = await listUnattributed(service);
  expect(data).toContainEqual(expect.objectContaining({ externalId: 'undone', events: 1 }));
});

describe('late usage that waited', () => {
  const refuse = { lateUsage: { kind: 'refuse', days: 3 } };

  it('is refused where it came too late for its month, billed or not, and counts where it came in time', async () => {
    const externalId = randomUUID();
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, refuse);
    now = '2026-02-03T00:00:00.000Z';
    const inTime = namedEvent(externalId, { time: '2026-01-31T23:59:59Z' });
    await reportUsage(service, [inTime]);
    now = '2026-02-04T00:00:00.001Z';
    const late = namedEvent(externalId, { time: '2026-01-31T23:59:58Z', data: { path: '/late', quantity: 1 } });
    await reportUsage(service, [late, namedEvent(externalId, { time: '2026-02-01T00:00:00Z' })]);
    now = '2026-04-10T00:00:00.000Z';
    await giveExternalId(service, admin.companyId, externalId);
    expect(await usageOf(admin.companyId)).toEqual([
      ...['2026-01 /v1/transcriptions 1', '2026-02 /v1/transcriptions 1'],
    ]);
    expect(await outcomesOf([inTime, late, namedEvent(externalId, { time: '2026-01-31T00:00:00Z' })])).toEqual([
      ...['duplicate', 'duplicate', 'too_late'],
    ]);
  });

  it('goes by the periods of the company as they were billed', async () => {
    const [externalId, admin] = [randomUUID(), await signUpAdmin(service)];
    await setBilling(service, admin, { ...refuse, timezone: 'America/New_York' });
    await reportUsage(service, [usageEvent(admin.companyId, { time: '2026-02-10T00:00:00Z' })]);
    now = '2026-03-03T00:00:00.000Z';
    await runMonth(service, '2026-02');
    await setBilling(service, admin, { timezone: 'Asia/Tokyo' });
    const at = (time: string, path: string) => namedEvent(externalId, { time, data: { path, quantity: 1 } });
    now = '2026-03-04T05:00:00.000Z';
    await reportUsage(service, [at('2026-03-01T04:59:59Z', '/in-time')]);
    now = '2026-03-04T05:00:00.001Z';
    await reportUsage(service, [at('2026-03-01T04:59:59Z', '/too-late'), at('2026-03-01T05:00:00Z', '/march')]);
    await giveExternalId(service, admin.companyId, externalId);
    const { data } = await readUsage(service, admin.token, 'from=2026-01-01&to=2026-05-01&granularity=month');
    expect(data.map(({ path }: { path: string }) => path).sort()).toEqual(['/in-time', '/march', '/v1/transcriptions']);
  });
});

describe('usage of more than 10,000 events', () => {
  const BATCHES = 11;
  const many = (externalId: string) => Array.from({ length: 1_000 }, () => namedEvent(externalId));

  it('follows in the background, while each event stays a duplicate and the id stays with its company', async () => {
    const externalId = randomUUID();
    const source = `/gateways/${externalId}`;
    const keepHouse = () => runHousekeeping({ db: service.database.db, usageRetentionYears: 10 });
    const batches = Array.from({ length: BATCHES }, () => many(externalId).map((event) => ({ ...event, source })));
    for (const batch of batches) await reportUsage(service, batch);
    const { id } = expectStatus(await operator('PUT', `/companies/external:${externalId}`, {}), 201).body;
    expect(await usageOf(id)).toEqual([]);
    expect(await listJobs(service, 'kind=usage_attributions')).toMatchObject([{ companyId: id, record: id }]);
    const repeats = [...(batches[3] ?? []).slice(0, 500), ...(batches[7] ?? []).slice(0, 499)];
    const own = namedEvent(externalId);
    const answer = await reportUsage(service, [
      own,
      ...repeats.map((event, index) => (index % 2 ? { ...event, subject: id } : event)),
    ]);
    expect([answer.accepted, answer.duplicate]).toEqual([1, 999]);
    expect((await reportUsage(service, batches[0]?.[0])).duplicate).toBe(1);
    for (const change of [null, 'another']) {
      const refused = expectStatus(await operator('PUT', `/companies/${id}`, { externalId: change }), 409);
      expect(refused.body.error.code).toBe('usage_waiting');
    }
    expectStatus(await operator('PUT', `/companies/${id}`, { name: 'Renamed', externalId }), 200);
    await keepHouse();
    await attributeNow(service);
    await keepHouse();
    expect(await service.database.owner`SELECT 1 FROM unattributed_events WHERE source = ${source}`).toEqual([]);
    expect(await usageOf(id)).toEqual([`2026-01 /v1/transcriptions ${BATCHES * 1_000 + 1}`]);
    expect(await listJobs(service, 'kind=usage_attributions')).toEqual([]);
    expectStatus(await operator('PUT', `/companies/${id}`, { externalId: null }), 200);
  });

  it('waits for no other company’s, of which one step fails', async () => {
    const [broken, sound] = [randomUUID(), randomUUID()];
    for (const externalId of [broken, sound]) {
      for (let batch = 0; batch < BATCHES; batch += 1) await reportUsage(service, many(externalId));
    }
    const ids = await Promise.all(
      [broken, sound].map(
        async (externalId) => (await operator('PUT', `/companies/external:${externalId}`, {})).body.id,
      ),
    );
    const { owner } = service.database;
    await owner.unsafe(`
      CREATE FUNCTION refuse_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refused BEFORE INSERT ON usage_event_keys FOR EACH ROW
        WHEN (new.company_id = '${ids[0]}') EXECUTE FUNCTION refuse_it();`);
    try {
      await attributeNow(service);
    } finally {
      await owner.unsafe('DROP FUNCTION refuse_it CASCADE');
    }
    expect(await usageOf(ids[1])).toEqual([`2026-01 /v1/transcriptions ${BATCHES * 1_000}`]);
    const [job] = await listJobs(service, 'kind=usage_attributions');
    expect(job).toMatchObject({ companyId: ids[0], state: 'failing', attempts: 1 });
    expectStatus(await operator('POST', `/jobs/${job.id}/retry`), 200);
    await attributeNow(service);
    expect(await usageOf(ids[0])).toEqual([`2026-01 /v1/transcriptions ${BATCHES * 1_000}`]);
  });
});

describe('at the same time', () => {
  /** Sends the second request while the first one is in the middle of its work, held up by a locked table. */
  async function meet<First, Second>(table: string, first: () => Promise<First>, second: () => Promise<Second>) {
    let later: Promise<Second> | undefined;
    const lock = (tx: Tx) => tx`LOCK TABLE ${tx(table)} IN EXCLUSIVE MODE`;
    const sendSecond = async (tx: Tx) => {
      let isAnswered = false;
      later = second().finally(() => {
        isAnswered = true;
      });
      await eventually(async () => {
        const rows = await tx`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
        return isAnswered || rows.length > 0;
      });
    };
    const answer = await sendDuring(service.database, lock, first, sendSecond);
    return [answer, await later] as const;
  }

  it.each(['the event', 'the company'])('an event is counted once, of which %s comes first', async (cameFirst) => {
    const externalId = randomUUID();
    const report = () => outcomesOf([namedEvent(externalId)]);
    const make = () => operator('PUT', `/companies/external:${externalId}`, {});
    const [outcomes, made] =
      cameFirst === 'the event'
        ? await meet('unattributed_events', report, make)
        : (await meet('events', make, report)).toReversed();
    expect([outcomes, (made as Answer).status]).toEqual([['accepted'], 201]);
    expect(await usageOf(`external:${externalId}`)).toEqual(['2026-01 /v1/transcriptions 1']);
  });

  it('twenty requests that make the company and forty that report usage count each event once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const externalId = randomUUID();
      const events = Array.from({ length: 40 }, () => [namedEvent(externalId), namedEvent(externalId)]);
      await reportUsage(service, events.slice(0, 10).flat());
      const puts = Array.from({ length: 20 }, () => operator('PUT', `/companies/external:${externalId}`, {}));
      const reports = [...events, ...events].map((pair) => outcomesOf(pair));
      const statuses = (await Promise.all(puts)).map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(19).fill(200), 201]);
      const outcomes = (await Promise.all(reports)).flat();
      expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(60);
      expect(outcomes.filter((outcome) => outcome === 'duplicate')).toHaveLength(100);
      await attributeNow(service);
      expect(await usageOf(`external:${externalId}`)).toEqual(['2026-01 /v1/transcriptions 80']);
    }
  });
});
