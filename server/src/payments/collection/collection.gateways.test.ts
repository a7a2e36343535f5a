/** The collection with two gateways, of which one is away: its invoices wait, and no others. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantCredit, putSettings } from '../../../test/billing/credits.ts';
import { pollUntil } from '../../../test/customers/accounts.ts';
import { CARDS, expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { capturesOf, expectSoundBooks, settleAll } from '../../../test/payments/charge.ts';
import { type Debtor, outcomesOf, prepareDebtor, readDebt } from '../../../test/payments/collection.ts';
import { NEVER_MS } from '../../../test/payments/delays.ts';
import { startTwoGateways, type TwoGateways } from '../../../test/payments/two-gateways.ts';
import { collectDue, startCollector } from './collection.worker.ts';

let service: TwoGateways;
beforeAll(async () => {
  service = await startTwoGateways();
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

const NOT_SENT = 'Failed not_sent';
const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));
const prepareHere = () => prepareDebtor(service, { cardNumber: CARDS.visa });
const dependencies = () => ({ ...service.dependencies, clock: service.now });
const saveNewDefault = ({ admin }: Debtor, cardNumber: string = CARDS.mastercard) =>
  saveCard(service, admin, { cardNumber, isDefault: true });

async function attemptsAt(debtors: readonly Debtor[]): Promise<string[]> {
  return (await Promise.all(debtors.map((debtor) => outcomesOf(service, debtor)))).flat();
}

/** The gateway of the payment that succeeded. */
async function paidAt({ invoiceId }: Debtor): Promise<string | undefined> {
  const [row] = await service.database.owner<{ gateway: string }[]>`
    SELECT gateway FROM payments WHERE invoice_id = ${invoiceId} AND state = 'captured'`;
  return row?.gateway;
}

async function expectPaid(debtors: readonly Debtor[]): Promise<void> {
  for (const debtor of debtors) expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded' });
}

async function expectPaidOnce(debtors: readonly Debtor[]): Promise<void> {
  await expectPaid(debtors);
  for (const { invoiceId } of debtors)
    expect(await capturesOf(service, { invoice: { id: invoiceId } })).toHaveLength(1);
}

/** The other gateway is away; then it is back, and everything is collected. */
async function whileOtherIsAway(work: () => Promise<void>): Promise<void> {
  try {
    await service.whileOtherIsAway(work);
  } finally {
    service.passHours(0.25);
    await times(2, () => service.collect());
  }
}

describe('while one gateway is away', () => {
  it('the invoices of the other gateway are collected, and all invoices once each when it is back', async () => {
    const waiting = await times(12, () => service.prepareOtherDebtor());
    service.passHours(1);
    const first = await times(3, prepareHere);
    const later: Debtor[] = [];
    await whileOtherIsAway(async () => {
      const rounds = await times(2, () => service.collect());
      expect(rounds.flatMap(({ awayGateways }) => awayGateways)).toContain('other');
      await expectPaid(first);
      for (let minutes = 0; minutes < 60; minutes += 20) {
        service.passHours(20 / 60);
        const debtor = await prepareHere();
        expect(await service.collect()).toEqual({ awayGateways: ['other'] });
        later.push(debtor);
        await expectPaid([debtor]);
      }
      const tries = await attemptsAt(waiting);
      // Of two workers at first, then of one: eight at a time at most, where each of the twelve would make 48.
      expect(tries).toEqual(Array(tries.length).fill(NOT_SENT));
      expect(tries.length).toBeLessThanOrEqual(5 * 8);
      for (const debtor of waiting) {
        expect(await readDebt(service, debtor)).toMatchObject({
          status: 'Processing',
          collection: { state: 'scheduled', dunningStep: 0 },
        });
      }
    });
    expect(await service.collect()).toEqual({ awayGateways: [] });
    await expectPaidOnce([...waiting, ...first, ...later]);
  });

  it('one attempt at a time probes the gateway, and its answer releases the others', async () => {
    const waiting = await times(4, () => service.prepareOtherDebtor());
    const probe = () => collectDue(dependencies(), service.server.log, { gateway: 'other', isProbe: true });
    await service.whileOtherIsAway(async () => {
      expect(await probe()).toEqual({ isAway: true });
      expect(await attemptsAt(waiting)).toEqual([NOT_SENT]);
      expect(await probe()).toEqual({ isAway: true });
      expect(await attemptsAt(waiting)).toEqual([NOT_SENT, NOT_SENT]);
    });
    service.passHours(0.25);
    expect(await probe()).toEqual({ isAway: false });
    await expectPaidOnce(waiting);
  });

  it('a worker that hangs there collects at the other one', async () => {
    const hanging = await times(3, () => service.prepareOtherDebtor());
    await service.other.armFault({ operation: 'create', kind: 'latency', delayMs: NEVER_MS, times: 3 });
    const worker = startCollector(dependencies(), service.server.log);
    try {
      const begun = (outcomes: string[]) => outcomes.length === hanging.length;
      await pollUntil(() => attemptsAt(hanging), begun);
      const debtor = await prepareHere();
      await pollUntil(
        () => outcomesOf(service, debtor),
        (outcomes) => outcomes.includes('Succeeded'),
      );
      expect(await attemptsAt(hanging)).toEqual(Array(3).fill('Processing'));
    } finally {
      await service.other.endDelays();
      await worker.stop();
    }
    await expectPaidOnce(hanging);
  });

  it('a gateway that is no longer configured delays neither other invoices nor invoices with nothing to charge', async () => {
    const stranded = await service.prepareOtherDebtor();
    await service.database.owner`UPDATE cards SET gateway = 'gone' WHERE company_id = ${stranded.admin.companyId}`;
    service.passHours(1);
    const here = await prepareHere();
    const cardless = await prepareDebtor(service, { settings: { collection: 'automatic' } });
    expect(await service.collect()).toEqual({ awayGateways: ['gone'] });
    await expectPaidOnce([here]);
    expect(await readDebt(service, cardless)).toMatchObject({ collection: { state: 'awaiting_payment_method' } });
    expect(await readDebt(service, stranded)).toMatchObject({ collection: { state: 'scheduled', dunningStep: 0 } });
    await saveNewDefault(stranded);
    service.passHours(0.25);
    await service.collect();
    await expectPaidOnce([stranded]);
  });
});

