import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUsage, reportUsage, usageEvent } from '../../../../test/billing/usage.ts';
import { pollUntil } from '../../../../test/customers/accounts.ts';
import { type Actor, signUpAdmin } from '../../../../test/customers/actors.ts';
import { propertyCases } from '../../../../test/harness/property.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { transaction } from '../../../platform/database/database.ts';
import { listCompaniesWithUsage, sumUsage, sumUsageUntilNow } from '../usage.service.ts';
import { closeUsageCutoff, rollUpUsage, startUsageRollup } from './rollup.ts';
import { lockOpenCutoff, rollUpDeltas } from './rollup.worker.queries.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

const JANUARY = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-02-01T00:00:00Z') };

async function countDeltas(): Promise<number> {
  const [row] = await service.database.db<[{ count: number }]>`SELECT count(*)::int FROM usage_deltas`;
  return row.count;
}

async function januaryOf({ token }: Actor): Promise<string> {
  const { data } = await readUsage(service, token, 'from=2026-01-01&to=2026-02-01&granularity=month');
  return data.map(({ quantity }: { quantity: string }) => quantity).join();
}

/** The sum of the stored events themselves, read from the database. */
async function sumOfEvents({ companyId }: Actor): Promise<string> {
  const [row] = await service.database.owner<[{ sum: string }]>`
    SELECT sum(quantity)::text FROM usage_events WHERE company_id = ${companyId}`;
  return row.sum;
}

describe('compared with a simple model', () => {
  type Event = { id: number; minute: number; path: string; quantity: number };
  const event = fc.record({
    id: fc.integer({ min: 1, max: 40 }),
    // Two days, so that there are bounds of hours and days.
    minute: fc.integer({ min: 0, max: 2 * 24 * 60 - 1 }),
    path: fc.constantFrom('/a', '/b', '/b/c'),
    quantity: fc.integer({ min: 0, max: 1_000 }),
  });
  const START_MS = Date.UTC(2026, 2, 28);
  const quarter = fc.integer({ min: 0, max: 2 * 24 * 4 });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.array(event, { minLength: 1, maxLength: 12 }) },
    { weight: 2, arbitrary: fc.constant('roll up' as const) },
    { weight: 1, arbitrary: fc.constant('close' as const) },
    { weight: 3, arbitrary: fc.tuple(quarter, quarter) },
  );

  it("any sequence of events, rollups, cutoffs and reads gives the model's sums", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const actor = await signUpAdmin(service);
        const known = new Map<number, Event>();
        const cutoffs: { number: number; sum: number }[] = [];
        const sum = (from: number, to: number) =>
          [...known.values()].reduce(
            (total, { minute, quantity }) => (minute >= from * 15 && minute < to * 15 ? total + quantity : total),
            0,
          );
        for (const one of steps) {
          if (one === 'roll up') await rollUpUsage(service.database.db);
          else if (one === 'close') {
            cutoffs.push({ number: (await closeUsageCutoff(service.database.db)).number, sum: sum(0, 1_000) });
          } else if (isRange(one)) await compareReads(actor, Math.min(...one), Math.max(...one), sum);
          else await report(actor, one, known);
        }
        for (const { number, sum: expected } of cutoffs) expect(await sumUpTo(actor, number)).toBe(expected);
        await compareReads(actor, 0, 2 * 24 * 4, sum);
      }),
      propertyCases(20),
    );
  });

  function isRange(one: Event[] | [number, number]): one is [number, number] {
    return typeof one[0] === 'number';
  }

  async function report({ companyId }: Actor, events: Event[], known: Map<number, Event>): Promise<void> {
    const statuses = events.map((one) => {
      const status = known.has(one.id) ? 'duplicate' : 'accepted';
      if (status === 'accepted') known.set(one.id, one);
      return status;
    });
    const { results } = await reportUsage(
      service,
      events.map(({ id, minute, path, quantity }) => {
        const time = new Date(START_MS + minute * 60_000).toISOString();
        return usageEvent(companyId, { id: `event ${id}`, time, data: { path, quantity } });
      }),
    );
    expect(results.map(({ status }: { status: string }) => status)).toEqual(statuses);
  }

  async function compareReads(
    { token, companyId }: Actor,
    from: number,
    to: number,
    sum: (from: number, to: number) => number,
  ) {
    if (from === to) return;
    const at = (index: number) => new Date(START_MS + index * 900_000).toISOString();
    const period = { from: new Date(at(from)), to: new Date(at(to)), afterCutoff: 0 };
    const sums = await sumUsageUntilNow(service.database.db, companyId, period);
    expect(sums.reduce((total, { quantity }) => total + Number(quantity), 0)).toBe(sum(from, to));
    for (const granularity of ['hour', 'day', 'month']) {
      for (const timezone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu']) {
        const query = `from=${at(from)}&to=${at(to)}&granularity=${granularity}&timezone=${timezone}&perPage=1000`;
        const { data } = await readUsage(service, token, query);
        const total = data.reduce((before: number, { quantity }: { quantity: string }) => before + Number(quantity), 0);
        expect(total).toBe(sum(from, to));
        const intervals = new Map<string, number>();
        for (const { start, end, quantity } of data) {
          const key = `${start} ${end}`;
          intervals.set(key, (intervals.get(key) ?? 0) + Number(quantity));
        }
        for (const [key, quantity] of intervals) {
          const [start = 0, end = 0] = key.split(' ').map((instant) => (Date.parse(instant) - START_MS) / 900_000);
          expect([key, quantity]).toEqual([key, sum(start, end)]);
        }
      }
    }
  }

  async function sumUpTo({ companyId }: Actor, upToCutoff: number): Promise<number> {
    const period = { from: new Date(START_MS), to: new Date(START_MS + 2 * 86_400_000), afterCutoff: 0, upToCutoff };
    const sums = await sumUsage(service.database.db, companyId, period);
    return sums.reduce((total, { quantity }) => total + Number(quantity), 0);
  }
});

