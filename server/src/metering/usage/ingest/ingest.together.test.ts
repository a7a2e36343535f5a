import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedEvent } from '../../../../test/billing/unattributed.ts';
import { readUsage, reportUsage, usageEvent } from '../../../../test/billing/usage.ts';
import { type Actor, signUpAdmin } from '../../../../test/customers/actors.ts';
import { giveExternalId } from '../../../../test/customers/external-ids.ts';
import { sendDuring } from '../../../../test/harness/database/deadlock.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readUsageEvent } from './events.ts';

const MANY = 40;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

/** Sends one event. */
function send(event: object, headers: Record<string, string> = {}): Promise<Answer> {
  const request = { token: service.operatorKey, rawBody: JSON.stringify(event) };
  const type = { 'content-type': 'application/cloudevents+json' };
  return service.call('POST', '/operator/usage', { ...request, headers: { ...type, ...headers } });
}

const sendAll = (events: readonly object[]) => Promise.all(events.map((event) => send(event)));
const manyOf = (companyId: string) => Array.from({ length: MANY }, () => usageEvent(companyId));

/** What an answer says of its event. */
function outcomeOf({ status, body }: Answer): string {
  if (status !== 200) return `${status} ${body.error.code} ${JSON.stringify(body.error.details)}`;
  const [{ status: outcome, unattributed = false }] = body.results;
  return unattributed ? `${outcome}, unattributed` : outcome;
}

async function quantityOf({ token }: Actor): Promise<string[]> {
  const { data } = await readUsage(service, token, 'from=2026-01-01&to=2026-02-01&granularity=month');
  return data.map(({ quantity }: { quantity: string }) => quantity);
}

/** In how many transactions the events of a company were stored. */
async function transactionsOf({ companyId }: Actor): Promise<number> {
  const [row] = await service.database.owner<[{ count: number }]>`
    SELECT count(DISTINCT xmin::text)::int AS count FROM usage_events WHERE company_id = ${companyId}`;
  return row.count;
}

const accepted = (events: readonly object[]) => events.map(() => 'accepted');

describe('events that come one by one at the same time', () => {
  it('are stored in fewer transactions than there are events, each of them once', async () => {
    const own = await signUpAdmin(service);
    const events = manyOf(own.companyId);
    expect((await sendAll(events)).map(outcomeOf)).toEqual(accepted(events));
    expect(await quantityOf(own)).toEqual([String(MANY)]);
    expect(await transactionsOf(own)).toBeLessThan(MANY / 2);
  });

  it('have the answers that each of them has alone', async () => {
    const own = await signUpAdmin(service);
    const externalId = randomUUID();
    await giveExternalId(service, own.companyId, externalId);
    const known = usageEvent(own.companyId);
    await reportUsage(service, known);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const cases: [object, string][] = [
      [known, 'duplicate'],
      [usageEvent(own.companyId), 'accepted'],
      [usageEvent(`external:${externalId}`), 'accepted'],
      [namedEvent(randomUUID()), 'accepted, unattributed'],
      [usageEvent(randomUUID()), '400 invalid_request [{"field":"subject","message":"must be the id of a company"}]'],
      [
        usageEvent(own.companyId, { time: later }),
        '400 invalid_request [{"field":"time","message":"must not be more than 5 minutes in the future"}]',
      ],
      [
        usageEvent(own.companyId, { data: { path: '' } }),
        '400 invalid_request [{"field":"data.path","message":"must not be empty"}]',
      ],
    ];
    const answers = await sendAll(cases.map(([event]) => event));
    expect(answers.map(outcomeOf)).toEqual(cases.map(([, outcome]) => outcome));
    const inBatch = await reportUsage(
      service,
      cases.map(([event]) => event),
    );
    expect(inBatch.accepted).toBe(0);
  });

  it('count once when they are the same, and are answered once as accepted', async () => {
    const own = await signUpAdmin(service);
    const event = usageEvent(own.companyId);
    const outcomes = (await sendAll(Array.from({ length: MANY }, () => event))).map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome !== 'duplicate')).toEqual(['accepted']);
    expect(await quantityOf(own)).toEqual(['1']);
  });

  it('replay the answer of an idempotency key beside others', async () => {
    const own = await signUpAdmin(service);
    const [first, ...others] = manyOf(own.companyId);
    const headers = { 'idempotency-key': randomUUID() };
    const withKey = () => send(first ?? {}, headers);
    const [answer] = await Promise.all([withKey(), sendAll(others)]);
    const repeat = await withKey();
    expect([repeat.body, repeat.headers.get('idempotent-replayed')]).toEqual([answer.body, 'true']);
    expect(await quantityOf(own)).toEqual([String(MANY)]);
  });
});

describe('events that come together with one', () => {
  // Security (Tenants): What the database does with one company's event neither holds up nor refuses the events of another
  it('that waits for another transaction, are stored meanwhile', async () => {
    const [own, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const event = usageEvent(own.companyId);
    const { digest } = readUsageEvent(event, 0) as { digest: string };
    const others = manyOf(other.companyId);
    const [outcomes, waiting] = await service.database.owner.begin(async (tx) => {
      await tx`INSERT INTO usage_event_keys (company_id, digest) VALUES (${own.companyId}, ${digest})`;
      const pending = send(event);
      return [(await sendAll(others)).map(outcomeOf), [pending]] as const;
    });
    expect(outcomes).toEqual(accepted(others));
    expect(outcomeOf(await waiting[0])).toBe('duplicate');
  });

  it('that the database refuses, are stored', async () => {
    const [own, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const [refused, ...others] = [usageEvent(own.companyId), ...manyOf(other.companyId)];
    const { owner } = service.database;
    await owner.unsafe(`
      CREATE FUNCTION refuse_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refused BEFORE INSERT ON usage_event_keys FOR EACH ROW
        WHEN (new.company_id = '${own.companyId}') EXECUTE FUNCTION refuse_it();`);
    try {
      const [answer, ...answers] = await sendAll([refused ?? {}, ...others]);
      expect([answer?.status, ...answers.map(outcomeOf)]).toEqual([500, ...accepted(others)]);
    } finally {
      await owner.unsafe('DROP FUNCTION refuse_it CASCADE');
    }
    expect(outcomeOf(await send(refused ?? {}))).toBe('accepted');
  });
});

it('events whose connection is lost while they are written are answered with 503, and count once when they are sent again', async () => {
  const own = await signUpAdmin(service);
  const events = manyOf(own.companyId);
  const lock = (tx: Tx) => tx`LOCK TABLE usage_event_keys IN EXCLUSIVE MODE`;
  const cut = (tx: Tx) => tx`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const first = (await sendDuring(service.database, lock, () => sendAll(events), cut)).map(({ status }) => status);
  expect(new Set(first)).toContain(503);
  const again = (await sendAll(events)).map(outcomeOf);
  expect(again).toEqual(first.map((status) => (status === 503 ? 'accepted' : 'duplicate')));
  expect(await quantityOf(own)).toEqual([String(MANY)]);
});
