import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, saveCard } from '../../../test/customers/actors.ts';
import { deadlocksOf } from '../../../test/harness/database/deadlock.ts';
import type { Answer } from '../../../test/harness/request.ts';
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
import { delayNext, outcomeIsAwaited } from '../../../test/payments/delays.ts';
import { claimDue } from '../outcomes/outcomes.worker.queries.ts';
import { PAYMENT_QUEUE } from '../payment/payment.queries.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterEach(async () => expectSoundBooks(service));
afterAll(async () => service?.stop());

const putCard = (payable: Payable, cardId: string, isDefault: boolean) =>
  service.call('PUT', `/payments/cards/${cardId}`, {
    token: payable.admin.token,
    body: { isDefault, info: { expMonth: 12, expYear: new Date().getUTCFullYear() + 3 } },
  });

/** Waits until this many connections of the database wait for a lock. */
async function expectWaiting(connections: number): Promise<void> {
  const count = async () => {
    const [row] = await service.database.owner<[{ waiting: number }]>`
      SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return row.waiting;
  };
  await expect.poll(count, { interval: 20 }).toBe(connections);
}

/** Holds the row of a card as a slow transaction would, while `work` runs; resolves when both have ended. */
async function holdingCard<T>(cardId: string, work: (release: () => void) => Promise<T>): Promise<T> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const holding = service.database.db.begin(async (tx) => {
    await tx`SELECT 1 FROM cards WHERE id = ${cardId} FOR UPDATE`;
    hold();
    await released;
  });
  await held;
  try {
    return await work(release);
  } finally {
    release();
    await holding;
  }
}

describe('pays of one invoice at once', () => {
  it('50 make one capture; every 200 has the same paymentId, the others are 409 payment_in_progress', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'latency', delayMs: 200 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => payable.pay()));
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid.length).toBeGreaterThan(0);
    expect(new Set(paid.map(({ body }) => body.paymentId))).toEqual(new Set([(await paymentOf(service, payable)).id]));
    for (const { status, body } of answers.filter((answer) => !paid.includes(answer)))
      expect([status, body.error.code]).toEqual([409, 'payment_in_progress']);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it.each([
    ['its capture', CARDS.visa, { status: 200, body: { status: 'Succeeded' } }],
    ['its decline', CARDS.lost, { status: 402, body: { error: { declineCode: 'lost_card' } } }],
  ])('the second waits for the result of the first and answers with it: %s', async (_what, cardNumber, expected) => {
    const payable = await preparePayable(service, { cardNumber });
    const confirmation = await delayNext(service, 'confirm');
    const first = payable.pay();
    await confirmation.arrived();
    const second = payable.pay();
    await outcomeIsAwaited(service);
    await confirmation.end();
    expect(await Promise.all([first, second])).toMatchObject([expected, expected]);
    expect(await paymentsOf(service, payable)).toHaveLength(1);
  });

  // Security (Methods, media types and idempotency keys): Many simultaneous pays with one key make one charge
  it('with one Idempotency-Key: one charge; the others get its answer or 409 idempotency_key_in_use', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'latency', delayMs: 200 });
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => payable.pay({ headers })));
    const outcome = ({ status, body }: Answer) => (status === 200 ? body.paymentId : body.error.code);
    const { id } = await paymentOf(service, payable);
    expect(new Set(answers.map(outcome))).toEqual(new Set([id, 'idempotency_key_in_use']));
  });

  it('of many invoices of a company, with declines and retries, end without a deadlock', async () => {
    const { admin } = await preparePayable(service, { cardNumber: CARDS.declined });
    const payables = await Promise.all(Array.from({ length: 12 }, () => prepareInvoice(service, admin)));
    await Promise.all(
      payables.map(async (payable) => {
        for (let tries = 0; tries < 4; tries += 1) expect((await payable.pay()).status).toBe(402);
      }),
    );
    expect(await deadlocksOf(service.database)).toBe(0);
  });
});

describe('a pay while the cards change charges what was chosen, or refuses; never a mix', () => {
  it('while another card becomes the default, the pay waits and charges the new default', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    const second = await saveCard(service, payable.admin);
    const third = await saveCard(service, payable.admin, { cardNumber: CARDS.mastercard });
    expect((await putCard(payable, second, true)).status).toBe(200);
    const paid = await holdingCard(third, async (release) => {
      const changing = putCard(payable, third, true);
      await expectWaiting(1);
      const paying = payable.pay();
      await expectWaiting(2);
      release();
      expect((await changing).status).toBe(200);
      return paying;
    });
    expect(paid).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    expect((await readInvoice(service, payable)).payment).toMatchObject({
      cardId: third,
      card: { brand: 'mastercard' },
    });
  });

  it('a default that changes back and forth: every pay is 200, with the token of the card that it names', async () => {
    const payable = await preparePayable(service);
    const cards = [await saveCard(service, payable.admin, { isDefault: true }), await saveCard(service, payable.admin)];
    const payables = await Promise.all(Array.from({ length: 10 }, () => prepareInvoice(service, payable.admin)));
    let paying = true;
    const changing = (async () => {
      for (let turn = 0; paying; turn += 1) await putCard(payable, cards[turn % 2] ?? '', true);
    })();
    const answers = await Promise.all(payables.map(({ pay }) => pay()));
    paying = false;
    await changing;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('while its card is deleted, the pay waits and finds no card', async () => {
    const payable = await preparePayable(service);
    const [card] = await service.database.owner<[{ id: string }]>`
      SELECT id FROM cards WHERE company_id = ${payable.admin.companyId}`;
    const refused = await holdingCard(card.id, async (release) => {
      const deleting = service.call('DELETE', `/payments/cards/${card.id}`, { token: payable.admin.token });
      await expectWaiting(1);
      const paying = payable.pay();
      await expectWaiting(2);
      release();
      expect((await deleting).status).toBe(204);
      return paying;
    });
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'payment_method_required' } } });
    expect(await paymentsOf(service, payable)).toEqual([]);
  });

  it('its card that is deleted after the charge has begun is still charged, and the payment still names it', async () => {
    const payable = await preparePayable(service);
    const creation = await delayNext(service, 'create');
    const paying = payable.pay();
    await creation.arrived();
    const [card] = await service.database.owner<[{ id: string }]>`
      SELECT id FROM cards WHERE company_id = ${payable.admin.companyId}`;
    const { token } = payable.admin;
    expect((await service.call('DELETE', `/payments/cards/${card.id}`, { token })).status).toBe(204);
    await creation.end();
    expect((await paying).status).toBe(200);
    expect((await readInvoice(service, payable)).payment).toMatchObject({ cardId: card.id, card: { brand: 'visa' } });
  });
});

describe('two reconcilers', () => {
  it('claim disjoint payments, and leave a claimed one alone until its lease runs out', async () => {
    const { db, owner } = service.database;
    await service.sandbox.armFault({ operation: 'create', kind: 'outage' });
    const { admin } = await preparePayable(service);
    const payables = await Promise.all(Array.from({ length: 12 }, () => prepareInvoice(service, admin)));
    await Promise.all(payables.map(async ({ pay }) => expect((await pay()).status).toBe(202)));
    await owner`UPDATE payments SET reconcile_at = now() - interval '1 second' WHERE state = 'unknown'`;

    const claim = (limit: number) => claimDue(db, PAYMENT_QUEUE, { gateway: 'sandbox', limit });
    const claims = await Promise.all([claim(8), claim(8)]);
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(12);
    expect(ids).toHaveLength(12);
    expect(await claim(8)).toEqual([]);
    await owner`UPDATE payments SET reconcile_at = reconcile_at - interval '45 seconds' WHERE state = 'unknown'`;
    expect(await claim(20)).toHaveLength(12);
  });

  it('that check the same payments at once capture each of them once', async () => {
    const { admin } = await preparePayable(service);
    const payables = await Promise.all(Array.from({ length: 6 }, () => prepareInvoice(service, admin)));
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect', times: 6 });
    await Promise.all(payables.map(({ pay }) => pay()));
    await Promise.all([service.reconcileNow(), sleep(20).then(() => service.reconcileNow()), service.reconcileNow()]);
    await expectSoundBooks(service);
    for (const payable of payables) expect(await capturesOf(service, payable)).toHaveLength(1);
  });
});
