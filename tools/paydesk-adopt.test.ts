/** `npm run paydesk -- reconcile --adopt`: what it prints, its flags and its exit codes. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPaydesk, PaydeskConnectionError } from '../packages/client/src/index.ts';
import { grantCredit, readLedger } from '../server/test/billing/credits.ts';
import { credit, voidInvoice } from '../server/test/billing/invoice-documents.ts';
import { expectStatus, issueInvoice, saveCard, signUpAdmin } from '../server/test/customers/actors.ts';
import { giveExternalId } from '../server/test/customers/external-ids.ts';
import { runPaydesk } from '../server/test/harness/paydesk-command.ts';
import { type ChargeService, startChargeService } from '../server/test/payments/charge.ts';
import { prepareToGoBack } from '../server/test/recovery/adopt.ts';
import { holdCharges, releaseCharges } from '../server/test/recovery/hold.ts';
import { captureAgain } from '../server/test/recovery/objects.ts';
import { runAdopt } from './paydesk/adopt.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
afterEach(() => releaseCharges(service));
afterAll(async () => service?.stop());

const adopt = (...words: string[]) => paydesk('reconcile', '--adopt', ...words);

const paydesk = (...words: string[]) => runPaydesk(service, words);
/** What `--json` says of what waits for a person. */
async function readTold() {
  const { code, stdout } = await adopt('--json');
  const { cases, awaitingRelease: invoices } = JSON.parse(stdout);
  return { code, cases, invoices };
}
const post = (path: string) => service.call('POST', path, { token: service.operatorKey });

async function acknowledgeAll(): Promise<void> {
  const path = '/operator/alerts?kind=recovery_review&state=open&perPage=1000';
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  for (const alert of data) expectStatus(await post(`/operator/alerts/${alert.id}/acknowledge`), 200);
}

