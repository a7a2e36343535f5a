/** What the journal has of a company's documents and money, once each request is answered. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { CARDS, expectStatus, invoiceBody, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { giveExternalId } from '../../../test/customers/external-ids.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { postRefund, preparePaid } from '../../../test/payments/refunds.ts';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ withJournal: true });
});
afterAll(() => service?.stop());

type Entry = Omit<JournalEntry, 'document'> & { document: unknown };

async function readEntries(companyId: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of service.journal?.read() ?? []) {
    if (entry.companyId === companyId) entries.push({ ...entry, document: JSON.parse(entry.document) });
  }
  return entries;
}

/** Sends a correction of an invoice as the operator. */
function correct(path: string, body?: object, headers: Record<string, string> = {}) {
  const url = path === '' ? '/operator/invoices' : `/operator/invoices/${path}`;
  return service.call('POST', url, { token: service.operatorKey, headers, ...(body === undefined ? {} : { body }) });
}

it('a payment and its refund are in it, under their own ids; and the refund’s credit note', async () => {
  const paid = await preparePaid(service, { credit: '8.00' });
  const refund = expectStatus(await postRefund(service, paid, { amount: '5.00' }), 201).body;
  const entries = await readEntries(paid.admin.companyId);
  expect(entries.map(({ kind, mark, subject }) => [kind, mark === subject])).toEqual([
    ['invoice', false],
    ['credit_entry', false],
    ['payment', true],
    ['credit_note', false],
    ['refund', true],
  ]);
  const [invoice, credit, payment, , refunded] = entries;
  expect(invoice).toMatchObject({ subject: paid.invoice.id, document: { id: paid.invoice.id } });
  expect(JSON.stringify(invoice?.document)).toContain('"total":48');
  expect(credit?.document).toMatchObject({ amount_minor: 800, kind: 'grant' });
  expect(payment).toMatchObject({
    subject: paid.paymentId,
    document: { invoiceId: paid.invoice.id, gateway: 'sandbox', amountMinor: '4000', creditMinor: '800' },
  });
  expect(refunded).toMatchObject({ subject: refund.id, document: { amount_minor: 500 } });
});

it('a void, a credit note and the request of each are in it', async () => {
  const { companyId } = await signUpAdmin(service);
  const [voided, credited] = [await issueInvoice(service, companyId), await issueInvoice(service, companyId)];
  expectStatus(await correct(`${voided.id}/void`), 200);
  const headers = { 'idempotency-key': 'a-note-of-credit' };
  const note = expectStatus(
    await correct(`${credited.id}/credit-notes`, { amount: '1.00', reason: 'Outage' }, headers),
    201,
  ).body;
  const entries = await readEntries(companyId);
  expect(entries.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['invoice', voided.id],
    ['invoice', credited.id],
    ['void', voided.id],
    ['credit_note', note.id],
  ]);
  expect(entries[2]?.document).toEqual({ voidedAt: expect.stringMatching(/^20/) });
  expect(entries[3]?.request).toMatchObject({ method: 'POST', key: 'a-note-of-credit' });
});

it('each invoice of a run is in it, digit for digit as the database has it, with the external id of its company', async () => {
  const [named, plain] = [await signUpAdmin(service), await signUpAdmin(service)];
  await giveExternalId(service, named.companyId, 'customer-7');
  await setPrice(service, { path: '/journaled', unitAmount: '0.3333' });
  for (const admin of [named, plain]) await use(service, admin, '/journaled', 7, '2025-01-10T00:00:00Z');
  expect(await runMonth(service, '2025-01')).toMatchObject({ status: 'done', invoices: 2 });
  for (const [{ companyId }, externalId] of [
    [named, 'customer-7'],
    [plain, undefined],
  ] as const) {
    const [{ document }] = await service.database.owner<[{ document: object }]>`
      SELECT row_to_json(invoices) AS document FROM invoices WHERE company_id = ${companyId}`;
    const [entry, ...others] = (await readEntries(companyId)).filter(({ kind }) => kind === 'invoice');
    expect(entry).toMatchObject({ document });
    expect(entry?.companyExternalId).toBe(externalId);
    expect(others).toEqual([]);
  }
});

it('a payment by credit alone is in it, because no gateway knows of it', async () => {
  const paid = await preparePaid(service, { credit: '60.00' });
  const payment = (await readEntries(paid.admin.companyId)).find(({ kind }) => kind === 'payment');
  expect(payment?.document).toMatchObject({ gateway: 'none', amountMinor: '0', creditMinor: '4800' });
});

describe('a request that is repeated is answered once the journal has the first one, whose process had died before', () => {
  const post = (path: string, body: object, key?: string) =>
    correct(path, body, key === undefined ? {} : { 'idempotency-key': key });
  const prepare = async () => issueInvoice(service, (await signUpAdmin(service)).companyId);
  const requests: [string, string, () => Promise<() => Promise<Answer>>][] = [
    [
      'a payment by credit alone',
      'payment',
      async () => {
        const { admin, invoice } = await preparePaid(service, { credit: '60.00' });
        return () => service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token: admin.token });
      },
    ],
    [
      'a refund with its key',
      'refund',
      async () => {
        const paid = await preparePaid(service);
        return () => postRefund(service, paid, { amount: '5.00' }, 'a-refund');
      },
    ],
    [
      'a credit note with its key',
      'credit_note',
      async () => {
        const { id } = await prepare();
        return () => post(`${id}/credit-notes`, { amount: '1.00', reason: 'Outage' }, 'a-note');
      },
    ],
    [
      'a credit note with its reference',
      'credit_note',
      async () => {
        const { id } = await prepare();
        return () => post(`${id}/credit-notes`, { amount: '1.00', reason: 'Outage', reference: 'a note' });
      },
    ],
    [
      'an invoice with its reference',
      'invoice',
      async () => {
        const { companyId } = await signUpAdmin(service);
        return () => post('', { ...invoiceBody(companyId), reference: 'an order' });
      },
    ],
    [
      'a void',
      'void',
      async () => {
        const { id } = await prepare();
        return () => correct(`${id}/void`);
      },
    ],
  ];
  it.each(requests)('%s', async (_, kind, begin) => {
    const request = await begin();
    expect((await request()).status).toBeLessThan(300);
    const { owner } = service.database;
    const [mark] = await owner<{ companyId: string; mark: string }[]>`
      SELECT company_id AS "companyId", mark FROM marks WHERE kind = ${kind} ORDER BY written_at DESC, mark DESC LIMIT 1`;
    const { companyId = '', mark: id = '' } = mark ?? {};
    const readCount = async () => (await readEntries(companyId)).filter((entry) => entry.mark === id).length;
    const before = await readCount();
    await expect.poll(async () => (await owner`SELECT FROM marks WHERE mark = ${id} AND is_journaled`).length).toBe(1);
    await owner`UPDATE marks SET is_journaled = false, written_at = now() WHERE mark = ${id}`;
    expect((await request()).status).toBeLessThan(300);
    expect(await readCount()).toBe(before + 1);
  });
});

it('no card number, token of a card or password is in it', async () => {
  const paid = await preparePaid(service);
  const [card] = await service.database.owner<[{ token: string }]>`
    SELECT gateway_token AS token FROM cards WHERE company_id = ${paid.admin.companyId}`;
  const directory = service.journal?.directory ?? '';
  const texts = await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')));
  expect(texts.join()).toContain(paid.paymentId);
  for (const secret of [card.token, CARDS.visa, paid.admin.token]) expect(texts.join()).not.toContain(secret);
});
