/** A database that goes back is noticed: at the start, by a new connection, by the gateways, by a gateway event; and nothing else is. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { expectStatus, issueInvoice } from '../../../test/customers/actors.ts';
import { type ChargeService, preparePayable, startChargeService } from '../../../test/payments/charge.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { mailsOf, releaseCharges } from '../../../test/recovery/hold.ts';
import { assertNotHeld, type ChargesHold, openChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import { type Journal, recordMark, startJournal } from '../../continuity/journal/journal.service.ts';
import { rememberExternalIds } from '../../customers/companies/external-ids/external-ids.service.ts';
import { JOURNALED } from '../../features.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import { hasCode } from '../../platform/errors.ts';
import { createLogger } from '../../platform/logging/logger.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { recordHeartbeat } from '../../platform/processes/processes.worker.queries.ts';
import { readHold } from '../hold/hold.service.ts';
import { startNoticing } from './watch.ts';

/** Has the database, its API and its gateway. The processes of the tests work beside it. */
let service: ChargeService;
let folder: string;
beforeAll(async () => {
  service = await startChargeService();
});
const machines: Machine[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-marks-'));
});
afterEach(async () => {
  for (const { stop } of machines.splice(0)) await stop();
  await rm(folder, { recursive: true, force: true });
  await releaseCharges(service);
  // What a test has lost is not lost again in the next one.
  const { payments } = await service.sandbox.readLedger();
  for (const { id, reference } of payments) {
    if ((await service.database.owner`SELECT FROM payments WHERE id::text = ${reference}`).length === 0)
      service.hideAtGateway(id);
  }
  await service.database.owner`DELETE FROM journals`;
  await service.database.owner`DELETE FROM gateway_comparisons`;
});
afterAll(() => service?.stop());

type Machine = { id: string; journal: Journal; chargesHold: ChargesHold; directory: string; stop: () => Promise<void> };

const logger = createLogger('silent', { write: () => undefined });

/** Starts what a process does: its journal, and noticing. */
async function startMachine({
  name = 'machine',
  marksCheckSeconds = 3_600,
  gatewayLagSeconds = 1,
  gateways = service.gateways.configured,
  startPatienceMs,
}: {
  name?: string;
  marksCheckSeconds?: number;
  gatewayLagSeconds?: number;
  gateways?: readonly Gateway[];
  startPatienceMs?: number;
} = {}): Promise<Machine> {
  const { db } = service.database;
  const directory = join(folder, name);
  const chargesHold = openChargesHold({ charges: 'on' }, db, new Date());
  const onProblem = (reason: string | null) => chargesHold.suspect('journal', reason);
  const readExternalIds = rememberExternalIds(db).of;
  const journal = startJournal({ db, directory, kinds: JOURNALED, readExternalIds, logger, onProblem });
  const config = { marksCheckSeconds, gatewayLagSeconds };
  const dependencies = { ...{ db, gateways, journal, chargesHold, config, logger }, ...mailsOf(service) };
  const noticing = await startNoticing(dependencies, startPatienceMs);
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await noticing.stop();
    await journal.stop();
    // With a process of its own, that would be gone too.
    chargesHold.suspect('marks', null);
  };
  const machine = { id: journal.id() ?? '', journal, chargesHold, directory, stop };
  machines.push(machine);
  return machine;
}

const readReason = async () => (await readHold(service.database.db))?.reason ?? null;
const waitForHold = () => expect.poll(readReason).not.toBeNull();
const MISSING = expect.stringContaining('lacks what the journal has');

/** Writes a mark as a transaction of the machine that was started last. */
async function mark(): Promise<string> {
  const id = randomUUID();
  await transaction(service.database.db, (tx) =>
    recordMark(tx, OPERATOR_SCOPE, { mark: id, kind: 'test', subject: id }),
  );
  return id;
}