describe('journals', () => {
  it('lists the journals of the database, and retires one', async () => {
    const id = crypto.randomUUID();
    await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'another', '/journal')`;
    const listed = await paydesk('journals');
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toContain(`${id}  /journal on another  last kept `);
    expect(await paydesk('journals', '--retire', id)).toMatchObject({
      code: 0,
      stdout: 'Paydesk no longer expects the journal /journal on another.\n',
    });
    expect((await paydesk('journals')).stdout).toMatch(new RegExp(`${id} .* declared lost`));
    expect(await paydesk('journals', '--retire')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('reconcile --adopt', () => {
  it('tells that nothing is missing, with exit code 0', async () => {
    expect(await adopt()).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is missing'), stderr: '' });
    const { code, stdout } = await adopt('--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ hold: null, cases: [] })]);
  });

  it('tells what the last pass has found where comparing takes longer than a request may', async () => {
    const { operator } = createPaydesk({ url: service.url, operatorKey: service.operatorKey });
    const passes = async () => {
      throw new PaydeskConnectionError('timeout', 'No answer came.', { idempotencyKey: null, cause: null });
    };
    const slow = { ...operator, recovery: { ...operator.recovery, passes } };
    await expect(runAdopt(slow, ['--adopt'])).rejects.toThrow('No answer came.');
    const { companyId } = await signUpAdmin(service);
    const { goBack } = await prepareToGoBack(service);
    const { number } = await issueInvoice(service, companyId);
    await goBack();
    await post('/operator/recovery/passes');
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    expect(await runAdopt(slow, ['--adopt'])).toBe(1);
    expect(written.mock.calls.join('')).toContain(`invoice  ${number}`);
    expect((await adopt('--yes')).code).toBe(0);
  });

  it('prints one object with --json: what is found, then what was decided', async () => {
    const { companyId } = await signUpAdmin(service);
    const { goBack } = await prepareToGoBack(service);
    const { number } = await issueInvoice(service, companyId);
    await goBack();
    const told = await adopt('--json');
    expect([told.code, JSON.parse(told.stdout)]).toMatchObject([
      1,
      { cases: [{ kind: 'invoice', number, state: 'open' }] },
    ]);
    const done = await adopt('--yes', '--json');
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([
      0,
      { decided: [{ state: 'done', note: expect.stringContaining(number) }], remaining: 0, cases: [] },
    ]);
  });

  it('ends with 1 while something waits for a person, until its alert is acknowledged', async () => {
    const { companyId } = await signUpAdmin(service);
    const { id, number } = await issueInvoice(service, companyId);
    const { goBack } = await prepareToGoBack(service);
    expectStatus(await voidInvoice(service, id), 200);
    await goBack();
    await releaseCharges(service);
    expectStatus(await credit(service, id, { amount: '1.00' }), 201);
    const done = await adopt('--yes');
    expect([done.code, done.stderr]).toEqual([1, '']);
    expect(done.stdout).toContain('1 of 1 for a person: The void of invoice');
    expect(done.stdout).toContain(
      `1 case for a person. Acknowledge the alert of each case when you have dealt with it:\n  void  ${number}  -  The void of`,
    );
    expect((await adopt()).code).toBe(1);
    await acknowledgeAll();
    // The void may have been right, so the invoice is not charged before somebody says so.
    expect((await adopt()).stdout).toMatch(
      new RegExp(`wait for a release: 1\\. .*:\n  ${number}  .*  47\\.00 USD, due `),
    );
    expect(await adopt('--release', number)).toMatchObject({ code: 0 });
    expect(await adopt()).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is missing') });
  });

  it('refuses --yes with 2 while a journal is missing, reads a copy of it, or gives it up', async () => {
    const { companyId } = await signUpAdmin(service);
    const id = crypto.randomUUID();
    await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'another', '/journal')`;
    const { goBack } = await prepareToGoBack(service);
    await grantCredit(service, companyId, { amount: '5.00' });
    await goBack();
    const told = await adopt();
    expect([told.code, told.stdout]).toEqual([1, expect.stringContaining(`/journal on another (${id})`)]);
    expect(told.stdout).toMatch(/ends the hold, once all journals are read or given up\.\n$/);
    const refused = await adopt('--yes');
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('--journal <folder>, or give the journals up with --journal-lost');
    expect(await adopt('--journal', join(tmpdir(), 'there-is-none'))).toMatchObject({ code: 2 });
    const copy = await mkdtemp(join(tmpdir(), 'paydesk-copy-'));
    onTestFinished(() => rm(copy, { recursive: true, force: true }));
    await writeFile(join(copy, 'journal.json'), 'x');
    const calledIn = { INIT_CWD: dirname(copy) };
    const none = await runPaydesk(service, ['reconcile', '--adopt', '--journal', basename(copy)], calledIn);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining(`${copy} has no journal`)]);
    expect(await adopt('--journal', service.journal?.directory ?? '')).toMatchObject({ code: 1 });
    expect(await adopt('--yes', '--journal-lost')).toMatchObject({ code: 0 });
    expect((await readLedger(service, companyId)).balance).toBe('5.00');
  });

  it('gives no journal up at the wrong account', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    const { id: invoiceId } = await issueInvoice(service, admin.companyId);
    expectStatus(await service.call('PUT', `/payments/orders/${invoiceId}/pay`, { token: admin.token }), 200);
    const id = crypto.randomUUID();
    await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'another', '/journal')`;
    const { goBack } = await prepareToGoBack(service);
    await grantCredit(service, admin.companyId, { amount: '5.00' });
    await goBack();
    const { payments } = await service.sandbox.readLedger();
    const showAll = payments.map((payment) => service.hideAtGateway(payment.id));
    const refused = await adopt('--yes', '--journal-lost');
    const isLost = async () => {
      const [row] = await service.database.owner`SELECT lost_at IS NOT NULL AS "isLost" FROM journals WHERE id = ${id}`;
      return row?.isLost;
    };
    expect([refused.code, refused.stderr, await isLost()]).toEqual([
      2,
      expect.stringContaining('take the gateway out of the configuration'),
      false,
    ]);
    for (const show of showAll) show();
    expect(await adopt('--yes', '--journal-lost')).toMatchObject({ stderr: '' });
    expect(await isLost()).toBe(true);
    expect((await readLedger(service, admin.companyId)).balance).toBe('5.00');
  });

  it('names the damaged lines of a copy, and leaves them out with --journal-lost; refuses the journal of another database', async () => {
    const { companyId } = await signUpAdmin(service);
    const id = crypto.randomUUID();
    await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'another', '/journal')`;
    const { goBack } = await prepareToGoBack(service);
    await grantCredit(service, companyId, { amount: '5.00' });
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-copy-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await cp(service.journal?.directory ?? '', folder, { recursive: true });
    await writeFile(join(folder, 'journal.json'), JSON.stringify({ id }));
    const changed =
      '{"mark":"x","companyId":"x","kind":"void","subject":"x","at":"2026-10-01T00:00:00.000Z","document":{}}';
    await writeFile(join(folder, 'damaged.ndjson'), `{"check":"2026-10-01T00:00:00.000Z"}\n\0\0\n${changed}\n`);
    await goBack();
    const told = await adopt('--journal', folder);
    expect([told.code, told.stderr]).toEqual([
      2,
      expect.stringContaining(
        `damaged: ${[2, 3].map((number) => `${join(folder, 'damaged.ndjson')}, line ${number}`).join('; ')}.`,
      ),
    ]);
    expect((await adopt('--yes')).stderr).toContain(`These journals were not read: ${id}`);
    expect((await adopt('--yes', '--journal-lost', '--journal', folder)).stderr).toBe('');
    expect((await readLedger(service, companyId)).balance).toBe('5.00');
    await writeFile(join(folder, 'journal.json'), JSON.stringify({ id, installation: crypto.randomUUID() }));
    await service.database.owner`DELETE FROM journals WHERE id = ${id}`;
    const other = await adopt('--journal', folder, '--journal-lost');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('this is the journal of another database')]);
  });

  it('books what belonged to a lost company to another one, and refunds a capture that stays without one', async () => {
    const { goBack } = await prepareToGoBack(service);
    const [lost, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await grantCredit(service, lost.companyId, { amount: '9.00' });
    await saveCard(service, other);
    const { id } = await issueInvoice(service, other.companyId);
    const paid = await service.call('PUT', `/payments/orders/${id}/pay`, { token: other.token });
    expectStatus(paid, 200);
    await goBack();
    const now = await signUpAdmin(service);
    const externalId = `eu=${crypto.randomUUID()}`;
    await giveExternalId(service, now.companyId, externalId);
    const { code, stdout } = await adopt('--yes', '--company', `${lost.companyId}=external:${externalId}`);
    expect([code, (await readLedger(service, now.companyId)).balance]).toEqual([1, '9.00']);
    const [, payment = ''] = /--refund (\S+?)[`\s]/.exec(stdout) ?? [];
    const refunded = await adopt('--refund', payment);
    expect([refunded.code, refunded.stdout, refunded.stderr]).toEqual([
      0,
      expect.stringContaining('48.00 USD are refunded'),
      '',
    ]);
    const { refunds } = await service.sandbox.readLedger();
    expect(refunds.at(-1)).toMatchObject({ amountMinor: 4_800n });
  });

  it('accepts a second capture of a debt as credit of its company', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin);
    const invoice = await issueInvoice(service, admin.companyId);
    expectStatus(await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token: admin.token }), 200);
    const { goBack } = await prepareToGoBack(service);
    const payment = await captureAgain(service, { invoice, admin });
    await goBack();
    expect(await adopt('--yes')).toMatchObject({ code: 1, stdout: expect.stringContaining(`--accept ${payment}`) });
    const said = `48.00 USD are credit of company ${admin.companyId} now.\n`;
    expect(await adopt('--accept', payment)).toMatchObject({ code: 0, stdout: said, stderr: '' });
    const again = await adopt('--accept', payment, '--json');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { gatewayPaymentId: payment, amount: '48.00' }]);
    expect((await readLedger(service, admin.companyId)).balance).toBe('48.00');
  });

  it('lists the invoices that wait because a journal was lost, after the hold too, and releases them', async () => {
    await acknowledgeAll();
    await adopt('--release');
    const { companyId } = await signUpAdmin(service);
    const [{ number }, { id: creditedId }] = [
      await issueInvoice(service, companyId),
      await issueInvoice(service, companyId),
    ];
    await service.database
      .owner`UPDATE invoices SET buyer = '{"organization":"Acme\\u001b Ltd"}' WHERE number = ${number}`;
    await holdCharges(service);
    await service.database.owner`
      INSERT INTO journals (id, host, directory, lost_at, lost_in)
      SELECT ${crypto.randomUUID()}, 'another', '/journal', now(), id FROM charges_holds WHERE ended_at IS NULL`;
    await releaseCharges(service);
    expectStatus(await credit(service, creditedId, { amount: '3.00' }), 201);
    const told = await adopt();
    expect([told.code, told.stderr]).toEqual([1, '']);
    expect(told.stdout).not.toContain('Nothing is missing');
    const { invoices, ...list } = await readTold();
    expect(list).toEqual({ code: 1, cases: [] });
    const mine = invoices.filter((one: { companyId: string }) => one.companyId === companyId);
    expect(mine.map((one: { amountDue: string }) => one.amountDue)).toEqual(['48.00', '45.00']);
    expect(told.stdout).toContain(`Invoices that wait for a release: ${invoices.length}. Void or credit`);
    expect(told.stdout).toMatch(
      new RegExp(`\n  ${number}  Acme.? Ltd  48\\.00 USD, due ${mine[0].dueAt.slice(0, 10)}\n`),
    );
    expectStatus(await voidInvoice(service, mine[0].id), 200);
    expect((await readTold()).invoices).toHaveLength(invoices.length - 1);
    expect((await adopt('--yes')).stdout).toContain(`Invoices that wait for a release: ${invoices.length - 1}. `);
    expect(await adopt('--release')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ invoices? may be charged now/),
    });
    expect(await readTold()).toEqual({ code: 0, cases: [], invoices: [] });
    expect(await adopt('--release', 'INV-009999')).toMatchObject({
      code: 1,
      stdout: '0 invoices may be charged now. None of these waits: INV-009999.\n',
    });
  });

  it.each([['--no'], ['--journal'], ['--company', 'one'], ['--company', 'external:one'], ['--journal', '--yes']])(
    'explains itself for %s',
    async (...words) => {
      const { code, stdout, stderr } = await adopt(...words);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Usage: npm run paydesk -- reconcile --adopt');
    },
  );
});
