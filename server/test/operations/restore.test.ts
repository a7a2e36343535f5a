/** docs/restore.md, from the backup to the lifted hold, as a person does it: everything is as if it had not happened. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../billing/credits.ts';
import { credit, voidInvoice } from '../billing/invoice-documents.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../customers/actors.ts';
import { type StartedService, startInProcess } from '../harness/in-process.ts';
import { runPaydesk } from '../harness/paydesk-command.ts';
import { becomesReady, endProcesses } from '../harness/process.ts';
import type { TestService } from '../harness/service.ts';
import { type ChargeService, chargeEnvironment, expectSoundBooks, startChargeService } from '../payments/charge.ts';
import { type Backup, backUp } from '../payments/restore.ts';

/** Its database and its gateway are used; it serves nobody. */
let world: ChargeService;
let journalDirectory: string;
let running: StartedService | undefined;
let service: TestService;
let admin: Actor;
let backup: Backup;
let open: { id: string; number: string };
let before: string[];
let eventsBefore: Map<string, string>;
let captures: number;

beforeAll(async () => {
  world = await startChargeService();
  journalDirectory = await mkdtemp(join(tmpdir(), 'paydesk-journal-'));
});
afterAll(async () => {
  await running?.stop();
  await endProcesses();
  await world?.stop();
  await rm(journalDirectory, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const settings = { JOURNAL_DIR: journalDirectory, GATEWAY_LAG_SECONDS: '1', MARKS_CHECK_SECONDS: '1' };
  running = await startInProcess({ ...chargeEnvironment(world), ...settings });
  service = { ...running.service, operatorKey: world.operatorKey };
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

const pay = (id: string) => service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token });
const readReadiness = async () => (await becomesReady(service)).body;
const countCaptures = async () => (await world.sandbox.readLedger()).captures.length;

/** All that the company reads of its invoices and credit notes; without the times of the last change. */
async function readDocuments(): Promise<string[]> {
  const { token } = admin;
  const { body, text } = expectStatus(await service.call('GET', '/payments/orders?perPage=1000', { token }), 200);
  const answers = [text];
  for (const { id } of body.data) {
    answers.push(expectStatus(await service.call('GET', `/payments/orders/${id}/credit-notes`, { token }), 200).text);
  }
  return answers.map((answer) => answer.replaceAll(/"(updatedAt|createdAt)" ?: ?"[^"]*"/g, ''));
}

/** The ids of the events about invoices, payments and credit notes, by what happened to which of them. */
async function readEvents(): Promise<Map<string, string>> {
  const path = `/operator/events?companyId=${admin.companyId}&perPage=500`;
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  const events = data as { id: string; type: string; data: { id: string } }[];
  return new Map(
    events
      .filter(({ type }) => /^(invoice|payment|credit_note)\./.test(type))
      .map((event) => [`${event.type} ${event.data.id}`, event.id]),
  );
}

const paydesk = (...words: string[]) => runPaydesk(service, words);

describe('a database that is restored', () => {
  it('is backed up while the service works', async () => {
    await start();
    admin = await signUpAdmin(service);
    await saveCard(service, admin);
    expectStatus(await pay((await issueInvoice(service, admin.companyId)).id), 200);
    open = await issueInvoice(service, admin.companyId);
    backup = await backUp(world.database.owner);
  });

  it('lacks what is done afterwards: payments, invoices, a credit note, credit, a void', async () => {
    const paid = await issueInvoice(service, admin.companyId);
    expectStatus(await pay(paid.id), 200);
    expectStatus(await credit(service, paid.id, { amount: '5.00' }), 201);
    await grantCredit(service, admin.companyId, { amount: '10.00' });
    expectStatus(await pay((await issueInvoice(service, admin.companyId)).id), 200);
    expectStatus(await voidInvoice(service, open.id), 200);
    [before, eventsBefore, captures] = [await readDocuments(), await readEvents(), await countCaptures()];
    expect(captures).toBe(3);
  });

  it('is noticed at the start: charges are held, and nothing is charged', async () => {
    await stop();
    await backup.restore();
    await start();
    expect(await readReadiness()).toMatchObject({ status: 'ok', charges: 'held', reason: expect.any(String) });
    expect((await pay(open.id)).body.error.code).toBe('charges_held');
    const path = '/operator/alerts?kind=charges_held';
    const { total, data } = (await service.call('GET', path, { token: service.operatorKey })).body;
    expect([total, data[0].message]).toEqual([1, expect.stringContaining('npm run paydesk -- reconcile --adopt')]);
  });

  it('is described by reconcile --adopt, which changes nothing', async () => {
    const documents = await readDocuments();
    const { code, stdout, stderr } = await paydesk('reconcile', '--adopt');
    expect([code, stderr]).toEqual([1, '']);
    const lines = stdout.split('\n');
    const kinds = lines.map((line) => line.split('  ')[0]).slice(0, 7);
    expect(kinds).toEqual(['invoice', 'payment', 'credit_note', 'credit_entry', 'invoice', 'payment', 'void']);
    expect(lines[0]).toMatch(/^invoice {2}INV-000003 {2}48\.00 USD {2}The invoice is written again/);
    expect(stdout).toContain('7 cases to deal with: add --yes.');
    expect(stdout).toContain('Charges are held since ');
    expect(await readDocuments()).toEqual(documents);
  });

  it('is brought together by reconcile --adopt --yes, with every number and every payment', async () => {
    const { code, stdout, stderr } = await paydesk('reconcile', '--adopt', '--yes');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('1 of 7 Invoice INV-000003 ');
    expect(stdout).toContain('7 of 7 ');
    expect(await readDocuments()).toEqual(before);
  });

  it('notifies webhook endpoints again, with the ids of the events of then, and nothing under another id', async () => {
    const events = await readEvents();
    const lacking = [...eventsBefore.keys()].filter((what) => !events.has(what));
    expect(lacking.map((what) => what.split(' ')[0])).toEqual(['payment.started', 'payment.started']);
    for (const [what, id] of events) expect([what, eventsBefore.get(what)]).toEqual([what, id]);
  });

  it('is charged again once the hold has ended by itself, and nothing of it twice', async () => {
    await expect.poll(async () => (await readReadiness()).charges).toBe('on');
    const { body } = expectStatus(await service.call('GET', '/payments/orders', { token: admin.token }), 200);
    for (const { id, voidedAt } of body.data) if (voidedAt === null) expectStatus(await pay(id), 200);
    expect(await countCaptures()).toBe(captures);
    expect((await issueInvoice(service, admin.companyId)).number).toBe('INV-000005');
    expect(await paydesk('reconcile', '--adopt')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing is missing'),
    });
    const hour = 3_600_000;
    const around = [-hour, hour].map((ms) => new Date(Date.now() + ms).toISOString());
    expect((await paydesk('reconcile', ...around)).stdout).toContain('The books agree');
    await expectSoundBooks(world);
  });
});
