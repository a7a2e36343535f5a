/** The fees and the payouts of Stripe are in the books, each once, so that `cash:stripe` is what Stripe owes. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lookNow, movementsOf, postingsOfNobody, withBalance } from '../../../test/ledger/fees-and-payouts.ts';
import { expectSoundBooks, startChargeService } from '../../../test/payments/charge.ts';
import { deliver, eventsOf, objectOf, outcomeOf } from '../../../test/payments/gateway-events.ts';
import { postingsOf, postRefund, preparePaid } from '../../../test/payments/refunds.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { failPayout, payOut } from '../../../test/stand-ins/stripe/stripe-server.balance.ts';
import { moveBalance } from '../../../test/stand-ins/stripe/stripe-server.books.ts';
import { openDispute } from '../../../test/stand-ins/stripe/stripe-server.disputes.ts';
import { type BalanceTransaction, newId } from '../../../test/stand-ins/stripe/stripe-server.objects.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { lookAt } from './looks.ts';

let service: StripeChargeService;
beforeAll(async () => {
  service = await startStripeChargeService();
});
afterEach(() => expectSoundBooks(service));
afterAll(() => service?.stop());

const books = () => service.stripe().books;
/** Of 48.00 USD. */
const FEE = ['gateway_fee gateway_fees 1.69', 'gateway_fee cash:stripe -1.69'];

async function feesOf({ admin }: { admin: { companyId: string } }): Promise<string[]> {
  const postings = await postingsOf(service, admin.companyId);
  return postings.filter((posting) => posting.startsWith('gateway_fee'));
}

/** Works while the account has a charge of 9.00 USD that is not Paydesk's. */
async function ofSomebodyElse(work: (movement: BalanceTransaction) => Promise<void>): Promise<void> {
  const capture = { id: newId('ch'), paymentId: newId('pi'), amount: 900, currency: 'usd' };
  books().captures.push(capture);
  await work(
    moveBalance(books(), { type: 'charge', source: capture.id, amount: 900, currency: 'usd', fee: 56 }),
  ).finally(() => books().captures.splice(books().captures.indexOf(capture), 1));
}

/** What was posted for no company since the beginning of the test. */
async function watchNobody(): Promise<() => Promise<string[]>> {
  const { length } = await postingsOfNobody(service);
  return async () => (await postingsOfNobody(service)).slice(length);
}

