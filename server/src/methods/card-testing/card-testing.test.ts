import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAddress, pollUntil } from '../../../test/customers/accounts.ts';
import {
  type Actor,
  CARDS,
  cardBody,
  expectStatus,
  saveAddress,
  saveCard,
  signUpAdmin,
} from '../../../test/customers/actors.ts';
import type { Answer } from '../../../test/harness/request.ts';
import {
  type ChargeService,
  expectSoundBooks,
  type Payable,
  prepareInvoice,
  preparePayable,
  startChargeService,
} from '../../../test/payments/charge.ts';
import {
  STRIPE_DECLINED_CARD,
  type StripeChargeService,
  startStripeChargeService,
} from '../../../test/payments/stripe-charge.ts';
import { chargeInvoice, payInvoice } from '../../payments/charge/charge.ts';

const MANY = 1_000_000;
const DECLINED = { cardNumber: CARDS.declined };

/** Runs behind a proxy, which reports the client's address. */
let service: ChargeService;
/** Has low limits. */
let strict: ChargeService;
/** Uses a gateway whose cards belong to one person each. */
let stripe: StripeChargeService;
beforeAll(async () => {
  const trustedProxies = ['127.0.0.1'];
  [service, strict, stripe] = await Promise.all([
    startChargeService({ trustedProxies }),
    startChargeService({
      trustedProxies,
      refusedCharges: { ofInvoice: MANY, ofCompany: 4, ofAddress: 6, ofCard: 1 },
    }),
    startStripeChargeService({
      trustedProxies,
      refusedCharges: { ofInvoice: MANY, ofCompany: 4, ofAddress: 6, ofCard: 3 },
    }),
  ]);
});
afterEach(async () => {
  await expectSoundBooks(service);
  await expectSoundBooks(strict);
});
afterAll(() => Promise.all([service?.stop(), strict?.stop(), stripe?.stop()]));

const payFrom = ({ pay }: Payable, from: string) => pay({ headers: { 'x-forwarded-for': from } });

function expectSuspected(answer: Answer): void {
  expectStatus(answer, 429);
  expect(answer.body.error.code).toBe('card_testing_suspected');
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(3_000);
  expect(seconds).toBeLessThanOrEqual(3_600);
}

const countOf = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length;

async function alertsOf(where: ChargeService | StripeChargeService, companyId: string) {
  const path = `/operator/alerts?kind=card_testing_suspected&companyId=${companyId}`;
  return expectStatus(await where.call('GET', path, { token: where.operatorKey }), 200).body.data;
}

/** Creates this many companies, each with an invoice and a card that is declined. */
function prepareDeclined(where: ChargeService | StripeChargeService, count: number, card: object = DECLINED) {
  return Promise.all(Array.from({ length: count }, () => preparePayable(where, card)));
}

