/** A month of a company that the database has lost: its journal and its gateway restore it together. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invoicesOf, runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { credit } from '../../../test/billing/invoice-documents.ts';
import { addItem } from '../../../test/billing/items.ts';
import { type Actor, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  expectSoundBooks,
  paymentOf,
  preparePayable,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { postingsOf, postRefund, refundsOf } from '../../../test/payments/refunds.ts';
import { adopt, compareNow, listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
  await setPrice(service, { path: '/v1/whole', unitAmount: '0.25' });
});
afterAll(async () => service?.stop());

const pay = async ({ token }: Actor, { id }: { id: string }) =>
  expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token }), 200).body;

/** Refunds at the gateway, without a request from here. */
const refundByHand = (gatewayPaymentId: string, amountMinor: bigint) =>
  service.gateway.refundPayment({
    ...{ idempotencyKey: randomUUID(), gatewayPaymentId, amountMinor, reference: `hand-${randomUUID()}` },
  });

/** What the company and the operator read, without times. */
async function answersOf(admin: Actor, paymentIds: readonly string[]): Promise<string[]> {
  const { companyId, token } = admin;
  const { text, body } = expectStatus(await service.call('GET', '/payments/orders?perPage=100', { token }), 200);
  const answers = [text, (await readLedger(service, companyId)).balance];
  for (const { id } of body.data)
    answers.push((await service.call('GET', `/payments/orders/${id}/credit-notes`, { token })).text);
  for (const paymentId of paymentIds) answers.push(JSON.stringify(await refundsOf(service, { paymentId })));
  return answers.map((answer) => answer.replaceAll(/"(updatedAt|createdAt)" ?: ?"[^"]*"/g, ''));
}

/** A run, credit notes before and after a payment with credit and card, a refund, an invoice by hand that is refunded in full. */
async function workFor(admin: Actor): Promise<string[]> {
  const { companyId } = admin;
  await grantCredit(service, companyId, { amount: '5.00' });
  await runMonth(service, '2026-10');
  const [billed] = await invoicesOf(service, admin);
  expectStatus(await credit(service, billed.id, { amount: '3.00' }), 201);
  const first = await pay(admin, billed);
  expectStatus(await postRefund(service, first, { amount: '4.00' }, 'a part'), 201);
  const second = await pay(admin, await issueInvoice(service, companyId, { reference: 'order-9', taxRate: '20' }));
  expectStatus(await postRefund(service, second), 201);
  return [first.paymentId, second.paymentId];
}

it('one request restores everything: all answers are as before, the books agree, and nothing is charged', async () => {
  const admin = await signUpAdmin(service);
  await saveCard(service, admin);
  await use(service, admin, '/v1/whole', 80, '2026-10-05T10:00:00Z');
  await addItem(service, admin.companyId, { amount: '12.00', taxRate: '20' });
  const { goBack } = await prepareToGoBack(service);
  const paymentIds = await workFor(admin);
  const [before, posted] = [await answersOf(admin, paymentIds), await postingsOf(service, admin.companyId)];
  await goBack();
  expect((await listCases(service, admin.companyId)).map(({ kind }) => kind)).toEqual([
    ...['credit_entry', 'invoice', 'credit_note', 'payment', 'credit_note', 'refund'],
    ...['invoice', 'payment', 'credit_note', 'refund'],
  ]);
  const { decided, remaining } = expectStatus(await adopt(service), 200).body;
  expect(decided.filter(({ state }: { state: string }) => state !== 'done')).toEqual([]);
  expect(remaining).toBe(0);
  expect(await answersOf(admin, paymentIds)).toEqual(before);
  expect((await postingsOf(service, admin.companyId)).toSorted()).toEqual(posted.toSorted());
  expect(await compareNow(service)).toBe(0);
  await releaseCharges(service);
  await expectSoundBooks(service);
});

it('each refund is credited once, also of an earlier credit note and one that was made at the gateway, with the old numbers', async () => {
  const payables = [await preparePayable(service), await preparePayable(service)] as const;
  const [one, two] = payables;
  const { goBack } = await prepareToGoBack(service);
  const [first, second] = [expectStatus(await one.pay(), 200).body, expectStatus(await two.pay(), 200).body];
  expectStatus(await credit(service, one.invoice.id, { amount: '3.00' }), 201);
  expectStatus(await postRefund(service, first, { amount: '3.00' }), 201);
  const { gatewayPaymentId } = await paymentOf(service, two);
  await refundByHand(gatewayPaymentId ?? '', 100n);
  const path = '/operator/refunds';
  const body = { gateway: 'sandbox', gatewayPaymentId };
  expectStatus(await service.call('POST', path, { token: service.operatorKey, body }), 200);
  expectStatus(await credit(service, one.invoice.id, { amount: '2.00' }), 201);
  const read = () =>
    Promise.all(
      payables.map(async ({ admin }) => [
        (await answersOf(admin, [])).join(),
        (await postingsOf(service, admin.companyId)).toSorted(),
      ]),
    );
  const before = await read();
  await goBack();
  const numbers = async () =>
    (await service.call('GET', '/operator/numbering', { token: service.operatorKey })).body.nextCreditNoteNumber;
  expect(expectStatus(await adopt(service, { limit: 1 }), 200).body.remaining).toBeGreaterThan(0);
  const next = await numbers();
  expect(expectStatus(await adopt(service), 200).body.remaining).toBe(0);
  expect(await numbers()).toBe(next);
  expect(await read()).toEqual(before);
  for (const [{ paymentId }, amount] of [
    [first, '3.00'],
    [second, '1.00'],
  ])
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ amount, status: 'Succeeded' }]);
  expect(await compareNow(service)).toBe(0);
  await releaseCharges(service);
  await expectSoundBooks(service);
});

