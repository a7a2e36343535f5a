/** Documents and credit that the database has lost come back from the journal. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { grantCredit, putSettings, readLedger } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { addItem, listItems } from '../../../test/billing/items.ts';
import {
  type Actor,
  CARDS,
  expectStatus,
  issueInvoice,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { type ChargeService, expectSoundBooks, startChargeService } from '../../../test/payments/charge.ts';
import { backUp } from '../../../test/payments/restore.ts';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import { closeUsageCutoff } from '../../metering/usage/usage.service.ts';
import { findLivePayment } from '../../payments/payment/invoice-payments.service.ts';
import { type Tx, transaction } from '../../platform/database/database.ts';
import { recordLostNumber } from '../numbering/numbering.service.ts';
import {
  OTHER_INVOICE,
  type Restored,
  restoreCreditEntry,
  restoreCreditNote,
  restoreInvoice,
  restoreVoid,
} from './restore.service.ts';

let service: ChargeService;
beforeAll(async () => {
  // The month that the tests bill is the last one.
  service = await startChargeService({ withJournal: true, clock: () => new Date('2026-11-15T12:00:00Z') });
  await setPrice(service, { path: '/v1/restored', unitAmount: '0.0125' });
});
afterAll(async () => service?.stop());

const backUpNow = () => backUp(service.database.owner);

/** Reads the journal of a company, without its payments, which the gateway still has. */
async function entriesOf({ companyId }: Pick<Actor, 'companyId'>): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of service.journal?.read() ?? []) {
    if (entry.companyId === companyId && entry.kind !== 'payment') entries.push(entry);
  }
  return entries;
}

/** Writes these entries again, each in a transaction. @returns what happened to each */
async function restoreEntries(entries: readonly JournalEntry[], inCompanyId?: string): Promise<Restored[]> {
  const outcomes: Restored[] = [];
  for (const { companyId: ofCompanyId, kind, subject, document } of entries) {
    const companyId = inCompanyId ?? ofCompanyId;
    const restore = {
      invoice: restoreInvoice,
      credit_note: (...given: [tx: Tx, companyId: string, document: string]) =>
        restoreCreditNote(...given, findLivePayment),
      credit_entry: restoreCreditEntry,
    }[kind];
    outcomes.push(
      await transaction(service.database.db, (tx) =>
        restore === undefined
          ? restoreVoid(tx, companyId, { invoiceId: subject, document }, findLivePayment)
          : restore(tx, companyId, document),
      ),
    );
  }
  return outcomes;
}

const RESTORED: Restored = { outcome: 'restored', note: null };

async function readNumbering() {
  const path = '/operator/numbering';
  const { nextInvoiceNumber, nextCreditNoteNumber } = expectStatus(
    await service.call('GET', path, { token: service.operatorKey }),
    200,
  ).body;
  return { nextInvoiceNumber, nextCreditNoteNumber };
}

async function listLost() {
  return expectStatus(await service.call('GET', '/operator/lost-numbers', { token: service.operatorKey }), 200).body;
}

