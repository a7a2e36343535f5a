/** What only a journal has comes back, each entry in the order in which it happened, and what can't is left to a person. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { invoicesOf, runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { grantCredit, postCredit, readLedger } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import {
  type Actor,
  expectStatus,
  invoiceBody,
  issueInvoice,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { type ChargeService, expectSoundBooks, startChargeService } from '../../../test/payments/charge.ts';
import { postRefund } from '../../../test/payments/refunds.ts';
import { adopt, compareNow, listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import type { Tx } from '../../platform/database/database.ts';

let service: ChargeService;
beforeAll(async () => {
  // The month that the tests bill is the last one.
  service = await startChargeService({ withJournal: true, clock: () => new Date('2026-11-15T12:00:00Z') });
  await setPrice(service, { path: '/v1/lost', unitAmount: '0.25' });
});
afterEach(async () => {
  await releaseCharges(service);
  await expectSoundBooks(service);
});
afterAll(async () => service?.stop());

const adoptAll = async () => expectStatus(await adopt(service), 200).body;
const operator = async (path: string) =>
  expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;

/** All that the company and the operator read of the company's documents and credit; without the times of the last change. */
async function answersOf({ companyId, token }: Actor): Promise<string[]> {
  const { body, text } = expectStatus(await service.call('GET', '/payments/orders?perPage=1000', { token }), 200);
  const answers = [text];
  for (const { id } of body.data) {
    answers.push(expectStatus(await service.call('GET', `/payments/orders/${id}/credit-notes`, { token }), 200).text);
  }
  const { balance, data } = await readLedger(service, companyId);
  answers.push(
    JSON.stringify([balance, data.map(({ kind, amount }: { kind: string; amount: string }) => [kind, amount])]),
  );
  return answers.map((answer) => answer.replaceAll(/"(updatedAt|createdAt)" ?: ?"[^"]*"/g, ''));
}

/** Invoices of a run and by hand, credit, a payment and a refund by it, a credit note, a void. */
async function workFor(admin: Actor): Promise<void> {
  const { companyId, token } = admin;
  await grantCredit(service, companyId, { amount: '60.00' });
  await runMonth(service, '2026-10');
  const [billed] = await invoicesOf(service, admin);
  const paid = expectStatus(await service.call('PUT', `/payments/orders/${billed.id}/pay`, { token }), 200).body;
  expectStatus(await postRefund(service, paid, { amount: '1.00' }), 201);
  const open = await issueInvoice(service, companyId, { reference: 'order-1' });
  expectStatus(await credit(service, open.id, { amount: '3.00' }), 201);
  expectStatus(await voidInvoice(service, (await issueInvoice(service, companyId)).id), 200);
}

const listReviews = async (companyId: string) =>
  (await operator(`/operator/alerts?kind=recovery_review&companyId=${companyId}`)).data;

const KINDS = [
  'credit_entry',
  'invoice',
  'payment',
  'credit_note',
  'refund',
  'invoice',
  'credit_note',
  'invoice',
  'void',
];

describe('what only the journal has', () => {
  it('is listed in the order in which it happened and restored once, and all answers are as before', async () => {
    const admin = await signUpAdmin(service);
    await use(service, admin, '/v1/lost', 80, '2026-10-05T10:00:00Z');
    const { goBack } = await prepareToGoBack(service);
    await workFor(admin);
    const before = await answersOf(admin);
    await goBack();
    const cases = await listCases(service, admin.companyId);
    expect(cases.map(({ kind }) => kind)).toEqual(KINDS);
    const [granted, billed, paid] = cases;
    expect(granted).toMatchObject({
      amount: '60.00',
      currency: 'USD',
      state: 'open',
      plan: expect.any(String),
      note: null,
    });
    expect(billed).toMatchObject({ number: expect.stringMatching(/^INV-/), amount: '20.00', currency: 'USD' });
    expect(paid).toMatchObject({ invoiceId: billed?.invoiceId, amount: '20.00', currency: 'USD' });
    expect((await operator('/operator/recovery')).cases).toMatchObject({ open: 9, person: 0 });

    const { decided, remaining } = await adoptAll();
    const invoicesFirst = cases.toSorted(
      (one, other) => Number(other.kind === 'invoice') - Number(one.kind === 'invoice'),
    );
    expect(decided.map(({ id }: { id: string }) => id)).toEqual(invoicesFirst.map(({ id }) => id));
    expect(remaining).toBe(0);
    expect(await answersOf(admin)).toEqual(before);
    expect(await adoptAll()).toEqual({ decided: [], remaining: 0 });
    expect(await compareNow(service)).toBe(0);
    expect((await listCases(service, admin.companyId)).map(({ state, plan }) => [state, plan])).toEqual(
      cases.map(() => ['done', null]),
    );
    await releaseCharges(service);
    await runMonth(service, '2026-10');
    expect(await answersOf(admin)).toEqual(before);
  });

  it('is dealt with in parts, as many as are asked for, and the rest later', async () => {
    const admin = await signUpAdmin(service);
    const { goBack } = await prepareToGoBack(service);
    for (let count = 0; count < 3; count += 1) await issueInvoice(service, admin.companyId);
    const before = await answersOf(admin);
    await goBack();
    expect(expectStatus(await adopt(service, { limit: 2 }), 200).body).toMatchObject({
      decided: [{ state: 'done' }, { state: 'done' }],
      remaining: 1,
    });
    expect(await adoptAll()).toMatchObject({ decided: [{ state: 'done' }], remaining: 0 });
    expect(await answersOf(admin)).toEqual(before);
  });

  it('is the invoice of the usage that is sent again before; what arrives later is late', async () => {
    const admin = await signUpAdmin(service);
    const { goBack } = await prepareToGoBack(service);
    const useAgain = (quantity: number) => use(service, admin, '/v1/lost', quantity, '2026-10-05T10:00:00Z');
    await useAgain(80);
    await runMonth(service, '2026-10');
    const before = await answersOf(admin);
    await goBack();
    await useAgain(80);
    await adoptAll();
    await releaseCharges(service);
    expect(await answersOf(admin)).toEqual(before);
    const upcoming = async () =>
      expectStatus(await service.call('GET', '/payments/upcoming-invoice', { token: admin.token }), 200).body;
    expect(await upcoming()).toMatchObject({ period: '2026-11', details: [] });
    expect(await listReviews(admin.companyId)).toEqual([]);
    await useAgain(4);
    expect(await upcoming()).toMatchObject({ details: [{ kind: 'adjustment', amount: 1 }] });
  });

  it('is written once when two requests process it at the same time; one of them may be 409 recovery_running', async () => {
    const admin = await signUpAdmin(service);
    const { goBack } = await prepareToGoBack(service);
    for (let count = 0; count < 4; count += 1) await grantCredit(service, admin.companyId, { amount: '5.00' });
    const before = await answersOf(admin);
    await goBack();
    const answers = await Promise.all([adopt(service), adopt(service), adopt(service)]);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) expect([answer.status, answer.body.error.code]).toEqual([409, 'recovery_running']);
    expect(refused.length).toBeLessThan(3);
    expect(await adoptAll()).toEqual({ decided: [], remaining: 0 });
    expect(await answersOf(admin)).toEqual(before);
  });
});

