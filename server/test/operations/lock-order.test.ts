/** Statements that lock several rows lock them in one order, wherever the rows are stored, so that nobody waits in a circle. */
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainCompany } from '../../src/audit/audit.chain.ts';
import { recordAudit } from '../../src/audit/audit.service.ts';
import { markJournaled } from '../../src/continuity/journal/journal.worker.queries.ts';
import { deleteExpiredSessions } from '../../src/identity/sessions/sessions.worker.queries.ts';
import { lockForRename } from '../../src/labels/labels.queries.ts';
import { rescheduleMailsAfterClockChange } from '../../src/mail/sending/mail.worker.queries.ts';
import {
  type AttemptRecord,
  insertAttempts,
  rescheduleAfterClockChange,
} from '../../src/outbox/webhooks/delivery/delivery.worker.queries.ts';
import { type Tx, transaction } from '../../src/platform/database/database.ts';
import { SYSTEM } from '../../src/platform/http/route/actor.ts';
import { logIn } from '../customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../customers/actors.ts';
import { seedLabels } from '../customers/labels.ts';
import { deadlocksOf, sendDuring } from '../harness/database/deadlock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { addMember } from '../identity/roles.ts';
import { addEndpoint, callEndpoint } from '../outbox/webhooks.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

/** Locks a row, which nobody else may have locked. */
type Lock = (tx: Tx) => Promise<unknown>;

/**
 * Makes a request wait for a lock on the first row. It has not locked the second one by then, although that is stored before the first: who
 * has the first row gets the second.
 */
const waitsForFirst = <Result>([first, second]: [Lock, Lock], request: () => Promise<Result>): Promise<Result> =>
  sendDuring(service.database, first, request, second);

describe('labels', () => {
  it('that get other names one after the other, so that each sees the name that the other has got', async () => {
    const [first = '', second = ''] = await seedLabels(service, admin, { count: 2, prefix: 'renamed' });
    const takeTurn: Lock = (tx) => lockForRename(tx, admin.companyId, first, 'one');
    const rename = () => service.call('PUT', `/labels/${second}`, { token: admin.token, body: { name: 'two' } });
    expectStatus(await sendDuring(service.database, takeTurn, rename), 200);
  });

  it('whose records are counted for the first time', async () => {
    const [lower = '', higher = ''] = (await seedLabels(service, admin, { count: 2, prefix: 'counted' })).sort();
    const setLabels = (labelId: string) => {
      const body = { type: 'ticket', id: 'T-1', label_ids: [labelId] };
      return service.call('PUT', '/labels/assignments', { token: admin.token, body });
    };
    expectStatus(await setLabels(higher), 200);
    /** Whichever of the rows of a label's counts the other one writes. */
    const lock = (labelId: string) => (tx: Tx) =>
      tx`
      INSERT INTO label_assignment_counts AS counts (company_id, label_id, shard, agents, tickets, customers)
      SELECT ${admin.companyId}::uuid, ${labelId}::uuid, shard, 0, 0, 0 FROM generate_series(0, 15) AS shard
      ON CONFLICT (company_id, label_id, shard) DO UPDATE SET agents = counts.agents`;
    expectStatus(await waitsForFirst([lock(lower), lock(higher)], () => setLabels(lower)), 200);
    expect(await deadlocksOf(service.database)).toBe(0);
  });
});

describe('webhook deliveries', () => {
  /** An endpoint with two deliveries; the lower one is stored last. */
  async function prepareDeliveries() {
    const { owner } = service.database;
    const endpoint = await addEndpoint(service, admin, { url: 'https://hooks.example.com/paydesk' });
    for (let count = 0; count < 2; count += 1) {
      expectStatus(await callEndpoint(service, admin, 'POST', `${endpoint.id}/test`), 201);
    }
    const rows = await owner<{ event: string }[]>`
      SELECT event FROM webhook_deliveries WHERE endpoint_id = ${endpoint.id} ORDER BY event`;
    const [lower = '', higher = ''] = rows.map(({ event }) => event);
    await owner`
      UPDATE webhook_deliveries SET next_attempt_at = now() + interval '9 days' WHERE endpoint_id = ${endpoint.id}`;
    await owner`
      UPDATE webhook_deliveries SET next_attempt_at = now() + interval '10 days' WHERE endpoint_id = ${endpoint.id} AND event = ${lower}`;
    const lock = (event: string) => (tx: Tx) =>
      tx`SELECT 1 FROM webhook_deliveries WHERE endpoint_id = ${endpoint.id} AND event = ${event} FOR UPDATE NOWAIT`;
    return { endpointId: endpoint.id, lower, locks: [lock(lower), lock(higher)] satisfies [Lock, Lock] };
  }

  it('that end because their endpoint is disabled', async () => {
    const { endpointId, locks } = await prepareDeliveries();
    const disable = () => callEndpoint(service, admin, 'PUT', endpointId, { status: 'disabled' });
    expectStatus(await waitsForFirst(locks, disable), 200);
  });

  it('that are due again after the clock was set back', async () => {
    const { endpointId, lower, locks } = await prepareDeliveries();
    const { owner, db } = service.database;
    await owner`UPDATE events SET created_at = now() + interval '1 day' WHERE id = ${lower}`;
    await waitsForFirst(locks, () => rescheduleAfterClockChange(db, [0]));
    await owner`UPDATE events SET created_at = now() WHERE id = ${lower}`;
    const [row] = await owner<[{ late: number }]>`
      SELECT count(*)::int AS late FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND next_attempt_at > now()`;
    expect(row.late).toBe(0);
  });

  it('whose attempt is recorded after the lock of their endpoint, which its deletion has first', async () => {
    const { endpointId, lower, locks } = await prepareDeliveries();
    const { owner, db } = service.database;
    const lease = randomUUID();
    await owner`
      UPDATE webhook_deliveries SET lease = ${lease}, leased_until = now() + interval '1 hour'
      WHERE endpoint_id = ${endpointId} AND event = ${lower}`;
    const attempt: AttemptRecord = {
      ...{ companyId: admin.companyId, id: uuidv7(), endpointId, eventId: lower, lease, status: 200, durationMs: 1 },
      ...{ failure: null, response: '', nextAttemptSeconds: null, endpointStatus: null },
      state: 'delivered',
    };
    const lockEndpoint: Lock = (tx) => tx`SELECT 1 FROM webhook_endpoints WHERE id = ${endpointId} FOR UPDATE NOWAIT`;
    await waitsForFirst([lockEndpoint, locks[0]], () => insertAttempts(db, [attempt]));
    const { body } = await callEndpoint(service, admin, 'GET', `${endpointId}/deliveries?state=delivered`);
    expect(body.data).toMatchObject([{ eventId: lower, attempts: [{ status: 200 }] }]);
  });
});

