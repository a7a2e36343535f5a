/** What a pass finds in a database that went back: in the gateway's books, and in the journal of this machine. */
import { randomUUID } from 'node:crypto';
import { NIL } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { expectStatus, issueInvoice } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { type Payable, preparePayable } from '../../../test/payments/charge.ts';
import { postRefund } from '../../../test/payments/refunds.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import { readHold } from '../hold/hold.service.ts';
import { type RecoveryCase, readObject } from './cases.ts';
import { endPresentCases } from './cases.worker.queries.ts';
import { findMissingObjects } from './compare.ts';
import { selectMissingMarks } from './compare.worker.queries.ts';
import { noteJournalRead, selectSettled } from './journals.worker.queries.ts';
import { type Comparing, keepMissingEntries, makePass } from './pass.ts';

let service: TestService;
let comparing: Comparing;
let payable: Payable;
let open: { id: string };
let paymentId: string;
let refundId: string;

beforeAll(async () => {
  service = await startTestService({ withJournal: true });
  const { gateways, journal, database } = service;
  if (journal === null) throw new Error('There is no journal.');
  comparing = { db: database.db, gateways, journal, gatewayLagSeconds: 0 };
});
afterAll(() => service?.stop());

/** Everything since the backup is lost: a capture and its partial refund, credit, a void. */
beforeEach(async () => {
  payable = await preparePayable(service);
  const { companyId } = payable.admin;
  open = await issueInvoice(service, companyId);
  const { restore } = await backUp(service.database.owner);
  await grantCredit(service, companyId, { amount: '8.00' });
  paymentId = expectStatus(await payable.pay(), 200).body.paymentId;
  refundId = expectStatus(await postRefund(service, { paymentId }, { amount: '5.00' }), 201).body.id;
  const path = `/operator/invoices/${open.id}/void`;
  expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
  await restore();
  await holdCharges(service);
  return async () => {
    await makePass(comparing);
    await service.database.owner`UPDATE recovery_cases SET state = 'done' WHERE state = 'open'`;
    await releaseCharges(service);
  };
});

/** Writes the payment again, without an object at the gateway. */
async function insertPayment(state: 'failed' | 'unknown'): Promise<void> {
  await service.database.owner`
    INSERT INTO payments (company_id, id, invoice_id, card_id, method, gateway, gateway_token, amount_minor, credit_minor, currency, state,
                          failure_reason)
    SELECT company_id, ${paymentId}, ${payable.invoice.id}, id, 'Card', 'sandbox', gateway_token, 4000, 0, 'USD', ${state},
           ${state === 'failed' ? 'superseded' : null}
    FROM cards WHERE company_id = ${payable.admin.companyId}`;
}

async function readCases(): Promise<
  Pick<RecoveryCase, 'kind' | 'mark' | 'subject' | 'companyId' | 'state' | 'content'>[]
> {
  return service.database.owner`
    SELECT kind, mark, subject, company_id AS "companyId", state, content FROM recovery_cases
    WHERE company_id = ${payable.admin.companyId} ORDER BY happened_at, id`;
}

const findAll = async () => {
  const found = [];
  for await (const batch of findMissingObjects(comparing, { since: new Date(Date.now() - 900_000) }))
    found.push(...batch);
  return found.map(({ reference }) => reference).toSorted();
};

it('has the charge and refund of the gateway and the documents of the journal, in the order in which they happened', async () => {
  const { found, settled } = await makePass(comparing);
  expect(found).toBe(5);
  expect(settled).toContain(comparing.journal.id());
  const cases = await readCases();
  expect(cases.map(({ kind, mark }) => (mark === paymentId || mark === refundId ? [kind, mark] : kind))).toEqual([
    'credit_entry',
    ['payment', paymentId],
    'credit_note',
    ['refund', refundId],
    'void',
  ]);
  const [credit, payment, , refund, voided] = cases;
  expect(credit?.content).toContain('"amount_minor":800');
  expect(readObject(payment?.content ?? '')).toMatchObject({
    ...{ kind: 'payment', status: 'captured', amountMinor: 4_000n, refundedMinor: 500n, createdAt: expect.any(Date) },
    details: { creditMinor: '800' },
  });
  expect(readObject(refund?.content ?? '')).toMatchObject({ kind: 'refund', amountMinor: 500n, reference: refundId });
  expect(voided).toMatchObject({ subject: open.id, state: 'open' });
  expect((await makePass(comparing)).found).toBe(5);
  expect(await readCases()).toEqual(cases);
});