/** All that the company and the operator read of the company's documents, as text; without the times of the last change. */
async function answersOf({ companyId, token }: Actor): Promise<string[]> {
  const { body, text } = expectStatus(await service.call('GET', '/payments/orders?perPage=1000', { token }), 200);
  const paths = body.data.flatMap(({ id }: { id: string }) => [
    `/payments/orders/${id}`,
    `/payments/orders/${id}/credit-notes`,
  ]);
  const answers = [text];
  for (const path of paths) answers.push(expectStatus(await service.call('GET', path, { token }), 200).text);
  for (const path of ['credits', 'items']) {
    const url = `/operator/companies/${companyId}/${path}?perPage=1000`;
    answers.push(expectStatus(await service.call('GET', url, { token: service.operatorKey }), 200).text);
  }
  return answers.map((answer) => answer.replaceAll(/"updatedAt" ?: ?"[^"]*"/g, ''));
}

/** With their ids, by which endpoints know which they have got already. */
async function eventsOf({ companyId }: Actor): Promise<{ type: string; id: string }[]> {
  return service.database.owner<{ type: string; id: string }[]>`
    SELECT type, id FROM events WHERE company_id = ${companyId} AND type ~ '^(invoice|credit_note)' ORDER BY type, id`;
}

describe('a company whose documents were lost', () => {
  it('reads all of them as before, digit for digit, and nothing happens twice', async () => {
    const admin = await signUpAdmin(service);
    expectStatus(await putSettings(service, admin.companyId, { taxRate: '7.7' }), 200);
    await use(service, admin, '/v1/restored', 3_333, '2026-10-05T10:00:00Z');
    const item = await addItem(service, admin.companyId, { amount: '-100.00', taxRate: '20' });
    const { restore } = await backUpNow();

    // Sent again after the restore, in time.
    const useMore = () => use(service, admin, '/v1/restored', 80, '2026-10-06T10:00:00Z');
    await useMore();
    await grantCredit(service, admin.companyId, { amount: '25.00' });
    await runMonth(service, '2026-10');
    const details = [
      { title: 'Größe “L”', currency: 'USD', amount: '12345678901.99', totalRequest: 7 },
      { title: 'Rebate', currency: 'USD', amount: '-0.005' },
    ];
    const large = await issueInvoice(service, admin.companyId, {
      details,
      metadata: { order: 'A-1', parts: [1.5, null] },
      reference: 'order-1',
      taxRate: '19',
    });
    const voided = await issueInvoice(service, admin.companyId);
    expectStatus(await voidInvoice(service, voided.id), 200);
    expectStatus(await credit(service, large.id, { amount: '0.03', reference: 'return-1' }), 201);
    expectStatus(await credit(service, large.id, { details: [{ title: 'Part', amount: '8.00' }] }), 201);
    await grantCredit(service, admin.companyId, { amount: '-5.00', reason: 'Too much' });
    const [before, numbering, entries] = [await answersOf(admin), await readNumbering(), await entriesOf(admin)];
    const events = await eventsOf(admin);

    await restore();
    expect(await invoicesOf(service, admin)).toEqual([]);
    await useMore();
    expect(await restoreEntries(entries)).toEqual(entries.map(() => RESTORED));
    expect(await answersOf(admin)).toEqual(before);
    expect(await readNumbering()).toEqual(numbering);
    expect(await eventsOf(admin)).toEqual(events);
    expect((await listItems(service, admin.companyId)).data).toMatchObject([{ id: item.id }]);
    // The month is billed, also by a run that starts now.
    await runMonth(service, '2026-10');
    expect(await restoreEntries(entries)).toEqual(entries.map(() => ({ outcome: 'present' })));
    expect(await answersOf(admin)).toEqual(before);
    const upcoming = async () => (await service.call('GET', '/payments/upcoming-invoice', { token: admin.token })).body;
    await closeUsageCutoff(service.database.db);
    expect(await upcoming()).toMatchObject({ period: '2026-11', details: [] });
    await useMore();
    expect(await upcoming()).toMatchObject({ details: [{ kind: 'adjustment', amount: 1 }] });
    await expectSoundBooks(service);
  });

  it('gets a run’s invoice again beside a period that was billed meanwhile, and an event of it', async () => {
    const admin = await signUpAdmin(service);
    await use(service, admin, '/v1/restored', 80, '2026-10-05T10:00:00Z');
    const { restore } = await backUpNow();
    await runMonth(service, '2026-10');
    const entries = await entriesOf(admin);
    await restore();
    await service.database.owner`DELETE FROM usage_deltas WHERE company_id = ${admin.companyId}`;
    await runMonth(service, '2026-10');
    expect(await restoreEntries(entries)).toEqual([
      { outcome: 'restored', note: expect.stringContaining('billed for 2026-10 without this invoice') },
    ]);
    expect(await invoicesOf(service, admin)).toMatchObject([{ total: '1.00' }]);
  });
});

describe('an invoice is not written again', () => {
  it('when the same debt was issued again meanwhile; the other one is named', async () => {
    const admin = await signUpAdmin(service);
    const { restore } = await backUpNow();
    await issueInvoice(service, admin.companyId, { reference: 'twice' });
    const entries = await entriesOf(admin);
    await restore();
    const { id, number } = await issueInvoice(service, admin.companyId, { reference: 'twice' });
    expect(await restoreEntries(entries)).toEqual([{ outcome: 'superseded', by: { id, number } }]);
    expect(await invoicesOf(service, admin)).toMatchObject([{ id }]);
  });

  it('when another document has its number, or its company is unknown; the numbers are not given again', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const { restore } = await backUpNow();
    const { number } = await issueInvoice(service, admin.companyId);
    const late = await signUpAdmin(service);
    const lost = await issueInvoice(service, late.companyId);
    const [entries, ofLate] = [await entriesOf(admin), await entriesOf(late)];
    await restore();
    expect((await issueInvoice(service, other.companyId)).number).toBe(number);
    expect(await restoreEntries(entries)).toEqual([{ outcome: 'number_taken' }]);
    expect(await restoreEntries(ofLate)).toEqual([{ outcome: 'company_unknown' }]);
    expect((await issueInvoice(service, other.companyId)).number > lost.number).toBe(true);
    // The operator says which company it is now.
    expect(await restoreEntries(ofLate, admin.companyId)).toEqual([RESTORED]);
    expect(await invoicesOf(service, admin)).toMatchObject([{ id: lost.id, number: lost.number }]);
  });
});

