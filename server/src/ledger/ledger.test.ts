import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit } from '../../test/billing/credits.ts';
import { credit } from '../../test/billing/invoice-documents.ts';
import { CARDS, expectStatus, signUpAdmin } from '../../test/customers/actors.ts';
import { findLedgerViolations } from '../../test/invariants/invariants.ledger.ts';
import {
  type ChargeService,
  expectSoundBooks,
  prepareInvoice,
  preparePayable,
  startChargeService,
} from '../../test/payments/charge.ts';
import { postingsOf, postRefund, preparePaid } from '../../test/payments/refunds.ts';
import { writeCsv } from '../platform/http/schema/csv.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(() => expectSoundBooks(service));
afterAll(() => service?.stop());

const read = async (path: string) => service.call('GET', path, { token: service.operatorKey });
const taxed = { invoice: { taxRate: '20' } };

describe('postings', () => {
  it('of an invoice paid by card', async () => {
    const { admin } = await preparePaid(service, taxed);
    expect(await postingsOf(service, admin.companyId)).toEqual([
      'invoice_issued receivable 57.60',
      'invoice_issued revenue -48.00',
      'invoice_issued tax -9.60',
      'payment_captured cash:sandbox 57.60',
      'payment_captured receivable -57.60',
    ]);
  });

  it('are found by invoice and by source, with the names of the company and the invoice', async () => {
    const { admin, invoice, paymentId } = await preparePaid(service, taxed);
    const find = async (query: string) => expectStatus(await read(`/operator/ledger?${query}`), 200).body.data;
    const ofInvoice = await find(`invoiceId=${invoice.id}`);
    expect(ofInvoice).toHaveLength(5);
    const named = {
      companyName: admin.email,
      invoiceNumber: expect.stringMatching(/^INV-\d+$/),
      invoiceId: invoice.id,
    };
    for (const posting of ofInvoice) expect(posting).toMatchObject(named);
    expect(await find(`sourceId=${paymentId}`)).toEqual(ofInvoice.slice(3));
    expect(await find(`sourceId=${randomUUID()}`)).toEqual([]);
  });

  it('of an invoice without tax, and none for an invoice of zero', async () => {
    const admin = await signUpAdmin(service);
    await prepareInvoice(service, admin);
    const line = { title: 'Free', path: '/v1/free', totalRequest: '1', currency: 'USD', amount: '0' };
    await prepareInvoice(service, admin, { details: [line] });
    expect(await postingsOf(service, admin.companyId)).toEqual([
      'invoice_issued receivable 48.00',
      'invoice_issued revenue -48.00',
    ]);
  });

  it('of a void reverse those of the invoice', async () => {
    const admin = await signUpAdmin(service);
    const { invoice } = await prepareInvoice(service, admin, taxed.invoice);
    const path = `/operator/invoices/${invoice.id}/void`;
    for (let tries = 0; tries < 2; tries += 1) {
      expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
    }
    expect((await postingsOf(service, admin.companyId)).slice(3).sort()).toEqual([
      'invoice_voided receivable -57.60',
      'invoice_voided revenue 48.00',
      'invoice_voided tax 9.60',
    ]);
  });

  it('of credit that is granted, revoked, used by a payment that fails, and used by one that succeeds', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    const { companyId } = payable.admin;
    await grantCredit(service, companyId, { amount: '60.00' });
    await grantCredit(service, companyId, { amount: '-40.00' });
    await payable.pay();
    await grantCredit(service, companyId, { amount: '28.00' });
    expectStatus(await payable.pay(), 200);
    expect((await postingsOf(service, companyId)).slice(2)).toEqual([
      'credit_granted credit -60.00',
      'credit_granted goodwill 60.00',
      'credit_corrected credit 40.00',
      'credit_corrected goodwill -40.00',
      'credit_consumed credit 20.00',
      'credit_consumed receivable -20.00',
      'credit_returned credit -20.00',
      'credit_returned receivable 20.00',
      'credit_granted credit -28.00',
      'credit_granted goodwill 28.00',
      'credit_consumed credit 48.00',
      'credit_consumed receivable -48.00',
    ]);
  });

  it('of a credit note before the payment, and a refund after it, to card and credit', async () => {
    const payable = await preparePayable(service, taxed);
    const { companyId } = payable.admin;
    await credit(service, payable.invoice.id, { amount: '9.60' });
    await grantCredit(service, companyId, { amount: '8.00' });
    const { paymentId } = expectStatus(await payable.pay(), 200).body;
    expectStatus(await postRefund(service, { paymentId }), 201);
    expect((await postingsOf(service, companyId)).filter((line) => /credit_note|refund/.test(line))).toEqual([
      'credit_note_issued revenue 8.00',
      'credit_note_issued tax 1.60',
      'credit_note_issued receivable -9.60',
      'credit_note_issued revenue 40.00',
      'credit_note_issued tax 8.00',
      'credit_note_issued refunds_due -48.00',
      'refund_sent refunds_due 48.00',
      'refund_sent cash:sandbox -40.00',
      'refund_sent credit -8.00',
    ]);
    const { body } = await read(`/operator/ledger/balances?companyId=${companyId}`);
    const open = body.data.filter(({ balance }: { balance: string }) => balance !== '0.00');
    expect(open).toEqual([
      { account: 'credit', currency: 'USD', balance: '-8.00' },
      { account: 'goodwill', currency: 'USD', balance: '8.00' },
    ]);
  });

  it('of yen and dinars are in their own minor units', async () => {
    const admin = await signUpAdmin(service);
    for (const currency of ['JPY', 'KWD']) {
      const line = { title: 'Calls', path: '/v1/calls', totalRequest: '1', currency, amount: '1234.5678' };
      await prepareInvoice(service, admin, { details: [line] });
    }
    const rows = await service.database.owner<{ minor: string }[]>`
      SELECT amount_minor::text AS minor FROM ledger_postings
      WHERE company_id = ${admin.companyId} AND account = 'receivable' ORDER BY number`;
    expect(rows.map(({ minor }) => minor)).toEqual(['1235', '1234568']);
  });
});