describe('what a gateway has', () => {
  it('comes back among what the journal has, in the order in which it happened', async () => {
    const admin = await signUpAdmin(service);
    const { companyId, token } = admin;
    await saveCard(service, admin, { isDefault: true });
    const { goBack } = await prepareToGoBack(service);
    const pay = ({ id }: { id: string }) => service.call('PUT', `/payments/orders/${id}/pay`, { token });
    await grantCredit(service, companyId, { amount: '5.00' });
    const first = await issueInvoice(service, companyId);
    expectStatus(await credit(service, first.id, { amount: '8.00' }), 201);
    const paid = expectStatus(await pay(first), 200).body;
    expectStatus(await postRefund(service, paid, { amount: '10.00' }), 201);
    const second = await issueInvoice(service, companyId);
    expectStatus(await pay(second), 200);
    expectStatus(await credit(service, second.id, { amount: '4.00' }), 201);
    const before = await answersOf(admin);
    await goBack();
    const kinds = [
      'credit_entry',
      'invoice',
      'credit_note',
      'payment',
      'credit_note',
      'refund',
      'invoice',
      'payment',
      'credit_note',
    ];
    const cases = await listCases(service, companyId);
    expect(cases.map(({ kind }) => kind)).toEqual(kinds);
    expect(cases[3]).toMatchObject({
      ...{ source: 'gateway', gateway: 'sandbox', number: first.number, amount: '35.00', currency: 'USD' },
      plan: expect.stringContaining('capture is booked'),
    });
    const { decided, remaining } = await adoptAll();
    expect(decided.map(({ state }: { state: string }) => state)).toEqual(kinds.map(() => 'done'));
    expect(remaining).toBe(0);
    expect(await answersOf(admin)).toEqual(before);
    expect(await compareNow(service)).toBe(0);
    const { captures, refunds } = await service.sandbox.readLedger();
    await releaseCharges(service);
    for (const invoice of [first, second]) expectStatus(await pay(invoice), 200);
    expect(await service.sandbox.readLedger()).toMatchObject({ captures, refunds });
  });

  it('is not dealt with while it does not answer; what was done before stays done, and the rest follows', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin, { isDefault: true });
    const { goBack } = await prepareToGoBack(service);
    const { id } = await issueInvoice(service, admin.companyId);
    expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token }), 200);
    const before = await answersOf(admin);
    await goBack();
    await service.takeGatewayAway();
    const answers = [await adopt(service), await adopt(service)];
    const makePass = () => service.call('POST', '/operator/recovery/passes', { token: service.operatorKey });
    const pass = await makePass();
    await service.bringGatewayBack();
    expect([pass.status, pass.body.error.code]).toEqual([503, 'service_unavailable']);
    const made = (await makePass()).body;
    const { cases } = (await service.call('GET', '/operator/recovery', { token: service.operatorKey })).body;
    expect(cases.open).toBeGreaterThan(0);
    expect(made).toEqual({ held: true, found: cases.open });
    expect(answers.at(-1)).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect((await listCases(service, admin.companyId)).at(-1)).toMatchObject({ kind: 'payment', state: 'open' });
    expect(await adoptAll()).toMatchObject({ remaining: 0 });
    expect(await answersOf(admin)).toEqual(before);
  });

  it('is not dealt with at another account, which does not know what was captured before', async () => {
    const admin = await signUpAdmin(service);
    await saveCard(service, admin, { isDefault: true });
    const { id } = await issueInvoice(service, admin.companyId);
    expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token: admin.token }), 200);
    const { goBack } = await prepareToGoBack(service);
    await goBack();
    const { payments } = await service.sandbox.readLedger();
    const show = service.hideAtGateway(payments.at(-1)?.id ?? '');
    const refused = await adopt(service);
    show();
    expect([refused.status, refused.body.error.code]).toEqual([409, 'gateway_differs']);
  });
});