describe('a void is not repeated', () => {
  it('when the invoice is paid, is credited, is being paid, or is not there', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin, { isDefault: true });
    const invoices = [];
    for (let count = 0; count < 3; count += 1) invoices.push(await issueInvoice(service, admin.companyId));
    const [paid, credited, running] = invoices;
    const { restore } = await backUpNow();
    for (const { id } of invoices) expectStatus(await voidInvoice(service, id), 200);
    const entries = (await entriesOf(admin)).filter(({ kind }) => kind === 'void');
    await restore();
    const pay = ({ id }: { id: string }) => service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token });
    expectStatus(await pay(paid), 200);
    expectStatus(await credit(service, credited.id, { amount: '1.00' }), 201);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expectStatus(await pay(running), 202);
    const unknown = { ...entries[0], subject: randomUUID() } as JournalEntry;
    expect(await restoreEntries([...entries, unknown])).toEqual([
      { outcome: 'impossible', reason: OTHER_INVOICE },
      { outcome: 'impossible', reason: OTHER_INVOICE },
      { outcome: 'impossible', reason: OTHER_INVOICE },
      { outcome: 'impossible', reason: 'The invoice is not in the database.' },
    ]);
    expect((await invoicesOf(service, admin)).map(({ voidedAt }: { voidedAt: string }) => voidedAt)).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('a credit note is not written again', () => {
  it('when its invoice is void, not as paid as then, has less left, or is not there', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin, { cardNumber: CARDS.visa, isDefault: true });
    const invoices = [];
    for (let count = 0; count < 4; count += 1) invoices.push(await issueInvoice(service, admin.companyId));
    const [voided, unpaid, paid, less] = invoices;
    const { restore } = await backUpNow();
    const pay = ({ id }: { id: string }) => service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token });
    expectStatus(await pay(unpaid), 200);
    const lost = await issueInvoice(service, admin.companyId);
    for (const { id } of [...invoices, lost]) expectStatus(await credit(service, id, { amount: '30.00' }), 201);
    const entries = (await entriesOf(admin)).filter(({ kind }) => kind === 'credit_note');
    await restore();
    expectStatus(await voidInvoice(service, voided.id), 200);
    expectStatus(await pay(paid), 200);
    expectStatus(await credit(service, less.id, { amount: '18.01' }), 201);
    expect(await restoreEntries(entries)).toEqual(
      [OTHER_INVOICE, OTHER_INVOICE, OTHER_INVOICE, OTHER_INVOICE, 'The invoice is not in the database.'].map(
        (reason) => ({ outcome: 'impossible', reason }),
      ),
    );
    const totals = (await invoicesOf(service, admin)).map(
      ({ creditedTotal }: { creditedTotal: string }) => creditedTotal,
    );
    expect(totals.toSorted()).toEqual(['0.00', '0.00', '0.00', '18.01']);
  });

  it('when another one has its reference or its number', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await issueInvoice(service, admin.companyId);
    const { restore } = await backUpNow();
    const first = expectStatus(await credit(service, id, { amount: '1.00' }), 201).body;
    expectStatus(await credit(service, id, { amount: '2.00', reference: 'again' }), 201);
    const entries = (await entriesOf(admin)).filter(({ kind }) => kind === 'credit_note');
    await restore();
    const again = expectStatus(await credit(service, id, { amount: '2.00', reference: 'again' }), 201).body;
    expect(again.number).toBe(first.number);
    expect(await restoreEntries(entries)).toEqual([
      { outcome: 'number_taken' },
      { outcome: 'superseded', by: { id: again.id, number: again.number } },
    ]);
  });
});