/** Ends all connections of the service, as the restart of the database does. */
async function reconnect(): Promise<void> {
  await service.database.owner`
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await expect.poll(() => answers(service.database.db)).toBe(true);
}
const answers = (db: Db) =>
  db`SELECT 1`.then(
    () => true,
    () => false,
  );

describe('a restore is noticed', () => {
  it('at the start, by the journal', async () => {
    const { restore } = await backUp(service.database.owner);
    const before = await startMachine();
    await mark();
    await before.stop();
    await restore();
    const { chargesHold } = await startMachine();
    expect(await readReason()).toEqual(MISSING);
    expect(chargesHold.current()).toMatchObject({ by: 'database' });
  });

  it('at the start, without waiting for a slow gateway', async () => {
    const { stop } = await startMachine();
    const { restore } = await backUp(service.database.owner);
    await mark();
    await stop();
    await restore();
    const listing = Promise.withResolvers<{ entries: []; nextCursor: null }>();
    const gateways = service.gateways.configured.map((gateway) => ({
      ...gateway,
      listPayments: () => listing.promise,
    }));
    await startMachine({ gateways, startPatienceMs: 1 });
    expect(await readReason()).toEqual(MISSING);
    listing.resolve({ entries: [], nextCursor: null });
  });

  it('while it runs, by the first new connection', async () => {
    const { restore } = await backUp(service.database.owner);
    const { chargesHold } = await startMachine();
    await mark();
    await restore();
    expect(chargesHold.current()).toBeNull();
    await reconnect();
    expect(chargesHold.current()?.reason).toEqual(MISSING);
    await waitForHold();
  });

  it('by a transaction that waited for that connection, and that gives no number twice', async () => {
    const { restore } = await backUp(service.database.owner);
    await startMachine();
    await mark();
    await restore();
    await service.database.owner`
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    const attempt = () =>
      transaction(service.database.db, assertNotHeld).then(
        () => 'done',
        (error: unknown) => (hasCode(error, 'charges_held') ? 'held' : 'away'),
      );
    let answer = 'away';
    while (answer === 'away') answer = await attempt();
    expect(answer).toBe('held');
    await waitForHold();
  });

  it('by an idle machine, which wrote nothing of what is missing', async () => {
    const idle = await startMachine({ name: 'idle', marksCheckSeconds: 1 });
    const { restore } = await backUp(service.database.owner);
    const other = await startMachine({ name: 'other' });
    const id = await mark();
    await other.stop();
    await expect.poll(() => idle.journal.newestMarks().map((one) => one.mark)).toContain(id);
    await restore();
    await waitForHold();
  });

  it('at the start, by the gateway alone: another machine charged', async () => {
    const payable = await preparePayable(service);
    const { restore } = await backUp(service.database.owner);
    expectStatus(await payable.pay(), 200);
    await restore();
    await startMachine();
    expect(await readReason()).toMatch(/^The database lacks a payment that the gateway sandbox has/);
  });

  it('while it runs, within the time of a check', async () => {
    const payable = await preparePayable(service);
    await startMachine({ marksCheckSeconds: 1 });
    const { restore } = await backUp(service.database.owner);
    expectStatus(await payable.pay(), 200);
    await restore();
    await waitForHold();
  });

  it('at once if it is only suspected', async () => {
    const payable = await preparePayable(service);
    const { chargesHold } = await startMachine();
    const { restore } = await backUp(service.database.owner);
    expectStatus(await payable.pay(), 200);
    await restore();
    await chargesHold.doubt();
    expect(chargesHold.current()).toMatchObject({ by: 'database' });
  });

  it('by a gateway that lists the object only hours later', async () => {
    const payable = await preparePayable(service);
    const { restore } = await backUp(service.database.owner);
    expectStatus(await payable.pay(), 200);
    await restore();
    const madeAtMs = Date.now() - 2 * 3_600_000;
    let isListed = false;
    const gateways = service.gateways.configured.map((gateway) => {
      const listPayments: Gateway['listPayments'] = async (request) => {
        const page = await gateway.listPayments(request);
        return isListed && request.from.getTime() < madeAtMs ? page : { ...page, entries: [] };
      };
      return { ...gateway, listPayments };
    });
    const { chargesHold } = await startMachine({ gateways, gatewayLagSeconds: 3 * 3_600 });
    expect(await readReason()).toBeNull();
    isListed = true;
    await chargesHold.doubt();
    expect(chargesHold.current()).toMatchObject({ by: 'database' });
    const { companyId } = payable.admin;
    const found = () => service.database.owner`SELECT FROM recovery_cases WHERE company_id = ${companyId}`;
    await expect.poll(async () => (await found()).length, { timeout: 20_000 }).toBe(1);
  });

  it('if it is only suspected, without waiting for the first pass of the hold', async () => {
    const { restore } = await backUp(service.database.owner);
    const listing = Promise.withResolvers<{ entries: []; nextCursor: null }>();
    let answer: typeof listing.promise = Promise.resolve({ entries: [], nextCursor: null });
    const gateways = service.gateways.configured.map((gateway) => ({ ...gateway, listPayments: () => answer }));
    const { chargesHold } = await startMachine({ gateways });
    await mark();
    await restore();
    answer = listing.promise;
    await chargesHold.doubt();
    expect(chargesHold.current()).toMatchObject({ by: 'database', reason: MISSING });
    listing.resolve({ entries: [], nextCursor: null });
  });

  it('after a new journal replaced the lost one, because the new one begins with the newest mark', async () => {
    const first = await startMachine({ name: 'lost' });
    await first.stop();
    await service.database.owner`DELETE FROM journals`;
    const { restore } = await backUp(service.database.owner);
    await issueInvoice(service, (await preparePayable(service)).admin.companyId);
    await (await startMachine({ name: 'new' })).stop();
    await restore();
    await startMachine({ name: 'new' });
    expect(await readReason()).toEqual(MISSING);
  });
});