describe('the rollup', () => {
  it('moves waiting usage once, and does not change what is read', async () => {
    const actor = await signUpAdmin(service);
    for (let batch = 0; batch < 3; batch += 1) {
      await reportUsage(service, [usageEvent(actor.companyId), usageEvent(actor.companyId)]);
      expect(await countDeltas()).toBeGreaterThan(0);
      expect(await januaryOf(actor)).toBe(String(2 * batch + 2));
      await Promise.all([1, 2, 3].map(() => rollUpUsage(service.database.db)));
      expect(await countDeltas()).toBe(0);
      expect(await januaryOf(actor)).toBe(String(2 * batch + 2));
    }
  });

  it('runs in the background', async () => {
    const actor = await signUpAdmin(service);
    await reportUsage(service, usageEvent(actor.companyId));
    const rollup = startUsageRollup(service.database.db, service.server.log);
    await pollUntil(countDeltas, (count) => count === 0);
    await rollup.stop();
    expect(await januaryOf(actor)).toBe('1');
  });

  it('loses and doubles nothing when its connection is killed at any moment', async () => {
    const { db, owner } = service.database;
    const actor = await signUpAdmin(service);
    const stop = new AbortController();
    let kills = 0;
    const killing = (async () => {
      while (!stop.signal.aborted) {
        const killed = await owner<{ done: boolean }[]>`
          SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
            AND (query LIKE '%usage_deltas%' OR query LIKE '%usage_cutoffs%') AND query NOT LIKE '%pg_stat_activity%'`;
        kills += killed.length;
      }
    })();
    let acknowledged = 0;
    for (let round = 0; round < 30 || (kills < 5 && round < 600); round += 1) {
      const batch = Array.from({ length: 20 }, () => usageEvent(actor.companyId, { id: randomUUID() }));
      const request = {
        token: service.operatorKey,
        rawBody: JSON.stringify(batch),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      };
      // A client that gets no answer repeats the request.
      for (let status = 0; status !== 200; ) {
        const answer = service.call('POST', '/operator/usage', request);
        const rolledUp = (round % 3 === 0 ? closeUsageCutoff(db) : rollUpUsage(db)).catch(() => undefined);
        status = (await answer).status;
        await rolledUp;
      }
      acknowledged += batch.length;
    }
    stop.abort();
    await killing;
    expect(kills).toBeGreaterThan(0);
    await pollUntil(
      async () => service.call('GET', '/payments/usage', { token: actor.token }),
      ({ status }) => status === 200,
    );
    expect([await januaryOf(actor), await sumOfEvents(actor)]).toEqual([String(acknowledged), String(acknowledged)]);
    await rollUpUsage(db);
    expect(await januaryOf(actor)).toBe(String(acknowledged));
  });

  it('compares no row with a list of all that it moves, although PostgreSQL believes that none wait', async () => {
    const { db, owner } = service.database;
    await rollUpUsage(db);
    await owner`VACUUM ANALYZE usage_deltas`;
    const plan = await transaction(db, async (tx) => {
      const cutoff = (await lockOpenCutoff(tx, { whenHeld: 'wait' })) ?? 0;
      await rollUpDeltas(tx, cutoff, { limit: 10_000 });
      const [{ name }] = await tx<[{ name: string }]>`
        SELECT name FROM pg_prepared_statements WHERE statement LIKE '%DELETE FROM usage_deltas%' AND statement NOT LIKE '%get_byte%'`;
      const lines = await tx.unsafe(`EXPLAIN EXECUTE "${name}" (10000, ${cutoff})`);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('hashed SubPlan');
    expect(plan).not.toMatch(/ctid = ANY \(\(InitPlan|ctid = ANY \(\$/);
  });

  it('leaves the work to a process that is doing it already', async () => {
    const { db } = service.database;
    const actor = await signUpAdmin(service);
    await reportUsage(service, usageEvent(actor.companyId));
    await service.database.owner.begin(async (tx) => {
      await tx`SELECT number FROM usage_cutoffs WHERE closed_at IS NULL FOR UPDATE`;
      await rollUpUsage(db);
      expect(await countDeltas()).toBe(1);
    });
    await rollUpUsage(db);
    expect(await countDeltas()).toBe(0);
  });
});

describe('a cutoff', () => {
  it('separates what was acknowledged before it from what comes later, whatever its period', async () => {
    const { db } = service.database;
    const actor = await signUpAdmin(service);
    const sums = async (afterCutoff: number, upToCutoff: number) =>
      (await sumUsage(db, actor.companyId, { ...JANUARY, afterCutoff, upToCutoff })).map(({ quantity }) => quantity);
    await reportUsage(service, [usageEvent(actor.companyId), usageEvent(actor.companyId)]);
    const first = await closeUsageCutoff(db);
    await reportUsage(service, usageEvent(actor.companyId));
    expect(await sums(0, first.number)).toEqual(['2']);
    const second = await closeUsageCutoff(db);
    expect(second).toEqual({ number: first.number + 1, closedAt: expect.any(Date) });
    expect([await sums(0, first.number), await sums(first.number, second.number)]).toEqual([['2'], ['1']]);
    await reportUsage(service, usageEvent(actor.companyId));
    const preview = await sumUsageUntilNow(db, actor.companyId, { ...JANUARY, afterCutoff: first.number });
    expect(preview).toEqual([{ path: '/v1/transcriptions', quantity: '2' }]);
  });

  it('contains an ingestion entirely or not at all, even one that began before and commits after it', async () => {
    const { db, owner } = service.database;
    const actor = await signUpAdmin(service);
    await reportUsage(service, usageEvent(actor.companyId));
    const early = await owner.begin(async (tx) => {
      await tx`
        INSERT INTO usage_deltas (company_id, hour, path, quarter_1, quarter_2, quarter_3, quarter_4)
        VALUES (${actor.companyId}, '2026-01-10T00:00:00Z', '/slow', 7, 0, 0, 0)`;
      return closeUsageCutoff(db);
    });
    const late = await closeUsageCutoff(db);
    const paths = async (afterCutoff: number, upToCutoff: number) =>
      (await sumUsage(db, actor.companyId, { ...JANUARY, afterCutoff, upToCutoff })).map(({ path }) => path);
    expect(await paths(0, early.number)).toEqual(['/v1/transcriptions']);
    expect(await paths(early.number, late.number)).toEqual(['/slow']);
  });

  it('contains what is acknowledged while it waits for a running rollup', async () => {
    const { db, owner } = service.database;
    const actor = await signUpAdmin(service);
    const { closing } = await owner.begin(async (tx) => {
      await tx`SELECT number FROM usage_cutoffs WHERE closed_at IS NULL FOR UPDATE`;
      await reportUsage(service, usageEvent(actor.companyId));
      const waiting = closeUsageCutoff(db);
      await pollUntil(
        async () => db`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        (waiters) => waiters.length > 0,
      );
      return { closing: waiting };
    });
    const { number: upToCutoff } = await closing;
    expect(await sumUsage(db, actor.companyId, { ...JANUARY, afterCutoff: 0, upToCutoff })).toHaveLength(1);
  });

  it('contains what others that roll up beside it have taken', async () => {
    const { db } = service.database;
    const actor = await signUpAdmin(service);
    const { closing, taken } = await transaction(db, async (tx) => {
      const number = (await lockOpenCutoff(tx, { share: true, whenHeld: 'wait' })) ?? 0;
      const waiting = closeUsageCutoff(db);
      await pollUntil(
        async () => db`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        (waiters) => waiters.length > 0,
      );
      await reportUsage(service, usageEvent(actor.companyId));
      await rollUpDeltas(tx, number, { limit: 10_000 });
      return { closing: waiting, taken: number };
    });
    const { number: upToCutoff } = await closing;
    expect(upToCutoff).toBe(taken);
    expect(await sumUsage(db, actor.companyId, { ...JANUARY, afterCutoff: 0, upToCutoff })).toHaveLength(1);
  });

  it('is closed by one process at a time, each with its own number', async () => {
    const cutoffs = await Promise.all([1, 2, 3, 4].map(() => closeUsageCutoff(service.database.db)));
    const numbers = cutoffs.map(({ number }) => number).sort((left, right) => left - right);
    expect(new Set(numbers).size).toBe(4);
    expect((numbers.at(-1) ?? 0) - (numbers[0] ?? 0)).toBe(3);
  });

  it('counts all usage once, whatever others roll up and close meanwhile', async () => {
    const { db } = service.database;
    const actors = await Promise.all(Array.from({ length: 6 }, () => signUpAdmin(service)));
    const before = await closeUsageCutoff(db);
    const perRound = actors.flatMap(({ companyId }) => [companyId, companyId]);
    const closed: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await reportUsage(
        service,
        perRound.map((companyId) => usageEvent(companyId)),
      );
      const closing = [1, 2, 3].map(() => closeUsageCutoff(db));
      await Promise.all([rollUpUsage(db), rollUpUsage(db)]);
      // What was acknowledged before a closing began is up to its cutoff.
      const cutoffs = await Promise.all(closing);
      closed.push(Math.min(...cutoffs.map(({ number }) => number)));
    }
    for (const { companyId } of actors) {
      const sums = closed.map(async (upToCutoff) => {
        const period = { ...JANUARY, afterCutoff: before.number, upToCutoff };
        return (await sumUsage(db, companyId, period)).map(({ quantity }) => quantity).join();
      });
      expect(await Promise.all(sums)).toEqual(['2', '4', '6', '8', '10']);
    }
    expect(await Promise.all(actors.map(januaryOf))).toEqual(actors.map(() => '10'));
  });

  it('lists the companies with usage up to it, page by page', async () => {
    const { db } = service.database;
    const actors = [await signUpAdmin(service), await signUpAdmin(service), await signUpAdmin(service)];
    const { number: before } = await closeUsageCutoff(db);
    const [one, two] = actors;
    for (const actor of [one, two]) await reportUsage(service, usageEvent(actor?.companyId ?? ''));
    const { number: upToCutoff } = await closeUsageCutoff(db);
    await reportUsage(service, usageEvent(actors[2]?.companyId ?? ''));
    await rollUpUsage(db);
    const period = { ...JANUARY, afterCutoff: before, upToCutoff };
    const first = await listCompaniesWithUsage(db, { ...period, afterCompanyId: null, limit: 1 });
    const rest = await listCompaniesWithUsage(db, { ...period, afterCompanyId: first[0] ?? null, limit: 10 });
    expect([...first, ...rest]).toEqual([one?.companyId, two?.companyId]);
    const february = { ...period, from: JANUARY.to, to: new Date('2026-03-01T00:00:00Z') };
    expect(await listCompaniesWithUsage(db, { ...february, afterCompanyId: null, limit: 10 })).toEqual([]);
  });
});

describe('partitions', () => {
  it('exist for each month of receipt, created ahead', async () => {
    const rows = await service.database.owner<{ name: string }[]>`
      SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_events'::regclass ORDER BY name`;
    const month = new Date().toISOString().slice(0, 7).replace('-', '_');
    expect(rows.map(({ name }) => name)[0]).toBe(`usage_events_${month}`);
    expect(rows).toHaveLength(3);
  });

  it('are created once when many requests need them at the same time', async () => {
    const fresh = await startTestService();
    try {
      const actor = await signUpAdmin(fresh);
      const events = Array.from({ length: 8 }, () => usageEvent(actor.companyId));
      const answers = await Promise.all(events.map((event) => reportUsage(fresh, event)));
      expect(answers.map(({ accepted }) => accepted)).toEqual(events.map(() => 1));
    } finally {
      await fresh.stop();
    }
  });
});