describe('a request whose work comes back', () => {
  const headers = { 'idempotency-key': 'the-same-again' };
  const post = (body: object) =>
    service.call('POST', '/operator/invoices', { token: service.operatorKey, body, headers });

  it('gets the answer that it got, and does nothing again', async () => {
    const admin = await signUpAdmin(service);
    const { goBack } = await prepareToGoBack(service);
    const body = invoiceBody(admin.companyId);
    const first = expectStatus(await post(body), 201);
    await goBack();
    await adoptAll();
    await releaseCharges(service);
    const again = expectStatus(await post(body), 201);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await post({ ...body, taxRate: '5' })).body.error.code).toBe('idempotency_key_reused');
    expect(await invoicesOf(service, admin)).toMatchObject([{ id: first.body.id }]);
  });

  it('gets the answer that it got also if it was refused meanwhile, because its company was lost', async () => {
    const { goBack } = await prepareToGoBack(service);
    const { companyId } = await signUpAdmin(service);
    const first = expectStatus(await postCredit(service, companyId, { amount: '7.00' }, headers), 201);
    await goBack();
    expectStatus(await postCredit(service, companyId, { amount: '7.00' }, headers), 404);
    const heir = await signUpAdmin(service);
    const companies = [{ companyId, newCompanyId: heir.companyId }];
    expect(expectStatus(await adopt(service, { companies }), 200).body.remaining).toBe(0);
    const again = expectStatus(await postCredit(service, companyId, { amount: '7.00' }, headers), 201);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await readLedger(service, heir.companyId)).balance).toBe('7.00');
  });

  it('and was sent again before, is not done twice', async () => {
    const admin = await signUpAdmin(service);
    const { goBack } = await prepareToGoBack(service);
    expectStatus(await postCredit(service, admin.companyId, { amount: '7.00' }, headers), 201);
    await goBack();
    // Granting credit goes on during a hold.
    expectStatus(await postCredit(service, admin.companyId, { amount: '7.00' }, headers), 201);
    expect(await adoptAll()).toMatchObject({
      decided: [{ state: 'done', note: expect.stringContaining('sent again') }],
      remaining: 0,
    });
    expect((await readLedger(service, admin.companyId)).balance).toBe('7.00');
  });

  it.each(['before', 'after'])(
    'and is sent again at the same time, a little %s it, is not done twice',
    async (when) => {
      const { database } = service;
      const admin = await signUpAdmin(service);
      const { goBack } = await prepareToGoBack(service);
      const send = () => postCredit(service, admin.companyId, { amount: '7.00' }, headers);
      const first = expectStatus(await send(), 201).body;
      await goBack();
      const countWaiting = async () => {
        const rows = await database.db`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return rows.length;
      };
      const both = { sent: send, adopted: () => adopt(service) };
      const [one, two] = when === 'before' ? (['sent', 'adopted'] as const) : (['adopted', 'sent'] as const);
      let later: Promise<Answer> | undefined;
      const lockCompany = (tx: Tx) => tx`SELECT FROM companies WHERE id = ${admin.companyId} FOR UPDATE`;
      const answer = await sendDuring(database, lockCompany, both[one], async () => {
        later = both[two]();
        await expect.poll(countWaiting).toBe(2);
      });
      const answers = { [one]: answer, [two]: await later };
      expect(answers.adopted).toMatchObject({ status: 200, body: { decided: [{ state: 'done' }], remaining: 0 } });
      const { data, balance } = await readLedger(service, admin.companyId);
      expect([balance, data.length]).toEqual(['7.00', 1]);
      expect(answers.sent).toMatchObject({ status: 201, body: { id: data[0].id } });
      expect(data[0].id === first.id).toBe(when === 'after');
    },
  );
});

describe('what cannot be applied any more', () => {
  const listLost = async () => (await operator('/operator/lost-numbers')).data;

  it('is left to a person with a note, its number is recorded as lost, and the hold does not wait', async () => {
    const admin = await signUpAdmin(service);
    const { companyId } = admin;
    const [paid, other] = [await issueInvoice(service, companyId), await issueInvoice(service, companyId)];
    const { goBack } = await prepareToGoBack(service);
    expectStatus(await voidInvoice(service, paid.id), 200);
    const note = expectStatus(await credit(service, other.id, { amount: '2.00' }), 201).body;
    await goBack();
    const path = (id: string) => `/operator/invoices/${id}/charge`;
    await releaseCharges(service);
    await grantCredit(service, companyId, { amount: '96.00' });
    for (const { id } of [paid, other]) {
      expectStatus(await service.call('POST', path(id), { token: service.operatorKey }), 200);
    }
    const { decided, remaining } = await adoptAll();
    expect(remaining).toBe(0);
    expect(decided).toMatchObject([
      { state: 'person', note: expect.stringContaining(`POST /operator/invoices/${paid.id}/credit-notes`) },
      { state: 'person', note: expect.stringContaining(`POST /operator/invoices/${other.id}/credit-notes`) },
    ]);
    expect(await listReviews(companyId)).toMatchObject([
      { companyId, message: decided[1].note },
      { companyId, message: decided[0].note },
    ]);
    expect(await listLost()).toMatchObject([
      { type: 'credit_note', number: note.number, total: '2.00', currency: 'USD' },
    ]);
    expect((await listCases(service, companyId)).map(({ state, note: told }) => [state, told])).toEqual(
      decided.map(({ state, note: told }: { state: string; note: string }) => [state, told]),
    );
    expect(await compareNow(service)).toBe(0);
  });

  it('because its company is lost, is booked to the company that the operator names', async () => {
    const { goBack } = await prepareToGoBack(service);
    const lost = await signUpAdmin(service);
    const invoice = await issueInvoice(service, lost.companyId);
    await grantCredit(service, lost.companyId, { amount: '9.00' });
    await goBack();
    const left = await adoptAll();
    expect(left.decided).toMatchObject([{ state: 'person' }, { state: 'person' }]);
    expect(left.decided[0].note).toMatch(
      new RegExp(`${invoice.number} .* company ${lost.companyId} \\(.*@.*\\), which is not in the database`),
    );
    expect(left.decided[0].note).toContain(`--adopt --yes --company ${lost.companyId}=`);
    expect((await listLost()).map(({ number }: { number: string }) => number)).toContain(invoice.number);
    const now = await signUpAdmin(service);
    const replace = (companyId: string, newCompanyId: string) =>
      adopt(service, { companies: [{ companyId, newCompanyId }] });
    expect((await replace(lost.companyId, lost.companyId)).status).toBe(400);
    expect((await replace(now.companyId, now.companyId)).status).toBe(400);
    const nobody = `external:${crypto.randomUUID()}`;
    for (const answer of [await replace(nobody, now.companyId), await replace(lost.companyId, nobody)]) {
      expectRefusal(answer, 400, 'invalid_request');
    }
    const { decided, remaining } = expectStatus(await replace(lost.companyId, now.companyId), 200).body;
    expect([decided.map(({ state }: { state: string }) => state), remaining]).toEqual([['done', 'done'], 0]);
    expect(await invoicesOf(service, now)).toMatchObject([
      { id: invoice.id, number: invoice.number, status: 'Processing' },
    ]);
    expect((await readLedger(service, now.companyId)).balance).toBe('9.00');
    expect((await listLost()).map(({ number }: { number: string }) => number)).not.toContain(invoice.number);
    expect(await compareNow(service)).toBe(0);
  });
});

it('no case is processed while a journal was neither read nor declared lost', async () => {
  const admin = await signUpAdmin(service);
  const id = crypto.randomUUID();
  await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'another', '/journal')`;
  const { goBack } = await prepareToGoBack(service);
  await grantCredit(service, admin.companyId, { amount: '5.00' });
  await goBack();
  const refused = await adopt(service);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'journal_missing']);
  expect(refused.body.error.message).toContain('/journal on another');
  const path = `/operator/recovery/journals/${id}/lost`;
  const declared = expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200).body;
  expect(declared).toMatchObject({ id, host: 'another', lostAt: expect.stringMatching(/Z$/) });
  expect(await adoptAll()).toMatchObject({ decided: [{ state: 'done' }], remaining: 0 });
});
