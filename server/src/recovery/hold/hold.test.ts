import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { expectMetric } from '../../../test/harness/metrics.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { acceptStaff, inviteStaff } from '../../../test/identity/staff.ts';
import { mailsTo } from '../../../test/mail/mails.ts';
import { adopt, compareNow } from '../../../test/recovery/adopt.ts';
import { holdCharges, otherProcess, releaseCharges } from '../../../test/recovery/hold.ts';
import { createCreditNote } from '../../billing/invoices/invoices.service.ts';
import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import { type Tx, transaction } from '../../platform/database/database.ts';
import { whileLocked } from '../../platform/database/locks.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { keepEntries } from '../marks/cases.worker.queries.ts';
import { selectMissingMarks } from '../marks/compare.worker.queries.ts';
import { keepMissingEntries } from '../marks/pass.ts';
import { beginHold, endHold, readHold, whileHoldLasts } from './hold.service.ts';
import { startHoldWatcher, watchHold } from './hold.worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => releaseCharges(service));
afterAll(() => service?.stop());

const asOperator = async (path: string) =>
  expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
const listAlerts = () => asOperator('/operator/alerts?kind=charges_held');
const listEvents = async (type: string) => (await asOperator(`/operator/events?type=${type}`)).data;
const readReadiness = async () => expectStatus(await service.call('GET', '/readyz'), 200).body;

it('sends a mail to each admin of the staff', async () => {
  const [admin, viewer] = [
    await inviteStaff(service, { role: 'admin' }),
    await inviteStaff(service, { role: 'viewer' }),
  ];
  for (const { email } of [admin, viewer]) await acceptStaff(service, email);
  await holdCharges(service);
  const typesTo = async ({ email }: { email: string }) => (await mailsTo(service, email)).map(({ type }) => type);
  expect(await typesTo(admin)).toEqual(['charges_held', 'invitation']);
  expect(await typesTo(viewer)).toEqual(['invitation']);
  expect((await mailsTo(service, admin.email))[0].text).toContain('reconcile --adopt');
});

it('does not last in a process that could not begin it: when the process tries again, the reason may be gone', async () => {
  const one = otherProcess(service);
  const { owner } = service.database;
  await owner`ALTER TABLE charges_holds RENAME TO gone`;
  await expect(beginHold(one, 'A payment is missing.')).rejects.toThrow('charges_holds');
  await owner`ALTER TABLE gone RENAME TO charges_holds`;
  expect(one.chargesHold.current()).toBeNull();
});

it('works with the smallest connection pool while a pass lists the objects of a gateway', async () => {
  const small = await startTestService({ withJournal: true, poolSize: 3 });
  onTestFinished(small.stop);
  // It is open then, and the database knows it: until that, no pass can record that it has read it.
  await small.journal?.open();
  await holdCharges(small);
  const { db } = small.database;
  const listed = Promise.withResolvers<void>();
  const pass = whileLocked(db, 'recovery_passes', () => listed.promise.then(() => readHold(db)));
  await compareNow(small);
  expectStatus(await adopt(small), 200);
  listed.resolve();
  expect(await pass).toMatchObject({ reason: 'The database lacks a payment.' });
});

describe('a hold that several processes begin and end at once', () => {
  it('has one alert and one event each, of no company', async () => {
    const processes = [otherProcess(service), otherProcess(service), otherProcess(service)];
    const before = (await listAlerts()).total;
    const begun = await Promise.all(processes.map((one) => beginHold(one, 'A payment is missing.')));
    expect(begun.filter(Boolean)).toHaveLength(1);
    const { total, data } = await listAlerts();
    expect(total).toBe(before + 1);
    expect(data[0]).toMatchObject({
      ...{ companyId: null, kind: 'charges_held', paymentId: null, invoiceId: null },
      message: expect.stringContaining('A payment is missing.'),
    });
    const id = (await readHold(service.database.db))?.id ?? '';
    const [held] = await listEvents('charges.held');
    expect(held).toMatchObject({ companyId: null, data: { id, reason: 'A payment is missing.', endedAt: null } });
    const [alerted] = await listEvents('alert.created');
    expect(alerted.data).toEqual(data[0]);

    const ended = await Promise.all(processes.map((one) => endHold(one, id, async () => true)));
    expect(ended.filter(Boolean)).toHaveLength(1);
    const released = await listEvents('charges.released');
    expect(released.filter((event: { data: { id: string } }) => event.data.id === id)).toMatchObject([
      { companyId: null, data: { id, since: held.data.since, endedAt: expect.any(String) } },
    ]);
  });

  it('begins again after it has ended, with another alert', async () => {
    await holdCharges(service);
    const { total } = await listAlerts();
    await releaseCharges(service);
    await holdCharges(service);
    expect((await listAlerts()).total).toBe(total + 1);
  });
});