it('marks that two processes have found in their journals', async () => {
  const { owner, db } = service.database;
  const { companyId } = admin;
  const [lower, higher] = [uuidv7(), uuidv7()];
  for (const mark of [higher, lower]) {
    await owner`INSERT INTO marks (company_id, mark, kind, subject) VALUES (${companyId}, ${mark}, 'payment', ${mark})`;
  }
  const lock = (mark: string) => (tx: Tx) => tx`SELECT 1 FROM marks WHERE mark = ${mark} FOR UPDATE NOWAIT`;
  const given = [higher, lower].map((mark) => ({ companyId, mark, journalId: randomUUID() }));
  await waitsForFirst([lock(lower), lock(higher)], () => markJournaled(db, given));
  const rows = await owner`SELECT is_journaled AS "isJournaled" FROM marks WHERE mark IN (${lower}, ${higher})`;
  expect([...rows]).toEqual([{ isJournaled: true }, { isJournaled: true }]);
});

it('sessions of a user that end together', async () => {
  const user = await signUpCustomer(service);
  const { owner } = service.database;
  const { data } = expectStatus(await logIn(service, { email: user.email }), 200).body;
  await logIn(service, { email: user.email });
  const rows = await owner<{ id: string }[]>`SELECT id FROM sessions WHERE user_id = ${user.userId} ORDER BY id`;
  const [lower = '', , higher = ''] = rows.map(({ id }) => id);
  await owner`UPDATE sessions SET expires_at = expires_at - interval '1 second' WHERE id = ${lower}`;
  const lock = (id: string) => (tx: Tx) => tx`SELECT 1 FROM sessions WHERE id = ${id} FOR UPDATE NOWAIT`;
  const end = () => service.call('DELETE', '/auth/sessions', { token: data.access_token });
  expectStatus(await waitsForFirst([lock(lower), lock(higher)], end), 204);
});

it('entries of the audit log that name two members who both delete their accounts', async () => {
  const founder = await signUpAdmin(service);
  const member = await addMember(service, founder, 'Admin');
  const { owner, db } = service.database;
  const record = (by: Actor, of: Actor) =>
    transaction(db, (tx) =>
      recordAudit(tx, founder.companyId, {
        audience: 'company',
        actor: { ...SYSTEM, kind: 'user', id: by.userId, name: by.email },
        action: 'member.updated',
        target: { kind: 'user', id: of.userId, name: of.email },
        changes: null,
      }),
    );
  await record(founder, member);
  await record(member, founder);
  await chainCompany(db, founder.companyId);
  const rows = await owner<{ sequence: string }[]>`
    SELECT sequence FROM audit_entries WHERE company_id = ${founder.companyId} AND action = 'member.updated'
    ORDER BY sequence`;
  const [first = '', second = ''] = rows.map(({ sequence }) => sequence);
  const lock = (sequence: string) => (tx: Tx) =>
    tx`SELECT 1 FROM audit_entries WHERE company_id = ${founder.companyId} AND sequence = ${sequence} FOR UPDATE NOWAIT`;
  const remove = () => service.call('DELETE', '/auth/me', { token: member.token, body: { password: PASSWORD } });
  expectStatus(await waitsForFirst([lock(first), lock(second)], remove), 204);
});

it('mails that are due again after the clock was set back', async () => {
  const { owner, db } = service.database;
  const [lower, higher] = [uuidv7(), uuidv7()];
  for (const id of [higher, lower]) {
    await owner`
      INSERT INTO mails (company_id, id, type, language, recipients, subject, status, next_attempt_at, attempted_at, give_up_at)
      VALUES (${admin.companyId}, ${id}, 'email_verification', 'en', '["ada@example.com"]', 'Hello', 'queued', now() + interval '1 day',
              now() + interval '1 day', now() + interval '2 days')`;
  }
  const lock = (id: string) => (tx: Tx) => tx`SELECT 1 FROM mails WHERE id = ${id} FOR UPDATE NOWAIT`;
  await waitsForFirst([lock(lower), lock(higher)], () => rescheduleMailsAfterClockChange(db));
});

it('housekeeping passes over what somebody else has locked', async () => {
  const user = await signUpCustomer(service);
  const { owner, db } = service.database;
  await logIn(service, { email: user.email });
  await owner`UPDATE sessions SET expires_at = now() - interval '8 days' WHERE user_id = ${user.userId}`;
  await owner.begin(async (tx) => {
    await tx`SELECT 1 FROM sessions WHERE user_id = ${user.userId} LIMIT 1 FOR UPDATE`;
    expect(await deleteExpiredSessions(db, 100)).toBe(1);
  });
  expect(await deleteExpiredSessions(db, 100)).toBe(1);
});