describe('credit is not given or taken again', () => {
  it('below zero, in another currency, or for an invoice that is not there', async () => {
    const admin = await signUpAdmin(service);
    await addItem(service, admin.companyId, { amount: '-10.00' });
    const { restore } = await backUpNow();
    await grantCredit(service, admin.companyId, { amount: '20.00' });
    await grantCredit(service, admin.companyId, { amount: '-15.00' });
    await runMonth(service, '2026-10');
    const entries = await entriesOf(admin);
    expect(entries.map(({ kind }) => kind)).toEqual(['credit_entry', 'credit_entry', 'invoice', 'credit_entry']);
    const [granted, corrected, , carriedOver] = entries as [JournalEntry, JournalEntry, JournalEntry, JournalEntry];
    await restore();
    expect(await restoreEntries([corrected, carriedOver])).toEqual([
      { outcome: 'impossible', reason: 'The credit of the company is not as it was then.' },
      { outcome: 'impossible', reason: 'The credit of the company is not as it was then.' },
    ]);
    expect(await restoreEntries([granted, corrected, granted])).toEqual([RESTORED, RESTORED, { outcome: 'present' }]);
    expect((await readLedger(service, admin.companyId)).balance).toBe('5.00');
    await restore();
    await service.database.owner`UPDATE companies SET billing_currency = 'EUR' WHERE id = ${admin.companyId}`;
    expect(await restoreEntries([granted])).toEqual([
      { outcome: 'impossible', reason: 'The credit of the company is not as it was then.' },
    ]);
  });
});

describe('GET /operator/lost-numbers', () => {
  it('lists what could not be written again, once; it is no longer there when the document is', async () => {
    const admin = await signUpAdmin(service);
    const { restore } = await backUpNow();
    const { number } = await issueInvoice(service, admin.companyId);
    const entries = await entriesOf(admin);
    await restore();
    const lost = { type: 'invoice' as const, number, total: '48', currency: 'USD', reason: 'Its company is unknown.' };
    for (const reason of [lost.reason, 'Again']) {
      await transaction(service.database.db, (tx) => recordLostNumber(tx, admin.companyId, { ...lost, reason }));
    }
    const { total, data } = await listLost();
    expect({ total, data }).toEqual({
      total: 1,
      data: [
        {
          ...lost,
          total: '48.00',
          companyId: admin.companyId,
          companyExternalId: null,
          recordedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect((await readNumbering()).nextInvoiceNumber > number).toBe(true);
    expect(await restoreEntries(entries)).toEqual([RESTORED]);
    expect((await listLost()).total).toBe(0);
  });
});