describe('an invoice goes over to the gateway of what would be charged now', () => {
  it.each([
    ['when another card is the default', (debtor: Debtor) => saveNewDefault(debtor)],
    [
      'when the card is deleted, and another one is left',
      async (debtor: Debtor) => {
        const { token, companyId } = debtor.admin;
        expectStatus(await putSettings(service, companyId, { collection: 'automatic' }), 200);
        const { body: cards } = await service.call('GET', '/payments/cards', { token });
        await saveCard(service, debtor.admin, { cardNumber: CARDS.mastercard });
        expectStatus(await service.call('DELETE', `/payments/cards/${cards[0].id}`, { token }), 204);
      },
    ],
  ])('%s: those that were not tried yet, and those that were', async (_, change) => {
    const tried = await service.prepareOtherDebtor();
    const waiting = await times(2, () => service.prepareOtherDebtor());
    const { admin } = tried;
    const untried = { admin, invoiceId: (await issueInvoice(service, admin.companyId)).id };
    await whileOtherIsAway(async () => {
      await service.collect();
      await change(tried);
      service.passHours(0.25);
      // The other gateway has to say first that it has captured nothing. Meanwhile the invoices of this gateway are collected.
      const here = await prepareHere();
      expect(await service.collect()).toEqual({ awayGateways: ['other'] });
      await expectPaid([here]);
      expect(await attemptsAt([tried, untried, ...waiting])).not.toContain('Succeeded');
      expect(await readDebt(service, untried)).toMatchObject({ collection: { state: 'scheduled' } });
    });
    await expectPaidOnce([tried, untried, ...waiting]);
    expect(await paidAt(tried)).toBe('sandbox');
    expect(await paidAt(untried)).toBe('sandbox');
  });

  it('when the outcome that it waited for is a refusal', async () => {
    const debtor = await service.prepareOtherDebtor(CARDS.insufficientFunds);
    await service.other.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    expect(await service.collect()).toEqual({ awayGateways: ['other'] });
    await saveNewDefault(debtor);
    await settleAll(service);
    // Nobody need look at the other gateway's invoices: the outcome is noted, and the other card charged.
    const collectHere = () => collectDue(dependencies(), service.server.log, { gateway: 'sandbox' });
    await collectHere();
    await collectHere();
    expect(await outcomesOf(service, debtor)).toEqual(['Failed insufficient_funds', 'Succeeded']);
  });

  it('when the change was missed: the next attempt finds it, and does not count against the new gateway', async () => {
    const debtor = await service.prepareOtherDebtor();
    // As when two cards are changed in the same moment.
    await service.database.owner`UPDATE collections SET gateway = 'sandbox' WHERE invoice_id = ${debtor.invoiceId}`;
    await whileOtherIsAway(async () => {
      expect(await service.collect()).toEqual({ awayGateways: [] });
      expect(await outcomesOf(service, debtor)).toEqual([NOT_SENT]);
      service.passHours(0.25);
      expect(await service.collect()).toEqual({ awayGateways: ['other'] });
    });
    await expectPaidOnce([debtor]);
  });

  it('when there was no card, and the first one is at a gateway that is away', async () => {
    const admin = await signUpAdmin(service);
    const debtor = { admin, invoiceId: (await issueInvoice(service, admin.companyId)).id };
    expect(await service.collect()).toEqual({ awayGateways: [] });
    await service.saveOtherCard(admin);
    await whileOtherIsAway(async () => {
      expect(await service.collect()).toEqual({ awayGateways: ['other'] });
    });
    expect(await outcomesOf(service, debtor)).toEqual([NOT_SENT, 'Succeeded']);
  });
});

describe('an invoice that credit alone pays, while the gateway of its company gives no answer,', () => {
  it('is tried after one minute, after two, and so on up to a quarter of an hour; then it is paid', async () => {
    const debtor = await service.prepareOtherDebtor();
    await grantCredit(service, debtor.admin.companyId, { amount: '48.00' });
    const pauses: number[] = [];
    await whileOtherIsAway(async () => {
      for (let tries = 0; tries < 6; tries += 1) {
        await service.collect();
        const { collection } = await readDebt(service, debtor);
        const pauseMs = Date.parse(collection.nextAttemptAt) - service.now().getTime();
        pauses.push(pauseMs / 60_000);
        service.passHours(pauseMs / 3_600_000);
      }
    });
    expect(pauses).toEqual([1, 2, 4, 8, 15, 15]);
    expect(await outcomesOf(service, debtor)).toEqual(['Succeeded']);
    expect(await capturesOf(service, { invoice: { id: debtor.invoiceId } })).toEqual([]);
  });
});