it('has the number of its document, also as a case that another version of the service wrote', async () => {
  await makePass(comparing);
  const { owner } = service.database;
  const { companyId } = payable.admin;
  await owner`
    INSERT INTO recovery_cases (company_id, id, hold_id, source, kind, mark, subject, gateway, object_id, happened_at, content)
    SELECT company_id, gen_random_uuid(), hold_id, source, kind, gen_random_uuid(), subject, gateway, 'again_' || object_id, happened_at,
           content
    FROM recovery_cases WHERE company_id = ${companyId}`;
  const numbers = await owner<{ kind: string; number: string | null }[]>`
    SELECT kind, number FROM recovery_cases WHERE company_id = ${companyId} AND number IS NOT NULL ORDER BY kind`;
  const [invoice, note] = [/^INV-/, /^CN-/].map((form) => ({ number: expect.stringMatching(form) }));
  expect(numbers).toEqual([
    { kind: 'credit_note', ...note },
    { kind: 'credit_note', ...note },
    { kind: 'payment', ...invoice },
    { kind: 'payment', ...invoice },
    { kind: 'refund', ...note },
    { kind: 'refund', ...note },
  ]);
});

it('is closed once the database has the record, and not found again once a person has decided it', async () => {
  await makePass(comparing);
  await insertPayment('unknown');
  await service.database.owner`UPDATE recovery_cases SET state = 'person' WHERE mark = ${refundId}`;
  expect((await makePass(comparing)).found).toBe(3);
  const states = (await readCases()).map(({ state, content }) => [state, content === null]);
  expect(states).toEqual([
    ['open', false],
    ['done', true],
    ['open', false],
    ['person', false],
    ['open', false],
  ]);
  expect(await findAll()).toEqual([]);
});

it('is found for a capture of a payment that has failed in the database', async () => {
  await insertPayment('failed');
  expect((await makePass(comparing)).found).toBe(5);
  expect(await findAll()).toEqual([paymentId, refundId].toSorted());
  expect((await makePass(comparing)).found).toBe(5);
});

it('is closed in batches, however many cases there are', async () => {
  await makePass(comparing);
  const { owner, db } = service.database;
  const holdId = (await readHold(db))?.id ?? '';
  await owner`
    INSERT INTO marks (company_id, mark, kind, subject)
    SELECT company_id, mark, kind, mark FROM recovery_cases WHERE company_id = ${payable.admin.companyId}`;
  await insertPayment('unknown');
  const states: string[][] = [];
  for (let after: string | null = NIL; after !== null; ) {
    after = await endPresentCases(db, holdId, { after, limit: 2 });
    states.push((await readCases()).flatMap(({ state }) => (state === 'open' ? state : [])));
  }
  expect(states.map(({ length }) => length)).toEqual([3, 1, 0]);
});

it('is not found by a process that stops, and no journal then counts as read', async () => {
  await expect(makePass(comparing, AbortSignal.abort())).rejects.toThrow('aborted');
  const { db } = service.database;
  expect(await selectSettled(db, (await readHold(db))?.id ?? '')).toEqual([]);
});

it('is read from a journal once, also by passes at the same time', async () => {
  const read = vi.spyOn(comparing.journal, 'read');
  await Promise.all([makePass(comparing), makePass(comparing)]);
  expect(read).toHaveBeenCalledTimes(1);
  read.mockRestore();
});

it('is compared from before the oldest missing mark, although newer marks were written before the restore was noticed', async () => {
  const hold = await readHold(service.database.db);
  await makePass(comparing);
  const [row] = await service.database.owner<{ isEarly: boolean }[]>`
    SELECT compared_from < min(happened_at) - interval '14 minutes' AS "isEarly"
    FROM charges_holds, recovery_cases WHERE charges_holds.id = ${hold?.id ?? ''} GROUP BY compared_from`;
  expect(row?.isEarly).toBe(true);
});