describe('a fee', () => {
  it('of a payment, and of a dispute of it, is posted in the books of its company, however often it is read', async () => {
    const paid = await preparePaid(service);
    await Promise.all([lookNow(service), lookNow(service), lookNow(service)]);
    expect(await feesOf(paid)).toEqual(FEE);
    expect((await postRefund(service, paid)).status).toBe(201);
    openDispute(books(), await objectOf(service, paid), { amount: 1_000 });
    for (const event of await eventsOf(service, paid, /dispute/)) await deliver(service, event);
    await lookNow(service);
    await lookNow(service);
    expect(await feesOf(paid)).toEqual([...FEE, 'gateway_fee gateway_fees 15.00', 'gateway_fee cash:stripe -15.00']);
    const { body } = await service.call(
      'GET',
      `/operator/ledger?companyId=${paid.admin.companyId}&account=gateway_fees`,
      {
        token: service.operatorKey,
      },
    );
    expect(body.data[0]).toMatchObject({ kind: 'gateway_fee', invoiceId: paid.invoice.id, currency: 'USD' });
  });

  it('in another currency than the payment is posted in its own', async () => {
    const paid = await preparePaid(service);
    const [movement] = await movementsOf(service, paid);
    Object.assign(movement ?? {}, { currency: 'eur', fee: 77 });
    await lookNow(service);
    const { body } = await service.call('GET', `/operator/ledger/balances?companyId=${paid.admin.companyId}`, {
      token: service.operatorKey,
    });
    expect(body.data).toContainEqual({ account: 'gateway_fees', currency: 'EUR', balance: '0.77' });
    expect(body.data).toContainEqual({ account: 'cash:stripe', currency: 'EUR', balance: '-0.77' });
    expect(body.data).toContainEqual({ account: 'cash:stripe', currency: 'USD', balance: '48.00' });
  });

  it('of somebody else who has the same account is left out', async () => {
    const before = await service.database.owner`SELECT 1 FROM gateway_fees`;
    await ofSomebodyElse(() => lookNow(service));
    expect(await service.database.owner`SELECT 1 FROM gateway_fees`).toHaveLength(before.length);
  });

  it('from before the last days is read day by day', async () => {
    const paid = await preparePaid(service);
    const [movement] = await movementsOf(service, paid);
    Object.assign(movement ?? {}, { created: (movement?.created ?? 0) - 4 * 86_400 });
    await lookNow(service);
    expect(await feesOf(paid)).toEqual([]);
    await service.database.owner`UPDATE gateway_looks SET looked_up_to = now() - interval '5 days'`;
    await lookNow(service);
    expect(await feesOf(paid)).toEqual(FEE);
  });

  it('is looked for as soon as a payment is captured, and not again while nothing happens', async () => {
    const { db } = service.database;
    await preparePaid(service);
    await lookNow(service);
    await service.database.owner`UPDATE gateway_looks SET looked_at = now() - interval '10 seconds'`;
    await service.database.owner`UPDATE ledger_postings SET created_at = created_at - interval '1 minute'`;
    const { calls: before } = await service.sandbox.readFaults();
    await lookAt({ db, gateways: service.gateways }, 'stripe');
    expect((await service.sandbox.readFaults()).calls.list).toBe(before.list);
    const paid = await preparePaid(service);
    await lookAt({ db, gateways: service.gateways }, 'stripe');
    expect(await feesOf(paid)).toEqual(FEE);
  });
});

describe('a payout', () => {
  it('is posted for no company and turned round when it fails; the next one pays its money out', async () => {
    const paid = await preparePaid(service);
    const posted = await watchNobody();
    const payout = payOut(books(), await movementsOf(service, paid));
    await lookNow(service);
    await lookNow(service);
    expect(await feesOf(paid)).toEqual(FEE);
    const out = ['payout bank 4631 USD', 'payout cash:stripe -4631 USD'];
    expect(await posted()).toEqual(out);
    const returned = failPayout(books(), payout);
    await Promise.all([lookNow(service), lookNow(service)]);
    const back = ['payout_failed bank -4631 USD', 'payout_failed cash:stripe 4631 USD'];
    expect(await posted()).toEqual([...out, ...back]);
    const next = await preparePaid(service);
    payOut(books(), [returned, ...(await movementsOf(service, next))]);
    await lookNow(service);
    expect(await posted()).toEqual([...out, ...back, 'payout bank 9262 USD', 'payout cash:stripe -9262 USD']);
    const { body } = await service.call('GET', '/operator/ledger?account=bank', { token: service.operatorKey });
    expect(body.data.at(-1)).toMatchObject({ kind: 'payout', companyId: null, invoiceId: null, amount: '92.62' });
  });

  it('of an account that others use too is posted with the part of our payments', async () => {
    const paid = await preparePaid(service);
    const posted = await watchNobody();
    const ours = await movementsOf(service, paid);
    await ofSomebodyElse(async (foreign) => {
      payOut(books(), [foreign, ...ours]);
      payOut(books(), [foreign]);
      await lookNow(service);
    });
    expect(await posted()).toEqual(['payout bank 4631 USD', 'payout cash:stripe -4631 USD']);
  });

  it('that failed before it was read moves nothing, and its money comes with the next one', async () => {
    const paid = await preparePaid(service);
    const posted = await watchNobody();
    const returned = failPayout(books(), payOut(books(), await movementsOf(service, paid)));
    await lookNow(service);
    expect(await posted()).toEqual([]);
    payOut(books(), [returned]);
    await lookNow(service);
    expect(await posted()).toEqual(['payout bank 4631 USD', 'payout cash:stripe -4631 USD']);
  });

  it('that a person asked for counts as a whole, because Stripe does not tell what it pays out', async () => {
    const paid = await preparePaid(service);
    const posted = await watchNobody();
    payOut(books(), await movementsOf(service, paid), { isManual: true });
    await lookNow(service);
    expect(await posted()).toEqual(['payout bank 4631 USD', 'payout cash:stripe -4631 USD']);
  });

  it('waits until it is on its way and Stripe tells what it pays out', async () => {
    const paid = await preparePaid(service);
    const posted = await watchNobody();
    const payout = payOut(books(), await movementsOf(service, paid), { status: 'pending', isReconciled: false });
    await lookNow(service);
    Object.assign(payout, { status: 'paid' });
    await lookNow(service);
    expect(await posted()).toEqual([]);
    Object.assign(payout, { reconciliation_status: 'completed' });
    await lookNow(service);
    expect(await posted()).toHaveLength(2);
  });

  it('is read as soon as Stripe tells of it', async () => {
    const paid = await preparePaid(service);
    await lookNow(service);
    const posted = await watchNobody();
    payOut(books(), await movementsOf(service, paid));
    const event = books().events.findLast(({ type }) => type === 'payout.paid') ?? { id: '' };
    for (let repeat = 0; repeat < 2; repeat += 1) expect((await deliver(service, event)).status).toBe(200);
    expect(await outcomeOf(service, event)).toBe('settled');
    await lookAt({ db: service.database.db, gateways: service.gateways }, 'stripe');
    expect(await posted()).toHaveLength(2);
  });
});