describe('GET /readyz and the metric', () => {
  it('name the journals that were declared lost during the hold', async () => {
    const lose = async () => {
      const id = randomUUID();
      await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'billing-2', '/journal')`;
      const path = `/operator/recovery/journals/${id}/lost`;
      expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
      return id;
    };
    await lose();
    await holdCharges(service, 'A payment is missing.');
    const id = await lose();
    await service.chargesHold.refresh();
    const { reason } = await readReadiness();
    expect(reason).toBe(`A payment is missing. Lost journals: ${id}.`);
    await releaseCharges(service);
  });

  it('show the hold of the database, why and since when', async () => {
    expect(await readReadiness()).toEqual({ status: 'ok', charges: 'on' });
    expect(await expectMetric(service, 'paydesk_charges_held')).toBe(0);
    await holdCharges(service, 'Invoice INV-7 is missing.');
    await service.chargesHold.refresh();
    const since = (await readHold(service.database.db))?.begunAt.toISOString();
    expect(await readReadiness()).toEqual({
      ...{ status: 'ok', charges: 'held', reason: 'Invoice INV-7 is missing.', since },
    });
    expect(await expectMetric(service, 'paydesk_charges_held')).toBe(1);
    await releaseCharges(service);
    expect(await readReadiness()).toEqual({ status: 'ok', charges: 'on' });
  });

  it('show a suspicion of the process at once, until the last one is cleared', async () => {
    const { suspect } = service.chargesHold;
    suspect('journal', 'The journal cannot be written.');
    suspect('marks', 'A mark is missing.');
    expect(await readReadiness()).toMatchObject({ charges: 'held', reason: 'The journal cannot be written.' });
    suspect('journal', null);
    expect(await readReadiness()).toMatchObject({ charges: 'held', reason: 'A mark is missing.' });
    suspect('marks', null);
    expect(await readReadiness()).toEqual({ status: 'ok', charges: 'on' });
  });
});

/** What a journal has and the database lacks: credit, which no gateway knows. */
function lostEntry(): JournalEntry {
  const mark = randomUUID();
  const at = new Date().toISOString();
  return { companyId: OPERATOR_SCOPE, mark, kind: 'credit_entry', subject: mark, at, document: '{}' };
}

describe('passes during a hold', () => {
  const watching = () => ({
    ...otherProcess(service),
    ...{ readJournals: async () => undefined, marksCheckSeconds: 0.05, gatewayLagSeconds: 0 },
  });
  const watch = async (found: number, gatewayLagSeconds: number) => {
    const makePass = async () => ({ found, settled: [] });
    return (await watchHold({ ...otherProcess(service), makePass, gatewayLagSeconds })).hasEnded;
  };

  it('end the hold once one of them finds nothing after the gateway’s lag', async () => {
    expect(await watch(0, 0)).toBe(false);
    await holdCharges(service);
    expect(await watch(2, 0)).toBe(false);
    expect((await readHold(service.database.db))?.lastPassFound).toBe(2);
    expect(await watch(0, 3_600)).toBe(false);
    expect((await readHold(service.database.db))?.lastPassFound).toBe(0);
    expect(await watch(0, 0)).toBe(true);
    expect(await readHold(service.database.db)).toBeNull();
  });

  it('do not end the hold when a case was written after the comparison, and do not take the mark of the case for known', async () => {
    await holdCharges(service);
    const { db } = service.database;
    const id = (await readHold(db))?.id ?? '';
    const entry = lostEntry();
    const makePass = async () => {
      await keepMissingEntries(db, id, [entry]);
      return { found: 0, settled: [] };
    };
    const made = await watchHold({ ...otherProcess(service), makePass, gatewayLagSeconds: 0 });
    expect(made).toEqual({ hasEnded: false, found: 0 });
    expect(await readHold(db)).not.toBeNull();
    expect(await selectMissingMarks(db, [entry])).toEqual([entry]);
    await service.database.owner`UPDATE recovery_cases SET state = 'done' WHERE mark = ${entry.mark}`;
    expect(await watch(0, 0)).toBe(true);
    expect(await selectMissingMarks(db, [entry])).toEqual([]);
  });

  it('do not end the hold while a case is being written', async () => {
    await holdCharges(service);
    const { db, owner } = service.database;
    const id = (await readHold(db))?.id ?? '';
    let ending: Promise<boolean> | undefined;
    await whileHoldLasts(db, id, async (tx) => {
      ending = watch(0, 0);
      const waiting = () => owner`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(waiting).not.toEqual([]);
      await keepEntries(tx, id, { entries: [lostEntry()], isCase: () => true });
    });
    expect(await ending).toBe(false);
    expect(await readHold(db)).not.toBeNull();
  });

  it('end a false alarm without a person', async () => {
    await holdCharges(service);
    const makePass = async () => ({ found: 0, settled: [] });
    const watcher = startHoldWatcher({ ...watching(), makePass }, service.server.log);
    await expect.poll(() => readHold(service.database.db)).toBeNull();
    await watcher.stop();
  });

  it('are made by one process at a time, at most once for each check, while every process reads the journals of its machine', async () => {
    await holdCharges(service);
    const readers = [vi.fn(async () => undefined), vi.fn(async () => undefined)];
    let [running, passes] = [0, 0];
    const atOnce: number[] = [];
    const makePass = async () => {
      running += 1;
      passes += 1;
      atOnce.push(running);
      // Until the other process has come by twice.
      const calls = readers.map((read) => read.mock.calls.length);
      const haveRead = () => readers.some((read, index) => read.mock.calls.length > (calls[index] ?? 0) + 1);
      await expect.poll(haveRead).toBe(true);
      running -= 1;
      return { found: passes === 1 ? 1 : 0, settled: [] };
    };
    const watchers = readers.map((readJournals) =>
      startHoldWatcher({ ...watching(), readJournals, makePass }, service.server.log),
    );
    await expect.poll(() => readHold(service.database.db)).toBeNull();
    for (const watcher of watchers) await watcher.stop();
    expect(atOnce).toEqual([1, 1]);
  });

  it('do not end the hold while a journal was neither read nor declared lost', async () => {
    const { owner } = service.database;
    await owner`INSERT INTO journals (id, host, directory) VALUES (gen_random_uuid(), 'one', '/journal')`;
    await holdCharges(service);
    expect(await watch(0, 0)).toBe(false);
    await owner`UPDATE journals SET lost_at = now()`;
    expect(await watch(0, 0)).toBe(true);
  });
});