describe('the database', () => {
  it('lets no role of the service insert, change or delete a posting directly', async () => {
    const { db } = service.database;
    const denied = { code: '42501' };
    await expect(db`UPDATE ledger_postings SET amount_minor = 1`).rejects.toMatchObject(denied);
    await expect(db`DELETE FROM ledger_postings`).rejects.toMatchObject(denied);
    await expect(db`TRUNCATE ledger_postings`).rejects.toMatchObject(denied);
    await expect(insertPosting(randomUUID(), 'tax', 1, db)).rejects.toMatchObject(denied);
  });

  it('refuses an entry that does not sum to zero, and additions to an existing one', async () => {
    const { owner } = service.database;
    const unbalanced = { constraint_name: 'ledger_postings_balanced' };
    await expect(insertPosting(randomUUID(), 'tax', 1)).rejects.toMatchObject(unbalanced);
    const { admin, invoice } = await preparePaid(service);
    const adding = owner`
      INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
      VALUES (${admin.companyId}, ${invoice.id}, 'invoice_issued', 'goodwill', 'USD', 5)`;
    await expect(adding).rejects.toMatchObject(unbalanced);
  });

  async function insertPosting(sourceId: string, account: string, minor: number, db = service.database.owner) {
    return db`
      INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
      VALUES (${randomUUID()}, ${sourceId}, 'credit_granted', ${account}, 'USD', ${minor})`;
  }
});

describe('the check of the books', () => {
  it('finds a posting that is missing or wrong', async () => {
    const { admin } = await preparePaid(service);
    const { owner } = service.database;
    const findViolations = async () => findLedgerViolations(owner, await service.sandbox.readLedger());
    expect(await findViolations()).toEqual([]);
    const change = (minor: number) => owner`
      UPDATE ledger_postings SET amount_minor = amount_minor + ${minor}
      WHERE company_id = ${admin.companyId} AND account = 'cash:sandbox'`;
    await change(1);
    expect((await findViolations()).map((found) => found.replace(/[\da-f-]{36}/g, '…'))).toEqual([
      'I5 the entry payment_captured of … comes to 1',
      'I5 cash:sandbox of company … has 4801 USD, the tables make 4800',
      expect.stringMatching(/^I5 cash at the gateway is \d+ USD here and \d+ there$/),
    ]);
    await change(-1);
  });
});

