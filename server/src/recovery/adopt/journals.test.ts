/** The journal of another machine is read by the operator's requests. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { adopt, compareNow, listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { selectSettled } from '../marks/journals.worker.queries.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ withJournal: true });
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

/** Reads the lines of the service's journal, which plays that of another machine. */
async function readLines(): Promise<string[]> {
  const directory = service.journal?.directory ?? '';
  const names = (await readdir(directory)).filter((name) => name.endsWith('.ndjson'));
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
}

const send = (id: string, body: object) =>
  service.call('POST', `/operator/recovery/journals/${id}/entries`, { token: service.operatorKey, body });
const readRecovery = async () =>
  expectStatus(await service.call('GET', '/operator/recovery', { token: service.operatorKey }), 200).body;

it('entries of a journal that the database lacks begin a hold, are processed, and are not missed again', async () => {
  const id = randomUUID();
  await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'another', '/journal')`;
  const before = await readLines();
  // A backup from before the journal's first round takes the database back to where it does not know the journal.
  const known = async () => (await service.database.owner`SELECT id FROM journals`).map((row) => row.id);
  await expect.poll(known).toContain(service.journal?.id());
  const { restore } = await backUp(service.database.owner);
  await grantCredit(service, admin.companyId, { amount: '5.00' });
  const lines = await readLines();
  await restore();
  expect(expectStatus(await send(id, { lines: before, isLast: false }), 200).body).toMatchObject({ missing: 0 });
  expect(await readRecovery()).toMatchObject({ hold: null, cases: { open: 0 } });
  for (const isLast of [false, true]) {
    expect(expectStatus(await send(id, { lines, isLast }), 200).body).toEqual({ missing: 1 });
    const { hold, journals } = await readRecovery();
    expect(hold).toMatchObject({ reason: expect.stringContaining('a journal of another machine') });
    expect(Date.parse(hold.until)).toBeGreaterThan(Date.parse(hold.since));
    expect(journals).toContainEqual(expect.objectContaining({ id, readAt: isLast ? expect.any(String) : null }));
  }
  expect(await listCases(service)).toMatchObject([
    { kind: 'credit_entry', companyId: admin.companyId, amount: '5.00' },
  ]);
  await compareNow(service);
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ decided: [{ state: 'done' }], remaining: 0 });
  expect((await readLedger(service, admin.companyId)).balance).toBe('5.00');
  expect(expectStatus(await send(id, { lines, isLast: true }), 200).body).toMatchObject({ missing: 0 });
  await releaseCharges(service);
});

it('lines of a journal that are read while a hold ends count for the next hold', async () => {
  const { owner, db } = service.database;
  const { restore } = await backUp(owner);
  await grantCredit(service, admin.companyId, { amount: '5.00' });
  const lines = await readLines();
  await restore();
  await holdCharges(service, 'The first one.');
  const { answer } = await owner.begin(async (tx) => {
    // The hold first, as whoever ends it does: the service tries that by itself, too.
    await tx`SELECT FROM charges_holds WHERE ended_at IS NULL FOR UPDATE`;
    await tx`LOCK missing_marks IN ACCESS EXCLUSIVE MODE`;
    const sending = send(randomUUID(), { lines, isLast: false });
    const waiting = () => db`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(waiting).not.toEqual([]);
    await tx`UPDATE charges_holds SET ended_at = now() WHERE ended_at IS NULL`;
    return { answer: sending };
  });
  expect(expectStatus(await answer, 200).body).toMatchObject({ missing: 1 });
  const { hold, cases } = await readRecovery();
  expect([hold.reason, cases.open]).toEqual([expect.stringContaining('a journal of another machine'), 1]);
  await owner`UPDATE recovery_cases SET state = 'done' WHERE state = 'open'`;
  await releaseCharges(service);
});

const lose = (id: string) =>
  service.call('POST', `/operator/recovery/journals/${id}/lost`, { token: service.operatorKey });
const isMissing = async (id: string): Promise<boolean> =>
  (await readRecovery()).journals.find((one: { id: string }) => one.id === id)?.missing;

it('a copy of one that the database does not know, of which some lines were sent, waits until the rest is sent or given up', async () => {
  const id = randomUUID();
  await holdCharges(service);
  expectStatus(await send(id, { lines: await readLines(), isLast: false }), 200);
  expect((await readRecovery()).journals).toContainEqual(expect.objectContaining({ id, missing: true }));
  expect(expectStatus(await adopt(service), 409).body.error.message).toContain(id);
  expectStatus(await lose(id), 200);
  expect(await isMissing(id)).toBe(false);
  await service.chargesHold.refresh();
  expect(service.chargesHold.current()?.reason).toContain(`Lost journals: ${id}.`);
  await releaseCharges(service);
});