it('leaves out objects of another installation', async () => {
  expect(await findAll()).toEqual([paymentId, refundId].toSorted());
  const [{ id }] = await service.database.owner<[{ id: string }]>`SELECT id FROM installation`;
  await service.database.owner`UPDATE installation SET id = ${randomUUID()}`;
  expect(await findAll()).toEqual([]);
  await service.database.owner`UPDATE installation SET id = ${id}`;
});

it('is closed when the hold ends, and the next comparison misses only a capture that is not in the books', async () => {
  await makePass(comparing);
  const last = async () => selectMissingMarks(service.database.db, await comparing.journal.readLast());
  expect(await last()).not.toEqual([]);
  await releaseCharges(service);
  expect(await last()).toEqual([]);
  expect(await findAll()).toEqual([paymentId]);
});

it('is not written after the end of the hold, and the next comparison finds it again', async () => {
  const { id: holdId = '' } = (await readHold(comparing.db)) ?? {};
  const [gateway] = comparing.gateways.configured;
  if (gateway === undefined) throw new Error('There is no gateway.');
  const listPayments: typeof gateway.listPayments = async (request) => {
    await releaseCharges(service);
    return gateway.listPayments(request);
  };
  await makePass({ ...comparing, gateways: { configured: [{ ...gateway, listPayments }] } });
  const ids = { companyId: payable.admin.companyId, mark: randomUUID(), kind: 'credit_entry', subject: randomUUID() };
  const entry = { ...ids, at: new Date().toISOString(), document: '{}' };
  expect(await keepMissingEntries(comparing.db, holdId, [entry])).toBe(false);
  const kinds = (await readCases()).map(({ kind }) => kind);
  expect(kinds).toEqual(['credit_entry', 'credit_note', 'void']);
  expect(await findAll()).toEqual([paymentId, refundId].toSorted());
  expect(await selectMissingMarks(comparing.db, [entry])).toEqual([entry]);
  expect([...(await service.database.owner`SELECT FROM missing_marks`)]).toEqual([]);
});

it('counts from the next pass on if another process reads its journal during the pass', async () => {
  const { id: holdId = '' } = (await readHold(comparing.db)) ?? {};
  const { owner } = service.database;
  const journalId = randomUUID();
  await owner`INSERT INTO journals (id, host, directory) VALUES (${journalId}, 'another', '/journal')`;
  const [gateway] = comparing.gateways.configured;
  if (gateway === undefined) throw new Error('There is no gateway.');
  const listPayments: typeof gateway.listPayments = async (request) => {
    await noteJournalRead(comparing.db, holdId, journalId);
    return gateway.listPayments(request);
  };
  const { settled } = await makePass({ ...comparing, gateways: { configured: [{ ...gateway, listPayments }] } });
  expect(settled).not.toContain(journalId);
  expect((await makePass(comparing)).settled).toContain(journalId);
  await owner`DELETE FROM journals WHERE id = ${journalId}`;
});

it.each([
  ['another journal', (entries: JournalEntry[]) => entries.map((entry) => [entry])],
  ['the same journal', (entries: JournalEntry[]) => [entries]],
])('keeps the request of an entry, though %s has noted its mark without one', async (_where, batchesOf) => {
  const hold = await readHold(service.database.db);
  const { companyId } = payable.admin;
  const ids = { companyId, mark: randomUUID(), kind: 'credit_entry', subject: randomUUID() };
  const noted = { ...ids, at: new Date().toISOString(), document: '{}' };
  const request = { key: 'credit-key-1', method: 'POST', path: '/operator' };
  const written = { ...noted, request } as unknown as JournalEntry;
  for (const batch of batchesOf([noted, written, noted])) {
    await keepMissingEntries(service.database.db, hold?.id ?? '', batch);
  }
  const rows = await service.database.owner`SELECT request FROM recovery_cases WHERE mark = ${ids.mark}`;
  expect([...rows]).toEqual([{ request }]);
});