describe('the list', () => {
  it('is paged, each posting once, by company, account and time', async () => {
    const { admin } = await preparePaid(service, taxed);
    const { companyId } = admin;
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await read(`/operator/ledger?companyId=${companyId}&perPage=2${cursor}`);
      expect(body.data.length).toBeLessThanOrEqual(2);
      for (const posting of body.data) seen.push(`${posting.kind} ${posting.account} ${posting.amount}`);
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(await postingsOf(service, companyId));
    const cash = (await read(`/operator/ledger?companyId=${companyId}&account=cash:sandbox`)).body.data;
    expect(cash).toMatchObject([{ account: 'cash:sandbox', amount: '57.60', currency: 'USD', companyId }]);
    const at = cash[0].createdAt;
    const since = (await read(`/operator/ledger?companyId=${companyId}&from=${at}`)).body.data;
    const until = (await read(`/operator/ledger?companyId=${companyId}&to=${at}`)).body.data;
    expect([since.length, until.length]).toEqual([2, 3]);
  });

  it('keeps the order of postings of one instant over pages, even where numbers grow by a digit', async () => {
    const { owner } = service.database;
    const [{ number }] = await owner<[{ number: string }]>`
      SELECT setval(pg_get_serial_sequence('ledger_postings', 'number'), (10 ^ ceil(log(max(number) + 2)) - 2)::bigint)::text AS number
      FROM ledger_postings`;
    const { admin } = await preparePaid(service, taxed);
    const posted = await owner<{ account: string; number: string }[]>`
      SELECT account, number::text FROM ledger_postings WHERE company_id = ${admin.companyId} ORDER BY ledger_postings.number`;
    expect(posted.map(({ number }) => number.length)).toContain(number.length + 1);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await read(`/operator/ledger?companyId=${admin.companyId}&perPage=1${cursor}`);
      seen.push(...body.data.map(({ account }: { account: string }) => account));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(posted.map(({ account }) => account));
  });

  it.each([
    'account=cash',
    'companyId=x',
    'from=yesterday',
    'cursor=x',
    'from=2026-10-02T00:00:00Z&to=2026-10-01T00:00:00Z',
  ])('answers 400 for %s', async (query) => {
    expect((await read(`/operator/ledger?${query}`)).status).toBe(400);
  });

  it('is also a CSV file with debit and credit', async () => {
    const { admin, invoice } = await preparePaid(service);
    const file = await read(`/operator/ledger.csv?companyId=${admin.companyId}`);
    expect(file.headers.get('content-type')).toBe('text/csv');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"');
    const [head, first, second, ...rest] = file.text.split('\r\n');
    expect(head).toBe('createdAt,companyId,companyExternalId,invoiceId,kind,sourceId,account,currency,debit,credit');
    const row = `,${admin.companyId},,${invoice.id},invoice_issued,${invoice.id}`;
    expect(first).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z${row},receivable,USD,48.00,$`));
    expect(second).toMatch(new RegExp(`${row},revenue,USD,,48.00$`));
    expect(rest).toHaveLength(3);
  });
});

describe('CSV', () => {
  it('quotes cells where needed, and neutralizes formulas', () => {
    const cells = ['plain', 'a,b', 'say "no"', 'two\nlines', '=1+1', '+1', '-1', '@x', '\tx', '="a"'];
    expect(Buffer.from(writeCsv([cells, ['next']])).toString()).toBe(
      `plain,"a,b","say ""no""","two\nlines",'=1+1,'+1,'-1,'@x,'\tx,"'=""a"""\r\nnext\r\n`,
    );
  });
});
