/**
 * A small language for stories of collection: companies with invoices, a worker that collects by the story's clock, and Stripe's stand-in,
 * which takes the money and sends events. Instants are written as in the billing stories.
 */
import { expect } from 'vitest';
import { CARDS, expectStatus, saveCard } from '../customers/actors.ts';
import { runPaydesk } from '../harness/paydesk-command.ts';
import { lookNow } from '../ledger/fees-and-payouts.ts';
import { capturesOf, expectSoundBooks, settleAll, settleRefunds } from '../payments/charge.ts';
import { collectAllDue, type Debtor, outcomesOf, prepareDebtor, readDebt } from '../payments/collection.ts';
import { deliver, objectOf } from '../payments/gateway-events.ts';
import { type StripeChargeService, startStripeChargeService } from '../payments/stripe-charge.ts';
import { createRefund } from '../stand-ins/stripe/stripe-server.books.ts';
import { loseDispute, openDispute, submitEvidence, winDispute } from '../stand-ins/stripe/stripe-server.disputes.ts';
import type { Dispute, StripeEvent } from '../stand-ins/stripe/stripe-server.objects.ts';

const HOUR_MS = 3_600_000;

export type CollectionStory = Awaited<ReturnType<typeof beginCollectionStory>>;

/** Begins a story on a new service, at an instant. */
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
    /** Runs the collection worker once at the current time. */
    worker,
    /** Moves the clock to then. Every `everyHours`, a worker collects what is due and Stripe sends its new events. */
    goesBy: async (later: string, everyHours = 12) => {
      for (const then = readInstant(later); now < then; ) {
        now = new Date(Math.min(now.getTime() + everyHours * HOUR_MS, then.getTime()));
        await worker();
        await stripe.sendsEvents();
      }
    },
    /** Reconciles all payments and refunds whose outcome is unknown. */
    isFoundOut: async () => {
      await settleAll(service);
      await settleRefunds(service);
    },
    /** Creates a company with a card, and an invoice of 57.60 USD with tax, due at once. */
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
    /** Runs `npm run paydesk -- reconcile` over the whole time of the story. */
    reconciles: async () => {
      await lookNow(service);
      return reconcile(service);
    },
    hasSoundBooks: () => expectSoundBooks(service),
    end: service.stop,
  };
}

const invoiceOf = ({ invoiceId }: Debtor) => ({ invoice: { id: invoiceId } });

function readInstant(text: string): Date {
  return new Date(text.includes('T') ? text : `${text}T12:00Z`);
}

/** Stripe, and the people who work in its dashboard. It sends every event twice, and the newest first. */
function stripeOf(service: StripeChargeService) {
  const books = () => service.stripe().books;
  const delivered = new Set<StripeEvent>();
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
    receivesDispute: async (debtor: Debtor, reason: string) =>
      openDispute(books(), await objectOf(service, invoiceOf(debtor)), { reason }),
    takesEvidence: (dispute: Dispute) => submitEvidence(books(), dispute),
    decidesForUs: (dispute: Dispute) => winDispute(books(), dispute),
    decidesForTheCardholder: (dispute: Dispute) => loseDispute(books(), dispute),
    /** What was not answered with 200 is sent again the next time. */
    sendsEvents: async () => {
      const news = books().events.filter((event) => !delivered.has(event));
      for (const event of [...news, ...news].toReversed()) {
        if ((await deliver(service, event)).status === 200) delivered.add(event);
      }
    },
    /** Stripe's own balance in cents: what it captured, less refunds and disputes. */
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

async function reconcile(service: StripeChargeService): Promise<{ code: number; text: string }> {
  const around = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const { code, stdout, stderr } = await runPaydesk(service, ['reconcile', around(-12), around(12)]);
  return { code, text: stdout + stderr };
}