describe('charges of one invoice that are declined', () => {
  // Security (Card numbers and keys): Refused charges are limited for each invoice, also after a restart, and raise an alert
  // ([abuse](abuse.md#card-testing))
  it('are 20 an hour; then 429 with Retry-After, an alert, and no charge, also after a restart', async () => {
    const payable = await preparePayable(service, DECLINED);
    const other = await prepareInvoice(service, payable.admin);
    const headers = { 'idempotency-key': 'tries-again' };
    for (let time = 1; time <= 20; time += 1) expectStatus(await payable.pay(), 402);
    expectSuspected(await payable.pay({ headers }));
    expectSuspected(await payFrom(payable, newAddress()));
    const alerts = await alertsOf(service, payable.admin.companyId);
    expect(alerts).toMatchObject([{ invoiceId: payable.invoice.id, message: expect.stringContaining('20 charges') }]);
    expectStatus(await other.pay(), 402);

    await service.takeAway();
    await service.bringBack();
    // The kept connections are closed.
    await pollUntil(
      () => payable.pay().catch(() => null),
      (answer) => answer !== null,
    );
    expectSuspected(await payable.pay());
    const [row] = await service.database.owner`
      SELECT count(*)::int AS payments FROM payments WHERE invoice_id = ${payable.invoice.id}`;
    expect(row?.payments).toBe(20);

    await service.database.owner`UPDATE asked_charges SET asked_at = asked_at - interval '1 hour'`;
    expectStatus(await payable.pay({ headers }), 402);
  });

  // Security (Card numbers and keys): The scheduled charges of the collection neither count nor stop
  it('do not count when the automatic collection makes them, nor stop it', async () => {
    const payable = await preparePayable(stripe, { cardNumber: STRIPE_DECLINED_CARD });
    const collect = (attempt: number) =>
      chargeInvoice(stripe.dependencies, payable.admin.companyId, payable.invoice.id, { collectionAttempt: attempt });
    expect(await collect(1)).toMatchObject({ kind: 'payment', payment: { state: 'failed' } });
    for (let time = 1; time <= 3; time += 1) expectStatus(await payable.pay(), 402);
    expectSuspected(await payable.pay());
    expect(await collect(2)).toMatchObject({ kind: 'payment', payment: { state: 'failed' } });
  });

  it('do not stop another card from paying within the hour', async () => {
    const payable = await preparePayable(service, DECLINED);
    for (let time = 1; time <= 19; time += 1) expectStatus(await payable.pay(), 402);
    await saveCard(service, payable.admin, { isDefault: true });
    expectStatus(await payable.pay(), 200);
    expectStatus(await payable.pay(), 200);
  });
});

// Security (Card numbers and keys): Refused charges are limited for each company, address and card, also for simultaneous charges
describe('simultaneous charges', () => {
  it('of one company do not exceed its limit, in any process', async () => {
    const first = await preparePayable(strict, DECLINED);
    const { companyId } = first.admin;
    const rest = await Promise.all(Array.from({ length: 11 }, () => prepareInvoice(strict, first.admin)));
    // Half of them as another process would make them: without HTTP, and from other addresses.
    const limits = strict.config.refusedCharges;
    const outcomes = await Promise.all(
      [first, ...rest].map((payable, index) =>
        index % 2 === 0
          ? payFrom(payable, newAddress()).then(({ body }) => body.error.code as string)
          : payInvoice(strict.dependencies, companyId, payable.invoice.id, { network: newAddress(), limits }).then(
              () => 'paid',
              ({ code }) => code as string,
            ),
      ),
    );
    expect(outcomes.sort()).toEqual([...Array(4).fill('card_declined'), ...Array(8).fill('card_testing_suspected')]);
    expect(await alertsOf(strict, companyId)).toHaveLength(1);
  });

  it('from one address do not exceed its limit, whatever their companies are; another address is not affected', async () => {
    const payables = await prepareDeclined(strict, 12);
    const from = newAddress();
    const answers = await Promise.all(payables.map((payable) => payFrom(payable, from)));
    expect([countOf(answers, 402), countOf(answers, 429)]).toEqual([6, 6]);
    for (const answer of answers.filter(({ status }) => status === 429)) expectSuspected(answer);
    const [next] = await prepareDeclined(strict, 1);
    if (next !== undefined) expectStatus(await payFrom(next, newAddress()), 402);
  });

  it('to one card do not exceed its limit, whatever their companies are', async () => {
    await stripe.database.owner`DELETE FROM asked_charges`;
    const payables = await prepareDeclined(stripe, 8, { cardNumber: STRIPE_DECLINED_CARD });
    const answers = await Promise.all(payables.map((payable) => payFrom(payable, newAddress())));
    expect([countOf(answers, 402), countOf(answers, 429)]).toEqual([3, 5]);
    const good = await preparePayable(stripe);
    expectStatus(await payFrom(good, newAddress()), 200);
  });

  it('with good cards are all paid, however many they are: they wait for each other’s outcome', async () => {
    const admin = await signUpAdmin(strict);
    await saveCard(strict, admin);
    const payables = await Promise.all(Array.from({ length: 10 }, () => prepareInvoice(strict, admin)));
    const from = newAddress();
    const answers = await Promise.all(payables.map((payable) => payFrom(payable, from)));
    expect(countOf(answers, 200)).toBe(10);
    const rows = await strict.database.owner`SELECT 1 FROM asked_charges WHERE company_id = ${admin.companyId}`;
    expect(rows).toEqual([]);
  });
});