it('if a person names the company only in a second step, each refund is still credited once, with its earlier credit note', async () => {
  const { goBack } = await prepareToGoBack(service);
  const [one, two] = [await preparePayable(service), await preparePayable(service)];
  const paid: { paymentId: string }[] = [];
  for (const { pay: payNow, invoice } of [one, two]) {
    paid.push(expectStatus(await payNow(), 200).body);
    expectStatus(await credit(service, invoice.id, { amount: '3.00' }), 201);
  }
  const [first = { paymentId: '' }, second = { paymentId: '' }] = paid;
  expectStatus(await postRefund(service, first, { amount: '3.00' }), 201);
  const { gatewayPaymentId } = await paymentOf(service, two);
  await refundByHand(gatewayPaymentId ?? '', 300n);
  await goBack();
  expect(expectStatus(await adopt(service), 200).body.remaining).toBe(0);
  const heirs = [await signUpAdmin(service), await signUpAdmin(service)];
  const companies = [one, two].map(({ admin: { companyId } }, index) => ({
    companyId,
    newCompanyId: heirs[index]?.companyId,
  }));
  expect(expectStatus(await adopt(service, { companies }), 200).body.remaining).toBe(0);
  expect(await compareNow(service)).toBe(0);
  for (const [index, { paymentId }] of [first, second].entries()) {
    const [invoice] = await invoicesOf(service, heirs[index] ?? one.admin);
    expect(invoice).toMatchObject({ status: 'Succeeded', creditedTotal: '3.00' });
    expect(await refundsOf(service, { paymentId })).toMatchObject([{ amount: '3.00', status: 'Succeeded' }]);
  }
  await releaseCharges(service);
  await expectSoundBooks(service);
});

it('a document that is written again without its number while a journal is lost gets a number of a new series', async () => {
  const operator = { token: service.operatorKey };
  const numbering = async () => (await service.call('GET', '/operator/numbering', operator)).body;
  const { admin, invoice, ...payable } = await preparePayable(service);
  expectStatus(await payable.pay(), 200);
  const { gatewayPaymentId } = await paymentOf(service, { invoice });
  const journalId = randomUUID();
  await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${journalId}, 'billing-2', '/j')`;
  const { goBack } = await prepareToGoBack(service);
  await refundByHand(gatewayPaymentId ?? '', 100n);
  await goBack();
  const before = await numbering();
  expectStatus(await service.call('POST', `/operator/recovery/journals/${journalId}/lost`, operator), 200);
  for (let times = 0; times < 2; times += 1) expectStatus(await adopt(service), 200);
  const { invoicePrefix, creditNotePrefix, nextInvoiceNumber } = await numbering();
  expect(invoicePrefix).not.toBe(before.invoicePrefix);
  const path = `/payments/orders/${invoice.id}/credit-notes`;
  const { data } = expectStatus(await service.call('GET', path, { token: admin.token }), 200).body;
  expect(data).toMatchObject([{ number: `${creditNotePrefix}000001`, total: '1.00' }]);
  await releaseCharges(service);
  expect(await numbering()).toMatchObject({ invoicePrefix, creditNotePrefix, nextInvoiceNumber });
  await expectSoundBooks(service);
});
