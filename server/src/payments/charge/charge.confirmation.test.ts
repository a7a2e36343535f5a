/** Charges that the bank wants confirmed: what is answered, who sees what, and what ends them. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { answerBank, endsOf, letExpire, payAndWait } from '../../../test/confirmations/confirmation.ts';
import { CARDS, expectStatus, saveCard } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  capturesOf,
  expectSoundBooks,
  type Payable,
  paymentOf,
  paymentsOf,
  prepareInvoice,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

const prepare = () => preparePayable(service, { cardNumber: CARDS.asksAlways });
const read = async ({ admin: { token }, invoice: { id } }: Payable) =>
  expectStatus(await service.call('GET', `/payments/orders/${id}`, { token }), 200).body;
const asOperator = (method: string, path: string) => service.call(method, path, { token: service.operatorKey });

async function prepareWaiting() {
  const payable = await prepare();
  const { paymentId, nextAction } = await payAndWait(payable);
  return { payable, paymentId, nextAction, secret: nextAction.clientSecret };
}

describe('a charge that the bank wants confirmed', () => {
  it('is 402 with what confirms it, without Retry-After, and starts nothing else', async () => {
    const payable = await prepare();
    const answer = await payable.pay({ headers: { 'idempotency-key': 'once' } });
    expect(answer.status).toBe(402);
    expect(answer.headers.get('retry-after')).toBeNull();
    const payment = await paymentOf(service, payable);
    const { createdAt } = (await read(payable)).payment;
    expect(answer.body).toEqual({
      error: {
        ...{ code: 'authentication_required', message: expect.any(String), details: [], requestId: expect.any(String) },
        paymentId: payment.id,
        nextAction: {
          gateway: 'sandbox',
          clientSecret: expect.stringMatching(/_secret_/),
          publishableKey: 'pk_sandbox',
          url: expect.stringMatching(/^http.*\/pay\/[\w.-]{32,}$/),
          expiresAt: new Date(Date.parse(createdAt) + 82_800_000).toISOString(),
        },
      },
    });
    const again = await payable.pay({ headers: { 'idempotency-key': 'once' } });
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect({ ...again.body.error, requestId: '' }).toEqual({ ...answer.body.error, requestId: '' });
    expect(await paymentsOf(service, payable)).toHaveLength(1);
    await answerBank(service, answer.body.error.nextAction.clientSecret);
    const paid = await payable.pay({ headers: { 'idempotency-key': 'once' } });
    expect(paid).toMatchObject({ status: 200, body: { status: 'Succeeded', paymentId: payment.id } });
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('is shown with its invoice Processing, its credit held and nothing in the ledger', async () => {
    const payable = await prepare();
    await grantCredit(service, payable.admin.companyId, { amount: '20.00' });
    const { paymentId, nextAction } = await payAndWait(payable);
    const shown = await read(payable);
    expect(shown).toMatchObject({
      ...{ status: 'Processing', paymentId: null },
      collection: { state: 'awaiting_confirmation', nextAttemptAt: null },
      payment: { id: paymentId, status: 'RequiresAction', creditAmount: '20.00', failureReason: null, nextAction },
    });
    expect(shown.attempts).toEqual([shown.payment]);
    expect((await readInvoice(service, payable)).payment.nextAction).toEqual(nextAction);
    const { owner } = service.database;
    expect(await owner`SELECT FROM ledger_postings WHERE source_id = ${paymentId}`).toHaveLength(0);
    const [balance] = await owner`
      SELECT balance_minor::int AS minor FROM credit_balances WHERE company_id = ${payable.admin.companyId}`;
    expect(balance).toEqual({ minor: 0 });
    await answerBank(service, nextAction.clientSecret);
    await service.reconcileNow();
    expect(await read(payable)).toMatchObject({ status: 'Succeeded', payment: { nextAction: null } });
  });

  // Security (Card numbers and keys): What confirms a charge goes to the company alone
  it('tells its secrets to nobody but the company', async () => {
    const { payable, paymentId, nextAction, secret } = await prepareWaiting();
    const told = { url: nextAction.url, expiresAt: nextAction.expiresAt };
    const { id } = payable.invoice;
    const charge = await asOperator('POST', `/operator/invoices/${id}/charge`);
    expect(charge).toMatchObject({ status: 402, body: { error: { paymentId } } });
    expect(charge.body.error.nextAction).toEqual(told);
    for (const path of [
      `/operator/invoices/${id}`,
      `/operator/payments/${paymentId}`,
      `/operator/invoices?invoiceId=${id}`,
    ])
      expect(JSON.stringify((await asOperator('GET', path)).body)).not.toContain(secret);
    expect((await asOperator('GET', `/operator/payments/${paymentId}`)).body.nextAction).toEqual(told);
    expect((await asOperator('GET', '/operator/payments?status=RequiresAction')).body.data).toMatchObject([
      { id: paymentId },
    ]);
    const { owner } = service.database;
    const events = await owner<{ type: string; data: unknown }[]>`
      SELECT type, data FROM events WHERE company_id = ${payable.admin.companyId} AND type LIKE 'payment.%' ORDER BY id`;
    expect(events.map(({ type }) => type)).toEqual(['payment.started', 'payment.requires_action']);
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(service.logs()).not.toContain(secret);
    expectStatus(await answerBank(service, secret), 200);
  });
});

describe('a payment that waits', () => {
  it('is found confirmed by a look, and is paid once', async () => {
    const { payable, paymentId, secret } = await prepareWaiting();
    await service.reconcileNow();
    expect(await endsOf(service, payable)).toEqual(['requires_action']);
    expect(expectStatus(await answerBank(service, secret), 200).body).toEqual({ status: 'succeeded' });
    await service.reconcileNow();
    expect(await read(payable)).toMatchObject({ status: 'Succeeded', paymentId, collection: { state: 'closed' } });
    expect(expectStatus(await answerBank(service, secret), 409).body.error.code).toBe('nothing_to_confirm');
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('fails when the customer refuses, and another pay starts another one', async () => {
    const { payable, secret } = await prepareWaiting();
    expect(expectStatus(await answerBank(service, secret, 'fail'), 200).body).toEqual({ status: 'failed' });
    const { error } = expectStatus(await payable.pay(), 402).body;
    expect(error).toMatchObject({ code: 'card_declined', declineCode: 'authentication_failed' });
    expect(await read(payable)).toMatchObject({ status: 'Failed', payment: { failureReason: 'declined' } });
    const { nextAction } = await payAndWait(payable);
    await answerBank(service, nextAction.clientSecret);
    expectStatus(await payable.pay(), 200);
    expect(await endsOf(service, payable)).toEqual(['failed declined authentication_failed', 'captured']);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('fails when its time has passed, and a late confirmation finds nothing to confirm', async () => {
    const { payable, secret } = await prepareWaiting();
    await letExpire(service);
    await service.reconcileNow();
    expect(await endsOf(service, payable)).toEqual(['failed declined authentication_expired']);
    expect((await read(payable)).status).toBe('Failed');
    expect((await answerBank(service, secret)).status).toBe(409);
    expect(await capturesOf(service, payable)).toHaveLength(0);
  });

  it('that the gateway does not know any more ends when its time has passed, and the operator is told', async () => {
    const { payable, paymentId } = await prepareWaiting();
    service.hideAtGateway((await paymentOf(service, payable)).gatewayPaymentId ?? '');
    await service.reconcileNow();
    expect(await endsOf(service, payable)).toEqual(['requires_action']);
    await letExpire(service);
    await service.reconcileNow();
    expect(await endsOf(service, payable)).toEqual(['failed declined authentication_expired']);
    expect((await read(payable)).status).toBe('Failed');
    const { data } = (await asOperator('GET', `/operator/alerts?companyId=${payable.admin.companyId}`)).body;
    expect(data).toMatchObject([{ kind: 'payment_unresolved', paymentId }]);
  });

  it('that the gateway does not know any more stays while its debt can’t be asked for', async () => {
    const { payable } = await prepareWaiting();
    const show = service.hideAtGateway((await paymentOf(service, payable)).gatewayPaymentId ?? '');
    await letExpire(service);
    await service.sandbox.armFault({ operation: 'ask', kind: 'outage', times: null });
    await service.reconcileNow();
    expect(await endsOf(service, payable)).toEqual(['requires_action']);
    await service.sandbox.clearFaults();
    show();
    await service.reconcileNow();
    expect(await endsOf(service, payable)).toEqual(['failed declined authentication_expired']);
  });

  it.each([
    ['is paid if the customer has confirmed it', true, 'captured'],
    ['goes on waiting if nobody has', false, 'requires_action'],
  ])('that the gateway has in its list alone %s, also when its time has passed', async (_name, isConfirmed, end) => {
    const { payable, secret } = await prepareWaiting();
    if (isConfirmed) await answerBank(service, secret);
    await letExpire(service);
    const finding = vi.spyOn(service.gateways.of('sandbox'), 'findPayment').mockResolvedValue(null);
    await service.reconcileNow();
    finding.mockRestore();
    expect(await endsOf(service, payable)).toEqual([end]);
    expect(await capturesOf(service, payable)).toHaveLength(isConfirmed ? 1 : 0);
  });

  it('that was confirmed before its time had passed is paid, whoever looks', async () => {
    const { payable, secret } = await prepareWaiting();
    await answerBank(service, secret);
    await letExpire(service);
    await service.reconcileNow();
    expect(await endsOf(service, payable)).toEqual(['captured']);
  });

  it('is declined after the confirmation of a card without money', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.asksOnSession });
    const { nextAction } = await payAndWait(payable);
    await answerBank(service, nextAction.clientSecret);
    expect(expectStatus(await payable.pay(), 402).body.error.declineCode).toBe('insufficient_funds');
  });

  it('is confirmed at the link of now, which was replaced, has expired or was revoked since it began', async () => {
    const { payable } = await prepareWaiting();
    const link = async (method: string) => {
      const path = `/payments/orders/${payable.invoice.id}/link`;
      return (await service.call(method, path, { token: payable.admin.token })).body?.url;
    };
    const told = async () => {
      const { payment, attempts } = await read(payable);
      const { url } = (await payAndWait(payable)).nextAction;
      expect([payment.nextAction.url, attempts[0].nextAction.url]).toEqual([url, url]);
      return url;
    };
    const first = await told();
    const replaced = await link('POST');
    expect(await told()).toBe(replaced);
    const { owner } = service.database;
    const { id } = payable.invoice;
    await owner`UPDATE invoices SET due_at = now() - interval '90 days' WHERE id = ${id}`;
    await owner`UPDATE invoice_links SET created_at = now() - interval '31 days' WHERE invoice_id = ${id}`;
    const renewed = await link('GET');
    expect(await told()).toBe(renewed);
    await link('DELETE');
    expect(await told()).toMatch(/\/pay$/);
    const created = await link('POST');
    expect(await told()).toBe(created);
    expect(new Set([first, replaced, renewed, created]).size).toBe(4);
  });

  it('answers the same while the gateway is away, and is not under review', async () => {
    const { payable, paymentId, nextAction } = await prepareWaiting();
    await service.takeGatewayAway();
    expect(await payAndWait(payable)).toMatchObject({ paymentId, nextAction });
    await service.bringGatewayBack();
    const path = `/operator/payments/${paymentId}/resolve`;
    const resolved = await service.call('POST', path, { token: service.operatorKey, body: {} });
    expect(resolved).toMatchObject({ status: 409, body: { error: { code: 'not_under_review' } } });
  });

  it('is looked at after 5 s, 15 s, 1 min, 5 min and 15 min, then hourly, and at its end', async () => {
    const { payable } = await prepareWaiting();
    const { owner } = service.database;
    const next = async () => {
      const [row] = await owner<[{ seconds: number; end: number }]>`
        SELECT round(extract(epoch FROM reconcile_at - now()))::int AS seconds, round(extract(epoch FROM expires_at - now()))::int AS end
        FROM payments WHERE invoice_id = ${payable.invoice.id}`;
      return row;
    };
    const delays = [(await next()).seconds];
    for (let count = 0; count < 7; count += 1) {
      await service.reconcileNow();
      delays.push((await next()).seconds);
    }
    const [first, ...others] = delays;
    expect(first).toBeLessThanOrEqual(5);
    const planned = [15, 60, 300, 900, 3_600, 3_600, 3_600];
    for (const [index, seconds] of others.entries()) expect(Math.abs(seconds - (planned[index] ?? 0))).toBeLessThan(5);
    await owner`UPDATE payments SET expires_at = now() + interval '10 minutes' WHERE invoice_id = ${payable.invoice.id}`;
    await service.reconcileNow();
    const { seconds, end } = await next();
    expect(seconds).toBe(end);
  });
});

describe('a lost answer', () => {
  it.each([
    'answer_lost_after_effect',
    'server_error_after_effect',
    'unparsable_answer',
    'cached_server_error',
  ] as const)('about the question of the bank (%s) is found out, and the payment waits', async (kind) => {
    const payable = await prepare();
    await service.sandbox.armFault({ operation: 'confirm', kind });
    expectStatus(await payable.pay(), 202);
    await service.reconcileNow();
    const { nextAction } = await payAndWait(payable);
    await answerBank(service, nextAction.clientSecret);
    expectStatus(await payable.pay(), 200);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it.each([
    'answer_lost_after_effect',
    'answer_lost_before_effect',
    'server_error_after_effect',
    'executes_late',
  ] as const)('about the cancellation (%s) changes nothing, and a repeat does', async (kind) => {
    const { payable } = await prepareWaiting();
    await service.sandbox.armFault({
      operation: 'cancel',
      kind,
      ...(kind === 'executes_late' ? { delayMs: 60_000 } : {}),
    });
    if (kind === 'executes_late') void voidInvoice(service, payable.invoice.id).catch(() => undefined);
    else expectStatus(await voidInvoice(service, payable.invoice.id), 503);
    if (kind === 'executes_late')
      await expect.poll(async () => (await service.sandbox.readFaults()).pendingEffects).toBe(1);
    expect(await endsOf(service, payable)).toEqual(['requires_action']);
    expect((await read(payable)).voidedAt).toBeNull();
    expectStatus(await voidInvoice(service, payable.invoice.id), 200);
    expect(await endsOf(service, payable)).toEqual(['failed canceled']);
  });

  it.each(['answer_lost_before_effect', 'wrong_shape_answer', 'rate_limited', 'unauthorized', 'outage'] as const)(
    'to a look (%s) leaves the payment as it is',
    async (kind) => {
      const { payable, secret } = await prepareWaiting();
      await answerBank(service, secret);
      await service.sandbox.armFault({ operation: 'find', kind, times: null });
      await service.reconcileNow();
      expect(await endsOf(service, payable)).toEqual(['requires_action']);
      await service.sandbox.clearFaults();
      await service.reconcileNow();
      expect(await endsOf(service, payable)).toEqual(['captured']);
    },
  );
});

describe('a change of what is due', () => {
  it.each([
    ['void', (id: string) => voidInvoice(service, id), 200],
    ['credit note', (id: string) => credit(service, id, { amount: '10.00' }), 201],
  ] as const)('by a %s cancels the payment first', async (_name, change, status) => {
    const { payable, secret } = await prepareWaiting();
    expectStatus(await change(payable.invoice.id), status);
    expect(await endsOf(service, payable)).toEqual(['failed canceled']);
    expect((await answerBank(service, secret)).status).toBe(409);
    expect((await read(payable)).status).toBe('Failed');
    expect(await capturesOf(service, payable)).toHaveLength(0);
  });

  it('is judged on the paid invoice when the customer has confirmed', async () => {
    const { payable, secret } = await prepareWaiting();
    await answerBank(service, secret);
    expect(expectStatus(await voidInvoice(service, payable.invoice.id), 409).body.error.code).toBe('invoice_paid');
    expect(await endsOf(service, payable)).toEqual(['captured']);
  });

  it('is 503 and changes nothing without an answer of the gateway', async () => {
    const { payable } = await prepareWaiting();
    await service.takeGatewayAway();
    expectStatus(await voidInvoice(service, payable.invoice.id), 503);
    const cardId = (await read(payable)).payment.cardId;
    const { token } = payable.admin;
    expectStatus(await service.call('DELETE', `/payments/cards/${cardId}`, { token }), 503);
    await service.bringGatewayBack();
    expect(await endsOf(service, payable)).toEqual(['requires_action']);
    expect((await read(payable)).voidedAt).toBeNull();
    expectStatus(await service.call('GET', `/payments/cards`, { token }), 200);
  });

  it('that is refused cancels nothing', async () => {
    const { payable } = await prepareWaiting();
    expectStatus(await credit(service, payable.invoice.id, { amount: '100.00' }), 409);
    expect(await endsOf(service, payable)).toEqual(['requires_action']);
  });
});

describe('another card', () => {
  it('that is only saved cancels nothing; a pay with it cancels the payment first, and is charged once', async () => {
    const { payable, paymentId, secret } = await prepareWaiting();
    await saveCard(service, payable.admin, { cardNumber: CARDS.visa, isDefault: true });
    expect(await endsOf(service, payable)).toEqual(['requires_action']);
    const paid = expectStatus(await payable.pay(), 200).body;
    expect(paid.paymentId).not.toBe(paymentId);
    expect(await endsOf(service, payable)).toEqual(['failed canceled', 'captured']);
    expect((await answerBank(service, secret)).status).toBe(409);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('is not charged when the payment was confirmed meanwhile', async () => {
    const { payable, paymentId, secret } = await prepareWaiting();
    await saveCard(service, payable.admin, { cardNumber: CARDS.visa, isDefault: true });
    await answerBank(service, secret);
    expect(expectStatus(await payable.pay(), 200).body.paymentId).toBe(paymentId);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('is not charged while the gateway does not answer', async () => {
    const { payable } = await prepareWaiting();
    await saveCard(service, payable.admin, { cardNumber: CARDS.visa, isDefault: true });
    await service.sandbox.armFault({ operation: 'cancel', kind: 'outage' });
    expectStatus(await payable.pay(), 503);
    await service.sandbox.clearFaults();
    expect(await endsOf(service, payable)).toEqual(['requires_action']);
  });
});

it('the deletion of its card cancels each payment that waits with it', async () => {
  const { payable } = await prepareWaiting();
  const other = await prepareInvoice(service, payable.admin);
  await payAndWait(other);
  const { cardId } = (await read(payable)).payment;
  expectStatus(await service.call('DELETE', `/payments/cards/${cardId}`, { token: payable.admin.token }), 204);
  expect([await endsOf(service, payable), await endsOf(service, other)]).toEqual([
    ['failed canceled'],
    ['failed canceled'],
  ]);
});

it('a confirmation, a refusal, a void and pays at once leave one outcome, and money is taken once at most', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { payable, secret } = await prepareWaiting();
    await Promise.all([
      answerBank(service, secret),
      answerBank(service, secret, 'fail'),
      voidInvoice(service, payable.invoice.id),
      ...Array.from({ length: 4 }, () => payable.pay()),
      service.reconcileNow(),
    ]);
    await service.reconcileNow();
    const { status, voidedAt } = await read(payable);
    const captures = (await capturesOf(service, payable)).length;
    expect({ captures, isVoided: voidedAt !== null }).toEqual({
      captures: status === 'Succeeded' ? 1 : 0,
      isVoided: status !== 'Succeeded' && voidedAt !== null,
    });
  }
});
