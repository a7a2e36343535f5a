/**
 * A small language for stories of collection: companies that are invoiced, a worker that collects by the story's clock, Stripe (its
 * stand-in) that takes the money and tells of what happens there. Instants are written as in the billing stories.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { CARDS, expectStatus, saveCard } from '../customers/actors.ts';
import { COMPILE_CACHE } from '../harness/compile-cache.ts';
import { capturesOf, expectSoundBooks, settleAll, settleRefunds } from '../payments/charge.ts';
import { collectAllDue, type Debtor, outcomesOf, prepareDebtor, readDebt } from '../payments/collection.ts';
import { deliver, objectOf } from '../payments/gateway-events.ts';
import { type StripeChargeService, startStripeChargeService } from '../payments/stripe-charge.ts';
import { createRefund } from '../stand-ins/stripe/stripe-server.books.ts';
import { loseDispute, openDispute, submitEvidence, winDispute } from '../stand-ins/stripe/stripe-server.disputes.ts';
import type { Dispute, StripeEvent } from '../stand-ins/stripe/stripe-server.objects.ts';

// A story takes seconds; on a machine that is busy with others, minutes.
vi.setConfig({ testTimeout: 300_000 });

const HOUR_MS = 3_600_000;

export type CollectionStory = Awaited<ReturnType<typeof beginCollectionStory>>;

/** Begins a story on a service of its own, at an instant. */
export async function beginCollectionStory(instant: string) {
  let now = readInstant(instant);
  const clock = () => now;
  const service = await startStripeChargeService({ clock });
  const worker = () => collectAllDue({ ...service.dependencies, clock }, service.server.log);
  const stripe = stripeOf(service);
  return {
    service,
    stripe,
    now: clock,
    /** A worker looks once, at the time that it is. */
    worker,
    /** Time passes until then, and every so many hours a worker collects what is due and Stripe tells what is new. */
    goesBy: async (later: string, everyHours = 12) => {
      for (const then = readInstant(later); now < then; ) {
        now = new Date(Math.min(now.getTime() + everyHours * HOUR_MS, then.getTime()));
        await worker();
        await stripe.tells();
      }
    },
    /** What is unknown is asked for, as the reconcilers do. */
    isFoundOut: async () => {
      await settleAll(service);
      await settleRefunds(service);
    },
    /** A company with a card, and an invoice of 57.60 USD with tax, due at once. */
    isInvoiced: async (cardNumber: string = CARDS.visa) =>
      prepareDebtor(service, { cardNumber, invoice: { taxRate: '20' } }),
    savesAnotherCard: (debtor: Debtor) =>
      saveCard(service, debtor.admin, { cardNumber: CARDS.mastercard, isDefault: true }),
    refunds: async (debtor: Debtor, amount: string) => {
      const path = `/operator/payments/${(await readDebt(service, debtor)).paymentId}/refunds`;
      const body = { amount, reason: 'Outage of 8 March' };
      return service.call('POST', path, { token: service.operatorKey, body });
    },
    outcomes: (debtor: Debtor) => outcomesOf(service, debtor),
    debt: (debtor: Debtor) => readDebt(service, debtor),
    capturesOf: (debtor: Debtor) => capturesOf(service, invoiceOf(debtor)),
    balances: () => readBalances(service),
    /** `npm run paydesk -- reconcile`, over all of the time in which the story was told. */
    reconciles: () => reconcile(service),
    hasSoundBooks: () => expectSoundBooks(service),
    end: service.stop,
  };
}

const invoiceOf = ({ invoiceId }: Debtor) => ({ invoice: { id: invoiceId } });

function readInstant(text: string): Date {
  return new Date(text.includes('T') ? text : `${text}T12:00Z`);
}

/** Stripe, and whoever works in its dashboard. It tells everything twice, and the latest first. */
function stripeOf(service: StripeChargeService) {
  const books = () => service.stripe().books;
  const told = new Set<StripeEvent>();
  return {
    declinesNext: (declineCode: string) =>
      service.sandbox.armFault({ operation: 'confirm', kind: 'declined', declineCode }),
    losesItsNextAnswer: () => service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' }),
    goesAway: () => service.takeGatewayAway(),
    comesBack: () => service.bringGatewayBack(),
    refundsByHand: async (debtor: Debtor, amount: number) => {
      const form = { payment_intent: await objectOf(service, invoiceOf(debtor)), amount: String(amount) };
      return createRefund(books(), form, null);
    },
    isAskedToGiveBack: async (debtor: Debtor, reason: string) =>
      openDispute(books(), await objectOf(service, invoiceOf(debtor)), { reason }),
    takesEvidence: (dispute: Dispute) => submitEvidence(books(), dispute),
    decidesForUs: (dispute: Dispute) => winDispute(books(), dispute),
    decidesForTheCardholder: (dispute: Dispute) => loseDispute(books(), dispute),
    /** What was not answered with 200 it tells again the next time. */
    tells: async () => {
      const news = books().events.filter((event) => !told.has(event));
      for (const event of [...news, ...news].toReversed()) {
        if ((await deliver(service, event)).status === 200) told.add(event);
      }
    },
    /** Its own book, in cents: what it took, gave back, and took back for disputes. */
    holds: (): number => {
      const { captures, refunds, disputes } = books();
      const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
      const moved = disputes.flatMap((dispute) => dispute.balance_transactions);
      return sum([
        ...captures.map(({ amount }) => amount),
        ...refunds.map(({ amount }) => -amount),
        ...moved.map(({ amount }) => amount),
      ]);
    },
  };
}

async function readBalances(service: StripeChargeService): Promise<Record<string, string>> {
  const answer = await service.call('GET', '/operator/ledger/balances', { token: service.operatorKey });
  const { data } = expectStatus(answer, 200).body;
  for (const { currency } of data) expect(currency).toBe('USD');
  return Object.fromEntries(data.map(({ account, balance }: Record<string, string>) => [account, balance]));
}

function reconcile(service: StripeChargeService): Promise<{ code: number; text: string }> {
  const env = { ...COMPILE_CACHE, PATH: process.env.PATH, PAYDESK_URL: service.url, OPERATOR_KEY: service.operatorKey };
  const around = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const words = [join(import.meta.dirname, '../../../tools/paydesk.ts'), 'reconcile', around(-12), around(12)];
  return new Promise((resolve) => {
    execFile(process.execPath, words, { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr });
    });
  });
}