describe('a transaction that brings back what is lost', () => {
  const note = (tx: Tx, invoiceId: string) =>
    createCreditNote(tx, invoiceId, { amount: '1.00', reason: 'Outage' }, async () => null);
  const prepareOpen = async () => issueInvoice(service, (await signUpAdmin(service)).companyId);

  it('may do what is held, unlike other transactions, and the hold does not end before it commits', async () => {
    const { db, owner } = service.database;
    const { id: invoiceId } = await prepareOpen();
    await holdCharges(service);
    await expect(transaction(db, (tx) => note(tx, invoiceId))).rejects.toMatchObject({ code: 'charges_held' });
    const hold = await readHold(db);
    let ending: Promise<boolean> | undefined;
    await transactionWhileHeld(db, async (tx) => {
      await note(tx, invoiceId);
      ending = endHold(otherProcess(service), hold?.id ?? '', async () => true);
      const waiting = () => owner`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(waiting).not.toEqual([]);
      expect(await readHold(tx)).not.toBeNull();
    });
    expect(await ending).toBe(true);
    const { body } = await service.call('GET', `/operator/invoices/${invoiceId}`, { token: service.operatorKey });
    expect(body).toMatchObject({ creditedTotal: '1.00' });
  });

  it('works like any other transaction without a hold', async () => {
    const { id: invoiceId } = await prepareOpen();
    const text = await transactionWhileHeld(service.database.db, (tx) => note(tx, invoiceId));
    expect(JSON.parse(text)).toMatchObject({ invoiceId });
  });
});