it('the journal of another database is refused', async () => {
  const other = randomUUID();
  const { error } = expectStatus(await send(randomUUID(), { lines: [], isLast: true, installation: other }), 400).body;
  expect(error.details).toEqual([{ field: 'installation', message: expect.stringContaining('another database') }]);
  const [{ id }] = await service.database.owner<[{ id: string }]>`SELECT id FROM installation`;
  expectStatus(await send(randomUUID(), { lines: [], isLast: true, installation: id }), 200);
});

it('damaged lines of a journal are in the log, and hold until they are given up; the rest of it is read', async () => {
  await service.database.owner`DELETE FROM journals WHERE id <> ${service.journal?.id() ?? ''}`;
  const name = `${randomUUID()}-000000.ndjson`;
  const file = join(service.journal?.directory ?? '', name);
  await writeFile(file, '{"check":"2026-10-01T00:00:00.000Z"}\nx\n{"mark":');
  const { goBack } = await prepareToGoBack(service);
  const { balance: before } = await readLedger(service, admin.companyId);
  await grantCredit(service, admin.companyId, { amount: '5.00' });
  await goBack();
  const { hold, journals } = await readRecovery();
  const [{ id }] = journals;
  expect(await selectSettled(service.database.db, hold.id)).toEqual([]);
  await service.chargesHold.refresh();
  expect(service.chargesHold.current()?.reason).not.toContain('Lost journals');
  expect(service.logs()).toContain(JSON.stringify({ path: file, number: 2 }));
  expect(expectStatus(await adopt(service), 409).body.error).toMatchObject({
    code: 'journal_missing',
    message: expect.stringContaining(id),
  });
  expect(expectStatus(await lose(id), 200).body).toMatchObject({ missing: false, lostAt: expect.any(String) });
  expect(await selectSettled(service.database.db, hold.id)).toEqual([id]);
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ decided: [{ state: 'done' }], remaining: 0 });
  expect(Number((await readLedger(service, admin.companyId)).balance) - Number(before)).toBe(5);
  await service.chargesHold.refresh();
  expect(service.chargesHold.current()?.reason).toContain(`Lost journals: ${id}.`);
  await releaseCharges(service);
  const alerts = await service.call('GET', '/operator/alerts?kind=awaiting_release', { token: service.operatorKey });
  expect(alerts.body.data[0].message).toContain('without all journals');
  await rm(file);
});

it('entries that a fault of the disk has changed are listed and left to a person, and delay nothing else', async () => {
  const { companyId } = admin;
  const entry = (kind: string, document: object) => {
    const fields = { mark: randomUUID(), companyId, kind, subject: randomUUID(), at: new Date().toISOString() };
    return `${JSON.stringify(fields).slice(0, -1)},"document":${JSON.stringify(document)}}`;
  };
  const id = randomUUID().replace(/.$/, 'x');
  const lines = [
    entry('credit_note', { invoice_id: id, number: 'CRN-000001', total: '3.x0', currency: 'USD' }),
    entry('payment', { gateway: 'none', invoiceId: id, creditMinor: '5x', currency: 'USD' }),
    entry('invoice', { number: 'INV-000001', total: '3.00', currency: 'USE' }),
    entry('credit_entry', { kind: 'grant', amount_minor: 'x', currency: 'USD' }),
  ];
  expectStatus(await send(randomUUID(), { lines, isLast: true }), 200);
  await compareNow(service);
  const { decided, remaining } = expectStatus(await adopt(service), 200).body;
  expect([decided.map(({ state }: { state: string }) => state), remaining]).toEqual([lines.map(() => 'person'), 0]);
  const cases = (await listCases(service, companyId, '&state=person')).slice(-lines.length);
  expect(cases.map(({ kind, amount }) => [kind, amount])).toEqual(
    ['credit_note', 'payment', 'invoice', 'credit_entry'].map((kind) => [kind, null]),
  );
  await releaseCharges(service);
});

it('a journal that was given up while the database was sound is not asked for by a hold, and changes nothing', async () => {
  const id = randomUUID();
  await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'another', '/journal')`;
  expectStatus(await lose(id), 200);
  await holdCharges(service);
  expect(await isMissing(id)).toBe(false);
  await service.chargesHold.refresh();
  expect(service.chargesHold.current()?.reason).not.toContain(id);
  await releaseCharges(service);
  expectStatus(await lose(randomUUID()), 404);
});

it.each([
  ['not JSON', 'x'],
  ['a number', '1'],
  ['another object', '{"mark":"1","document":{}}'],
  [
    'a document that is cut off',
    '{"mark":"1","companyId":"1","kind":"void","subject":"1","at":"2026-10-01","document":{"a":',
  ],
])('a line that no journal contains is refused: %s', async (_name, line) => {
  const check = '{"check":"2026-10-01T00:00:00.000Z"}';
  const { error } = expectStatus(
    await send(randomUUID(), { lines: [check, line, check, line], isLast: true }),
    400,
  ).body;
  const message = 'must be a line of a journal';
  expect(error.details).toEqual([1, 3].map((index) => ({ field: `lines[${index}]`, message })));
});