// Security (Card numbers and keys): Cards that the gateway refuses when they are saved count as refused charges
describe('cards that are declined while they are saved', () => {
  /** Stripe's stand-in declines these when they are attached to their customer. */
  const REFUSED = [CARDS.declined, CARDS.insufficientFunds, CARDS.lost];

  beforeEach(async () => {
    await stripe.database.owner`DELETE FROM asked_charges`;
  });

  async function save(admin: Actor, cardNumber: string, from = newAddress()): Promise<Answer> {
    const body = cardBody(await saveAddress(stripe, admin), { cardNumber });
    return stripe.call('POST', '/payments/cards', { token: admin.token, body, headers: { 'x-forwarded-for': from } });
  }

  it('count together with the company’s declined charges; then 429, an alert, and the gateway is not asked', async () => {
    const payable = await preparePayable(stripe, { cardNumber: STRIPE_DECLINED_CARD });
    const { admin } = payable;
    expectStatus(await payable.pay(), 402);
    for (const number of REFUSED) {
      const { error } = expectStatus(await save(admin, number), 400).body;
      expect(error.details).toMatchObject([{ field: 'info.cardNumber' }]);
    }
    const counted = stripe.stripe().books.methods.size;
    expectSuspected(await save(admin, CARDS.visa));
    expect(stripe.stripe().books.methods.size).toBe(counted);
    expectSuspected(await payable.pay());
    expect(await alertsOf(stripe, admin.companyId)).toMatchObject([
      { paymentId: null, invoiceId: null, message: expect.stringContaining('4 charges and new cards of one company') },
    ]);
    expectStatus(await save(await signUpAdmin(stripe), CARDS.visa), 201);
    await stripe.database.owner`UPDATE asked_charges SET asked_at = asked_at - interval '1 hour'`;
    expectStatus(await save(admin, CARDS.visa), 201);
  });

  it('count for their number, whatever companies try to save it', async () => {
    const admins = await Promise.all(Array.from({ length: 4 }, () => signUpAdmin(stripe)));
    const answers = await Promise.all(admins.map((admin) => save(admin, CARDS.lost)));
    expect([countOf(answers, 400), countOf(answers, 429)]).toEqual([3, 1]);
  });

  it('count for the client’s address, also when they are simultaneous; saved cards do not count', async () => {
    const from = newAddress();
    const admins = await Promise.all(Array.from({ length: 8 }, () => signUpAdmin(stripe)));
    const saved = await Promise.all(admins.map((admin) => save(admin, CARDS.visa, from)));
    expect(countOf(saved, 201)).toBe(8);
    const answers = await Promise.all(admins.map((admin, index) => save(admin, REFUSED[index % 3] ?? '', from)));
    expect([countOf(answers, 400), countOf(answers, 429)]).toEqual([6, 2]);
  });

  it('and those without an answer do not count', async () => {
    const admin = await signUpAdmin(stripe);
    await stripe.sandbox.armFault({ operation: 'tokenize', kind: 'outage' });
    for (let time = 1; time <= 5; time += 1) expectStatus(await save(admin, CARDS.visa), 503);
    await stripe.sandbox.clearFaults();
    expectStatus(await save(admin, CARDS.visa), 201);
    expect(await stripe.database.owner`SELECT 1 FROM asked_charges`).toEqual([]);
  });
});
