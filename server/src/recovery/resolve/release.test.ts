/** After a hold that ended without all journals, what was open waits for a person, and new documents have a series of their own. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { CARDS, expectStatus, issueInvoice } from '../../../test/customers/actors.ts';
import { capturesOf, expectSoundBooks, paymentsOf, settleAll } from '../../../test/payments/charge.ts';
import {
  type CollectionService,
  type Debtor,
  prepareDebtor,
  readDebt,
  startCollectionService,
} from '../../../test/payments/collection.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import * as resolve from '../../../test/recovery/resolve.ts';
import { selectDueGateways } from '../../payments/collection/collection.worker.queries.ts';
import { SYSTEM } from '../../platform/http/route/actor.ts';
import { readHold } from '../hold/hold.service.ts';
import { prepareForLostJournal } from '../hold/lost-journal.ts';
import { releaseInvoices } from './resolve.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
});
afterEach(async () => {
  // Nothing stays open for the next test.
  await release();
  await service.collect();
  await expectSoundBooks(service);
});
afterAll(() => service?.stop());

const post = (path: string, body: object = {}) => service.call('POST', path, { token: service.operatorKey, body });
const read = async (path: string) =>
  expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
const release = (invoices?: string[]) => resolve.release(service, invoices);
const prepare = () => prepareDebtor(service, { cardNumber: CARDS.visa });
const pay = ({ admin: { token }, invoiceId }: Debtor) =>
  service.call('PUT', `/payments/orders/${invoiceId}/pay`, { token });
const stateOf = async (debtor: Debtor) => (await readDebt(service, debtor)).collection.state;
const capturesOfDebt = ({ invoiceId }: Debtor) => capturesOf(service, { invoice: { id: invoiceId } });
const alerts = () => read('/operator/alerts?kind=awaiting_release');

/** A hold during which a person declares a journal lost. */
async function endWithoutJournal(): Promise<void> {
  await holdCharges(service);
  await loseJournal();
  await releaseCharges(service);
}

const loseJournal = () => service.database.owner`
  INSERT INTO journals (id, host, directory, lost_at, lost_in)
  SELECT ${randomUUID()}, 'billing-2', '/var/lib/paydesk-journal', now(), id FROM charges_holds WHERE ended_at IS NULL`;

