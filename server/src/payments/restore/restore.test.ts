/** Payments and refunds by credit alone, which no gateway knows of, come back from the journal. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  expectSoundBooks,
  type Payable,
  prepareInvoice,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { postingsOf, postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { type Backup, backUp } from '../../../test/payments/restore.ts';
import { type Restored, restoreCreditNote, restoreInvoice } from '../../billing/restore/restore.service.ts';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import { transaction } from '../../platform/database/database.ts';
import { findLivePayment } from '../payment/invoice-payments.service.ts';
import { restoreCreditPayment, restoreCreditRefund } from './restore.service.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
afterEach(() => expectSoundBooks(service));
afterAll(async () => service?.stop());

const backUpNow = () => backUp(service.database.owner);

/** An invoice of 48.00 of a company with a card and this much credit. */
async function prepareWithCredit(amount: string): Promise<Payable> {
  const payable = await preparePayable(service);
  await grantCredit(service, payable.admin.companyId, { amount });
  return payable;
}

/** Reads the last entry of this kind that the journal has of a company. */
async function entryOf({ admin: { companyId } }: Pick<Payable, 'admin'>, kind: string): Promise<JournalEntry> {
  let last: JournalEntry | undefined;
  for await (const entry of service.journal?.read() ?? []) {
    if (entry.companyId === companyId && entry.kind === kind) last = entry;
  }
  if (last === undefined) throw new Error(`The journal has no ${kind}.`);
  return last;
}

/** Writes an entry again. */
function restoreEntry({ companyId, kind, subject, document }: JournalEntry): Promise<Restored> {
  return transaction(service.database.db, (tx) => {
    if (kind === 'payment') return restoreCreditPayment(tx, companyId, subject, document);
    if (kind === 'refund') return restoreCreditRefund(tx, companyId, document);
    return kind === 'invoice'
      ? restoreInvoice(tx, companyId, document)
      : restoreCreditNote(tx, companyId, document, findLivePayment);
  });
}

/** The outcome, with a sentence for a person if there is one. */
const inWords = (restored: Restored) => (restored.outcome === 'impossible' ? restored.reason : restored.outcome);

async function paidOf(payable: Payable) {
  const { status, paymentId, amountDue, payment, metadata } = await readInvoice(service, payable);
  const { balance } = await readLedger(service, payable.admin.companyId);
  return { status, paymentId, amountDue, payment: { ...payment, createdAt: 0, updatedAt: 0 }, metadata, balance };
}

it('a payment by credit and a refund to it read as before, and take and return the credit once', async () => {
  const payable = await prepareWithCredit('60.00');
  const { companyId } = payable.admin;
  const { restore } = await backUpNow();
  const { paymentId } = expectStatus(await payable.pay(), 200).body;
  const body = { amount: '5.00', reason: 'Outage' };
  const { id } = expectStatus(await postRefund(service, { paymentId }, body, 'part'), 201).body;
  const before = [await paidOf(payable), await postingsOf(service, companyId)];
  const entries = [
    await entryOf(payable, 'payment'),
    await entryOf(payable, 'credit_note'),
    await entryOf(payable, 'refund'),
  ];
  await restore();
  for (const outcome of ['restored', 'present']) {
    for (const entry of entries) expect(inWords(await restoreEntry(entry))).toBe(outcome);
    expect([await paidOf(payable), await postingsOf(service, companyId)]).toEqual(before);
  }
  expect(await refundsOf(service, { paymentId })).toMatchObject([{ id, amount: '5.00', status: 'Succeeded' }]);
  expect(expectStatus(await postRefund(service, { paymentId }, body, 'part'), 201).body).toMatchObject({ id });
  expect(await postingsOf(service, companyId)).toEqual(before[1]);
});

describe('a payment by credit is not written again', () => {
  type Change = (payable: Payable) => Promise<unknown>;
  const OTHER = 'The invoice is not as it was then.';
  const changes: [string, string, Change][] = [
    ['void', OTHER, ({ invoice }) => voidInvoice(service, invoice.id)],
    ['of another amount', OTHER, ({ invoice }) => credit(service, invoice.id, { amount: '1.00' })],
    [
      'without the credit',
      'The company has less credit than this payment used.',
      ({ admin }) => grantCredit(service, admin.companyId, { amount: '-30.00' }),
    ],
    [
      'being paid',
      OTHER,
      async (payable) => {
        await grantCredit(service, payable.admin.companyId, { amount: '-30.00' });
        await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
        expectStatus(await payable.pay(), 202);
        await grantCredit(service, payable.admin.companyId, { amount: '60.00' });
      },
    ],
    ['paid', OTHER, async (payable) => expectStatus(await payable.pay(), 200)],
  ];

  it.each(changes)('when its invoice is %s', async (_name, reason, change) => {
    const payable = await prepareWithCredit('60.00');
    const { restore } = await backUpNow();
    expectStatus(await payable.pay(), 200);
    const entry = await entryOf(payable, 'payment');
    await restore();
    await change(payable);
    const before = await paidOf(payable);
    expect(inWords(await restoreEntry(entry))).toBe(reason);
    expect(await paidOf(payable)).toEqual(before);
  });

  it('without its invoice or its company', async () => {
    const known = await preparePayable(service);
    await grantCredit(service, known.admin.companyId, { amount: '60.00' });
    const { restore } = await backUpNow();
    const lost = await prepareInvoice(service, known.admin);
    expectStatus(await lost.pay(), 200);
    const stranger = { ...lost, admin: await signUpAdmin(service) };
    const entry = await entryOf(known, 'payment');
    await restore();
    expect(inWords(await restoreEntry(entry))).toBe('The invoice is not in the database.');
    expect(inWords(await restoreEntry({ ...entry, companyId: stranger.admin.companyId }))).toBe('company_unknown');
  });
});

describe('a refund to credit is not written again', () => {
  const NO_PAYMENT = 'The payment or the credit note is not in the database.';
  /** A payment by credit, refunded after the backup. */
  async function prepareRefunded(
    amount: string,
  ): Promise<{ payable: Payable; paymentId: string; restore: Backup['restore'] }> {
    const payable = await prepareWithCredit('60.00');
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    const { restore } = await backUpNow();
    expectStatus(await postRefund(service, { paymentId }, { amount }, 'part'), 201);
    return { payable, paymentId, restore };
  }

  it('without its credit note, its payment or its company', async () => {
    const { payable, restore } = await prepareRefunded('5.00');
    const entry = await entryOf(payable, 'refund');
    await restore();
    expect(inWords(await restoreEntry(entry))).toBe(NO_PAYMENT);
    const ofOther = { ...entry, companyId: (await signUpAdmin(service)).companyId };
    expect(inWords(await restoreEntry(ofOther))).toBe(NO_PAYMENT);
    expect(inWords(await restoreEntry({ ...entry, companyId: entry.mark }))).toBe('company_unknown');
  });

  it('when the same request was sent again, or less is left', async () => {
    const { payable, paymentId, restore } = await prepareRefunded('40.00');
    const [note, entry] = [await entryOf(payable, 'credit_note'), await entryOf(payable, 'refund')];
    await restore();
    expect(inWords(await restoreEntry(note))).toBe('restored');
    const again = () => postRefund(service, { paymentId }, { amount: '20.00' }, 'another');
    expectStatus(await again(), 201);
    expect(inWords(await restoreEntry(entry))).toContain('has less credit left to refund');
    const repeated = { ...entry, document: entry.document.replace('"part"', '"another"') };
    expect(inWords(await restoreEntry(repeated))).toBe('present');
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ amount: '20.00' }]);
  });
});