describe('the hold', () => {
  it('ends by itself after a false alarm, and is not begun again', async () => {
    const { restore } = await backUp(service.database.owner);
    const before = await startMachine();
    const id = await mark();
    await before.stop();
    await restore();
    const { chargesHold } = await startMachine({ marksCheckSeconds: 1 });
    expect(await readReason()).toEqual(MISSING);
    // A restore that forgets the kind of the mark: nobody knows a document of it.
    await service.database.owner`UPDATE recovery_cases SET state = 'done' WHERE mark = ${id}`;
    await expect.poll(readReason).toBeNull();
    expect(await service.database.owner`SELECT 1 FROM marks WHERE mark = ${id}`).toHaveLength(1);
    await reconnect();
    await chargesHold.doubt();
    // A connection that began during the hold may have missed the mark; that is compared once more.
    const readHoldHere = async () => {
      await chargesHold.refresh();
      return chargesHold.current();
    };
    await expect.poll(readHoldHere).toBeNull();
    expect(await readReason()).toBeNull();
  });

  it('stays while something is missing', async () => {
    const { companyId } = (await preparePayable(service)).admin;
    const { restore } = await backUp(service.database.owner);
    const before = await startMachine();
    await grantCredit(service, companyId, { amount: '1.00' });
    await before.stop();
    await restore();
    await startMachine({ marksCheckSeconds: 1 });
    const passes = async () => {
      const [row] = await service.database.owner<{ found: number; isLate: boolean }[]>`
        SELECT last_pass_found AS found, last_pass_at > begun_at + interval '2 seconds' AS "isLate" FROM charges_holds
        WHERE ended_at IS NULL`;
      return row;
    };
    await expect.poll(passes).toEqual({ found: 1, isLate: true });
  });
});

/** A journal of another machine, which has the newest entry. @returns its id, and what begins the process that keeps it */
async function keepElsewhere({ isAlive }: { isAlive: boolean }): Promise<{ id: string; begin: () => void }> {
  const journalId = randomUUID();
  await service.database.owner`
    INSERT INTO journals (id, host, directory, last_company_id, last_mark, last_mark_at)
    VALUES (${journalId}, 'another', '/var/lib/journal', ${OPERATOR_SCOPE}, gen_random_uuid(), now())`;
  const { beat, live } = createKeeper(journalId);
  if (isAlive) {
    await beat();
    live();
  }
  return { id: journalId, begin: live };
}