describe('a look', () => {
  it('that ends midway is made again', async () => {
    const paid = await preparePaid(service);
    const posted = await watchNobody();
    payOut(books(), await movementsOf(service, paid));
    const { db, owner } = service.database;
    const gateways = withBalance(service, {
      listPayouts: () => Promise.reject(new GatewayError('outcome_unknown', 'Nothing came back.')),
    });
    await lookNow({ ...service, gateways });
    expect(await feesOf(paid)).toEqual(FEE);
    expect(await posted()).toEqual([]);
    await owner`UPDATE gateway_looks SET look_at = now() - interval '1 second'`;
    await lookAt({ db, gateways: service.gateways }, 'stripe');
    expect(await feesOf(paid)).toEqual(FEE);
    expect(await posted()).toHaveLength(2);
  });

  it('waits while charges are held', async () => {
    const paid = await preparePaid(service);
    await holdCharges(service);
    await lookNow(service);
    expect(await feesOf(paid)).toEqual([]);
    await releaseCharges(service);
    await lookNow(service);
    expect(await feesOf(paid)).toEqual(FEE);
  });

  it('writes what a database that went back has lost again, with the same ids', async () => {
    const { owner } = service.database;
    const paid = await preparePaid(service);
    const { restore } = await backUp(owner);
    payOut(books(), await movementsOf(service, paid));
    await lookNow(service);
    const read = () => owner`
      SELECT source_id, kind, account, amount_minor FROM ledger_postings WHERE kind IN ('gateway_fee', 'payout') ORDER BY 1, 2, 3`;
    const before = await read();
    await restore();
    expect((await read()).length).toBeLessThan(before.length);
    await lookNow(service);
    expect(await read()).toEqual(before);
  });
});

it('the sandbox takes no fee and pays nothing out', async () => {
  const sandbox = await startChargeService();
  await preparePaid(sandbox);
  await lookAt({ db: sandbox.database.db, gateways: sandbox.gateways }, 'sandbox');
  expect(await sandbox.database.owner`SELECT 1 FROM gateway_looks`).toEqual([]);
  await sandbox.stop();
});
