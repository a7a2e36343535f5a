/**
 * A database that goes back together with its journal, as on a virtual machine that is rolled back: the journal has nothing that the
 * database lacks, and the gateway shows that it is not whole.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { voidInvoice } from '../billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../customers/actors.ts';
import { type StartedService, startInProcess } from '../harness/in-process.ts';
import { runPaydesk } from '../harness/paydesk-command.ts';
import { becomesReady, endProcesses } from '../harness/process.ts';
import type { TestService } from '../harness/service.ts';
import { type ChargeService, chargeEnvironment, expectSoundBooks, startChargeService } from '../payments/charge.ts';
import { type Backup, backUp } from '../payments/restore.ts';

/** Its database and its gateway are used; it serves nobody. */
let world: ChargeService;
let folder: string;
let running: StartedService | undefined;
let service: TestService;
let admin: Actor;
let backup: Backup;
/** Invoices of before the backup: one is voided afterwards, one is paid. */
let voided: { id: string; number: string };
let paid: { id: string; number: string };
/** Issued after the backup. */
let last: { id: string; number: string };

beforeAll(async () => {
  world = await startChargeService();
  folder = await mkdtemp(join(tmpdir(), 'paydesk-journals-'));
});
afterAll(async () => {
  await running?.stop();
  await endProcesses();
  await world?.stop();
  await rm(folder, { recursive: true, force: true });
});

const journal = () => join(folder, 'journal');
const oldJournal = () => join(folder, 'journal.old');

async function start(): Promise<void> {
  const settings = { JOURNAL_DIR: journal(), GATEWAY_LAG_SECONDS: '1', MARKS_CHECK_SECONDS: '1' };
  running = await startInProcess({ ...chargeEnvironment(world), ...settings });
  service = { ...running.service, operatorKey: world.operatorKey };
}

/** Puts the database back to the backup, and the journal with it. */
async function goBack({ withJournal }: { withJournal: boolean }): Promise<void> {
  await running?.stop();
  running = undefined;
  await backup.restore();
  if (withJournal) {
    await rm(journal(), { recursive: true });
    await cp(oldJournal(), journal(), { recursive: true });
  }
  await start();
}

const pay = (id: string) => service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token });
const read = async (path: string) =>
  expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
const readReadiness = async () => (await becomesReady(service)).body;
const paydesk = (...words: string[]) => runPaydesk(service, words);
const countCaptures = async () => (await world.sandbox.readLedger()).captures.length;

it('is backed up as a whole disk, and goes on', async () => {
  await start();
  admin = await signUpAdmin(service);
  await saveCard(service, admin);
  expectStatus(await pay((await issueInvoice(service, admin.companyId)).id), 200);
  [voided, paid] = [await issueInvoice(service, admin.companyId), await issueInvoice(service, admin.companyId)];
  backup = await backUp(world.database.owner);
  await cp(journal(), oldJournal(), { recursive: true });
  expectStatus(await voidInvoice(service, voided.id), 200);
  expectStatus(await pay(paid.id), 200);
  last = await issueInvoice(service, admin.companyId);
});

it('is noticed by what the gateway has, which says that the journal went back too', async () => {
  await goBack({ withJournal: true });
  const said = expect.stringMatching(/journal went back with the database.* payment payment_/i);
  expect(await readReadiness()).toMatchObject({ charges: 'held', reason: said });
  const { data } = await read('/operator/alerts?kind=charges_held');
  expect(data).toMatchObject([{ message: said }]);
  const { journals } = await read('/operator/recovery');
  expect(journals).toMatchObject([{ missing: true, lacks: expect.stringContaining('payment payment_') }]);
  const { code, stdout } = await paydesk('reconcile', '--adopt');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/went back with the database.*--journal-lost/s)]);
});

it('is not brought together before a person gives up what only the journal had', async () => {
  const { code, stderr } = await paydesk('reconcile', '--adopt', '--yes');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/went back with the database.*--journal-lost/s)]);
  expect(await readReadiness()).toMatchObject({ charges: 'held' });
});

it('is brought together with --journal-lost, also by a process that starts afterwards', async () => {
  expect((await paydesk('reconcile', '--adopt', '--yes', '--journal-lost')).code).not.toBe(2);
  await running?.stop();
  await start();
  expect((await paydesk('reconcile', '--adopt', '--yes')).code).not.toBe(2);
  await expect.poll(async () => (await readReadiness()).charges).toBe('on');
});

it('charges nobody for what was open before a person goes through it', async () => {
  const { data } = await read('/operator/recovery/invoices');
  expect(data).toMatchObject([{ number: voided.number, amountDue: '48.00' }]);
  expect((await pay(voided.id)).body.error.code).toBe('awaiting_release');
  expectStatus(await pay(paid.id), 200);
  expect(await countCaptures()).toBe(2);
  expectStatus(await voidInvoice(service, voided.id), 200);
  expect((await paydesk('reconcile', '--adopt', '--release')).code).toBe(0);
});

it('gives no number again', async () => {
  expect((await issueInvoice(service, admin.companyId)).number).toBe('INV-B-000001');
  await expectSoundBooks(world);
});

it('gives none again either after it went back once more, with the journal that says what was given up', async () => {
  await goBack({ withJournal: false });
  expect(await readReadiness()).toMatchObject({ charges: 'held' });
  expect((await paydesk('reconcile', '--adopt', '--yes')).code).not.toBe(2);
  await expect.poll(async () => (await readReadiness()).charges).toBe('on');
  expect((await paydesk('reconcile', '--adopt', '--release')).code).toBe(0);
  const next = await issueInvoice(service, admin.companyId);
  expect([last.number, 'INV-B-000001']).not.toContain(next.number);
  expect(next.number).toBe('INV-C-000001');
});