/** Another process, which keeps a journal. `live`: until the test ends. */
function createKeeper(journalId: string) {
  const { owner } = service.database;
  const processId = randomUUID();
  const beat = () =>
    owner`
      INSERT INTO processes (id, journal_id) VALUES (${processId}, ${journalId})
      ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`.catch(() => undefined);
  const live = () => {
    const beats = setInterval(beat, 200);
    onTestFinished(async () => {
      clearInterval(beats);
      await owner`DELETE FROM processes WHERE id = ${processId}`;
    });
  };
  return { beat, live };
}

describe('a journal', () => {
  it('that is lost is noticed although another journal is no longer kept', async () => {
    await (await startMachine({ name: 'old' })).stop();
    const last = await startMachine({ name: 'last' });
    await mark();
    await last.stop();
    await rm(last.directory, { recursive: true });
    await startMachine({ name: 'old' });
    expect(await readReason()).toBe(`The journal of this database is missing: ${last.id}.`);
  });

  it('of another machine makes only this process hold charges while that machine may still start', async () => {
    await issueInvoice(service, (await preparePayable(service)).admin.companyId);
    const { id, begin } = await keepElsewhere({ isAlive: false });
    const { chargesHold } = await startMachine();
    const reason = `The journal of this database is missing: ${id}.`;
    expect([chargesHold.current(), await readReason()]).toMatchObject([{ reason, by: 'process' }, null]);
    begin();
    await expect.poll(() => chargesHold.current()).toBeNull();
    expect(await readReason()).toBeNull();
  });

  it('of another machine counts as lost for all processes that start together', async () => {
    await issueInvoice(service, (await preparePayable(service)).admin.companyId);
    await keepElsewhere({ isAlive: false });
    // A process that has not judged yet.
    await recordHeartbeat(service.database.db, randomUUID());
    const beats = setInterval(
      () => service.database.owner`UPDATE processes SET seen_at = clock_timestamp()`.catch(() => undefined),
      200,
    );
    onTestFinished(() => clearInterval(beats));
    const { chargesHold } = await startMachine();
    expect(chargesHold.current()).toMatchObject({ by: 'process' });
    await service.database.owner`DELETE FROM processes`;
  });

  it('of another machine that does not start makes all processes hold charges', async () => {
    await issueInvoice(service, (await preparePayable(service)).admin.companyId);
    const { id } = await keepElsewhere({ isAlive: false });
    await startMachine({ marksCheckSeconds: 1 });
    await waitForHold();
    expect(await readReason()).toBe(`The journal of this database is missing: ${id}.`);
  });

  it('that is lost begins a hold, which names the journal', async () => {
    const before = await startMachine();
    await mark();
    await before.stop();
    await rm(before.directory, { recursive: true });
    await startMachine();
    expect(await readReason()).toBe(`The journal of this database is missing: ${before.id}.`);
  });

  it('that comes back ends the hold that its loss began', async () => {
    const before = await startMachine();
    await mark();
    await before.stop();
    await rename(before.directory, join(folder, 'away'));
    await startMachine({ name: 'new', marksCheckSeconds: 1 });
    expect(await readReason()).toContain(before.id);
    await rename(join(folder, 'away'), before.directory);
    await expect.poll(readReason).toBeNull();
  });

  it('whose folder is deleted while a process keeps it makes that process hold charges until the folder exists again', async () => {
    const machine = await startMachine({ marksCheckSeconds: 1 });
    await mark();
    const reasons: (string | undefined)[] = [];
    const stopListening = machine.chargesHold.onChange(() => reasons.push(machine.chargesHold.current()?.reason));
    onTestFinished(stopListening);
    const id = machine.journal.id();
    await rm(machine.directory, { recursive: true });
    await expect.poll(() => reasons.length).toBeGreaterThan(1);
    expect(reasons[0]).toBe('The journal cannot be written: it was deleted.');
    expect(reasons[1]).toBeUndefined();
    expect(machine.journal.id()).not.toBe(id);
    // It begins with the newest mark, so that a start after this finds it in use.
    await expect.poll(() => machine.journal.readLast().length).toBeGreaterThan(0);
    await machine.stop();
    await startMachine();
    expect(await readReason()).toBeNull();
  });
});