describe('an invoice that was open when a hold ended without all journals', () => {
  it('is charged neither automatically nor by hand until it is released, and its state says so', async () => {
    const debtor = await prepare();
    const before = await readDebt(service, debtor);
    const { total } = await alerts();
    await endWithoutJournal();
    const { collection, ...invoice } = await readDebt(service, debtor);
    expect(collection).toEqual({ ...before.collection, state: 'awaiting_release', nextAttemptAt: null });
    expect(invoice).toMatchObject({ status: 'Processing', state: 'open' });
    expect(await selectDueGateways(service.database.db, service.now())).toEqual([]);
    const answers = [await pay(debtor), await post(`/operator/invoices/${debtor.invoiceId}/charge`)];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [409, 'awaiting_release'],
      [409, 'awaiting_release'],
    ]);
    expect(await capturesOfDebt(debtor)).toEqual([]);
    const { data, total: totalNow } = await alerts();
    expect(totalNow).toBe(total + 1);
    expect(data[0]).toMatchObject({
      companyId: null,
      message: expect.stringContaining('reconcile --adopt --release'),
    });

    expect(await release([invoice.number.toLowerCase()])).toEqual({ released: 1, unknown: [] });
    expect((await readDebt(service, debtor)).collection).toEqual(before.collection);
    await service.collect();
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded', collection: { state: 'closed' } });
    expect(await capturesOfDebt(debtor)).toHaveLength(1);
  });

  it('is released once, however many do so at the same time', async () => {
    const [debtor, other] = [await prepare(), await prepare()];
    await endWithoutJournal();
    const { number } = await readDebt(service, debtor);
    const { owner, db } = service.database;
    const answers = await owner.begin(async (tx) => {
      await tx`SELECT FROM collections WHERE invoice_id = ${debtor.invoiceId} FOR UPDATE`;
      const releases = [release(), release(), release([number])];
      const countWaiting = () => db`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(countWaiting).toHaveLength(releases.length);
      return releases.map((answer) => [answer]);
    });
    const released = await Promise.all(answers.map(async ([answer]) => (await answer)?.released));
    expect(released.reduce((sum, one) => (sum ?? 0) + (one ?? 0), 0)).toBe(2);
    expect([await stateOf(debtor), await stateOf(other)]).not.toContain('awaiting_release');
  });

  it('takes no credit either', async () => {
    const debtor = await prepare();
    await grantCredit(service, debtor.admin.companyId, { amount: '48.00' });
    await endWithoutJournal();
    expect((await pay(debtor)).body.error.code).toBe('awaiting_release');
    expect(await paymentsOf(service, { invoice: { id: debtor.invoiceId } })).toEqual([]);
  });

  it('can be voided and credited meanwhile', async () => {
    const [voided, credited] = [await prepare(), await prepare()];
    await endWithoutJournal();
    expectStatus(await voidInvoice(service, voided.invoiceId), 200);
    expectStatus(await credit(service, credited.invoiceId, { amount: '40.00' }), 201);
    expect([await stateOf(voided), await stateOf(credited)]).toEqual(['closed', 'awaiting_release']);
    const { id, number, dueAt } = await readDebt(service, credited);
    const { companyId } = credited.admin;
    expect(await read('/operator/recovery/invoices')).toEqual({
      ...{ total: 1, page: 1, perPage: 10 },
      data: [
        {
          ...{
            id,
            companyId,
            companyExternalId: null,
            number,
            buyer: expect.any(String),
            amountDue: '8.00',
            currency: 'USD',
            dueAt,
          },
          paymentUnderReview: null,
        },
      ],
    });
    expect(await release()).toEqual({ released: 1, unknown: [] });
    expect((await pay(credited)).status).toBe(200);
    expect(await capturesOfDebt(credited)).toMatchObject([{ amountMinor: 800n }]);
  });

  it('is listed with the e-mail of its buyer, who has no name', async () => {
    const { admin } = await prepare();
    await endWithoutJournal();
    const [{ email }] = await service.database.owner<[{ email: string }]>`
      SELECT email FROM users WHERE company_id = ${admin.companyId}`;
    const { data } = await read('/operator/recovery/invoices');
    expect(data).toMatchObject([{ companyId: admin.companyId, buyer: email }]);
  });

  it('with a payment without an outcome is not confirmed any more; after the release it is paid once', async () => {
    const [unsent, open, taken] = [await prepare(), await prepare(), await prepare()];
    await service.sandbox.armFault({ operation: 'create', kind: 'answer_lost_before_effect' });
    expect((await pay(unsent)).status).toBe(202);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expect((await pay(open)).status).toBe(202);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect((await pay(taken)).status).toBe(202);
    await endWithoutJournal();
    await settleAll(service);
    expect(await Promise.all([unsent, open].map(capturesOfDebt))).toEqual([[], []]);
    expect(await stateOf(open)).toBe('awaiting_release');
    expect(await readDebt(service, taken)).toMatchObject({ status: 'Succeeded' });
    expect((await release()).released).toBe(2);
    for (const debtor of [unsent, open]) {
      expect((await pay(debtor)).status).toBe(200);
      expect(await capturesOfDebt(debtor)).toHaveLength(1);
    }
  });
});

describe('releasing invoices', () => {
  it('releases the named invoices, says which of them do not wait, and then the rest', async () => {
    const [first, second, third] = [await prepare(), await prepare(), await prepare()];
    await endWithoutJournal();
    const later = await prepare();
    expect(await stateOf(later)).toBe('scheduled');
    const numbers = [(await readDebt(service, first)).number, (await readDebt(service, later)).number, 'INV-999999'];
    expect(await release(numbers)).toEqual({ released: 1, unknown: numbers.slice(1) });
    expect(await Promise.all([first, second, third].map(stateOf))).toEqual([
      'scheduled',
      'awaiting_release',
      'awaiting_release',
    ]);
    expect(await release()).toEqual({ released: 2, unknown: [] });
    expect(await release()).toEqual({ released: 0, unknown: [] });
  });

  it('goes through any number of invoices, some at a time', async () => {
    const debtors = [await prepare(), await prepare(), await prepare()];
    await holdCharges(service);
    await loseJournal();
    const { db } = service.database;
    await prepareForLostJournal(db, (await readHold(db))?.id ?? '', 2);
    expect(await Promise.all(debtors.map(stateOf))).toEqual(Array(3).fill('awaiting_release'));
    await releaseCharges(service);
    expect(await releaseInvoices(db, null, SYSTEM, 2)).toEqual({ released: 3, unknown: [] });
    expect(await Promise.all(debtors.map(stateOf))).toEqual(Array(3).fill('scheduled'));
  });

  it.each([
    [{ outcome: 'released', invoices: [] }],
    [{ outcome: 'released', invoices: ['?'] }],
    [{ outcome: 'released', invoices: 'INV-000001' }],
    [{ outcome: 'refunded', invoices: ['INV-000001'] }],
    [{}],
  ])('is 400 for %j', async (body) => {
    expect((await resolve.resolve(service, randomUUID(), body)).status).toBe(400);
  });

  it('is a case of the hold until no invoice waits, and cannot be resolved otherwise', async () => {
    const [first, second] = [await prepare(), await prepare()];
    await endWithoutJournal();
    const waiting = async () =>
      (await read('/operator/recovery/cases?perPage=1000&state=person')).data.filter(
        ({ kind }: { kind: string }) => kind === 'open_invoices',
      );
    const [found, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(found).toMatchObject({ companyId: null, note: expect.stringContaining('reconcile --adopt --release') });
    const refused = await resolve.resolve(service, found.id, { outcome: 'refunded' });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'not_under_review' } } });
    await release([(await readDebt(service, first)).number]);
    expect(await waiting()).toMatchObject([{ id: found.id }]);
    expect(await stateOf(second)).toBe('awaiting_release');
    await release();
    expect(await waiting()).toEqual([]);
  });
});

describe('a new series of numbers', () => {
  it('begins each time that a hold ends without all journals', async () => {
    const { companyId } = (await prepare()).admin;
    const { invoicePrefix } = await read('/operator/numbering');
    await endWithoutJournal();
    const second = await read('/operator/numbering');
    expect(second.invoicePrefix).not.toBe(invoicePrefix);
    const invoice = await issueInvoice(service, companyId);
    expect(invoice.number).toBe(`${second.invoicePrefix}000001`);
    const note = expectStatus(await credit(service, invoice.id, { amount: '1.00' }), 201).body;
    expect(note.number).toBe(`${second.creditNotePrefix}000001`);
    await endWithoutJournal();
    const third = await read('/operator/numbering');
    expect((await issueInvoice(service, companyId)).number).toBe(`${third.invoicePrefix}000001`);
    expect(new Set([invoicePrefix, second.invoicePrefix, third.invoicePrefix]).size).toBe(3);
  });
});

describe('a hold that ends with all journals', () => {
  it.each([
    ['none is lost', () => releaseCharges(service)],
    [
      'one was lost before',
      async () => {
        await service.database.owner`
          INSERT INTO journals (id, host, directory, lost_at) VALUES (${randomUUID()}, 'billing-3', '/j', now() - interval '1 hour')`;
        await releaseCharges(service);
      },
    ],
  ])('changes nothing: %s', async (_name, end) => {
    const debtor = await prepare();
    const numbering = await read('/operator/numbering');
    await holdCharges(service);
    await end();
    expect(await stateOf(debtor)).toBe('scheduled');
    expect(await read('/operator/numbering')).toMatchObject({ invoicePrefix: numbering.invoicePrefix });
    await service.collect();
    expect(await capturesOfDebt(debtor)).toHaveLength(1);
  });
});