describe('nothing is held', () => {
  it('on a database without marks', async () => {
    await service.database.owner`DELETE FROM marks`;
    await startMachine();
    expect(await readReason()).toBeNull();
  });

  it('on a database with marks that knows no journal, as from an older version', async () => {
    await issueInvoice(service, (await preparePayable(service)).admin.companyId);
    await startMachine();
    expect(await readReason()).toBeNull();
  });

  it.each([
    ['a process that starts again', 'machine'],
    ['a process with another directory, while that of the first can be read', 'other'],
  ])('by %s', async (_, name) => {
    const before = await startMachine();
    await mark();
    await before.stop();
    await startMachine({ name });
    expect(await readReason()).toBeNull();
    await startMachine({ name: 'third' });
    expect(await readReason()).toBeNull();
  });

  it('when another journal was kept for a while, and this one again after it', async () => {
    const first = await startMachine({ name: 'first' });
    await mark();
    await first.stop();
    const other = await startMachine({ name: 'other' });
    await mark();
    await other.stop();
    await (await startMachine({ name: 'first' })).stop();
    await rm(other.directory, { recursive: true });
    await startMachine({ name: 'first' });
    expect(await readReason()).toBeNull();
  });

  it('when two journals were kept at the same time, and this one stopped last', async () => {
    const first = await startMachine({ name: 'first' });
    const other = await startMachine({ name: 'other' });
    await mark();
    await other.stop();
    await rm(other.directory, { recursive: true });
    await first.stop();
    await startMachine({ name: 'first' });
    expect(await readReason()).toBeNull();
  });

  it('when the directory of the journal was moved', async () => {
    const before = await startMachine();
    await mark();
    await before.stop();
    await rename(before.directory, join(folder, 'moved'));
    await startMachine({ name: 'moved' });
    expect(await readReason()).toBeNull();
  });

  it.each([
    ['the first, which wrote last, works', true],
    ['a third one works, and that which wrote last is gone', false],
  ])('when a second machine joins while %s', async (_, isLast) => {
    await mark();
    const { id } = await keepElsewhere({ isAlive: true });
    if (!isLast)
      await service.database.owner`UPDATE processes SET journal_id = gen_random_uuid() WHERE journal_id = ${id}`;
    const { chargesHold } = await startMachine();
    expect([chargesHold.current(), await readReason()]).toEqual([null, null]);
  });

  it('for a mark that is older than the database keeps marks', async () => {
    const before = await startMachine();
    await mark();
    await before.stop();
    await service.database.owner`DELETE FROM marks`;
    const old = new Date(Date.now() - 40 * 86_400_000).toISOString();
    for (const name of (await readdir(before.directory)).filter((file) => file.endsWith('.ndjson'))) {
      const path = join(before.directory, name);
      await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/"at":"[^"]*"/g, `"at":"${old}"`));
    }
    const { chargesHold } = await startMachine();
    await reconnect();
    expect(chargesHold.current()).toBeNull();
    expect(await readReason()).toBeNull();
  });

  it('because a gateway cannot be asked', async () => {
    await mark();
    await service.takeGatewayAway();
    const { chargesHold } = await startMachine();
    await chargesHold.doubt().finally(() => service.bringGatewayBack());
    expect(await readReason()).toBeNull();
  });

  it('for a charge that is made while the gateway is compared', async () => {
    const { chargesHold } = await startMachine();
    const payables = await Promise.all(Array.from({ length: 6 }, () => preparePayable(service)));
    const paid = Promise.all(payables.map(({ pay }) => pay()));
    await chargesHold.doubt();
    for (const answer of await paid) expectStatus(answer, 200);
    expect(await readReason()).toBeNull();
  });
});
