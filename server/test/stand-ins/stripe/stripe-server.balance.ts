/** The balance of the account of the stand-in for Stripe, and its payouts (https://docs.stripe.com/api/balance_transactions). */
import { emit, type Form, moveBalance, type StripeBooks } from './stripe-server.books.ts';
import {
  type BalanceTransaction,
  missing,
  newId,
  nowSeconds,
  type PaymentIntent,
  type Payout,
} from './stripe-server.objects.ts';
import { listOf, type StripeRoutes } from './stripe-server.routes.ts';

/** Returns the intent as a list shows it, with its charge in place of the charge's id if the request expands it. */
export function expandCharge({ refunds }: StripeBooks, intent: PaymentIntent, form: Form): object {
  if (form['expand[0]'] !== 'data.latest_charge' || intent.latest_charge === null) return intent;
  // Stripe does not document whether failed refunds are left out of the sum.
  const given = refunds.filter((refund) => refund.payment_intent === intent.id);
  const refunded = given.reduce((sum, { amount }) => sum + amount, 0);
  const { latest_charge: id, amount, currency, metadata } = intent;
  const charge = {
    id,
    object: 'charge',
    amount,
    amount_refunded: refunded,
    currency,
    payment_intent: intent.id,
    metadata,
  };
  return { ...intent, latest_charge: charge };
}

/** Returns movements as a list shows them, with their sources in place of the ids if the request expands them. */
function listTransactions(books: StripeBooks, form: Form): BalanceTransaction[] {
  const { payout: payoutId } = form;
  const found = books.payouts.find(({ payout }) => payout.id === payoutId);
  return payoutId === undefined
    ? books.transactions
    : books.transactions.filter(({ id }) => found?.transactionIds.includes(id));
}

/** Puts the source of a movement in place of its id if the request expands it. */
function expandSource(books: StripeBooks, transaction: BalanceTransaction, form: Form): object {
  if (!/^(?:data\.)?source$/.test(form['expand[0]'] ?? '')) return transaction;
  const { source: id } = transaction;
  const capture = books.captures.find((one) => one.id === id);
  const source =
    capture === undefined
      ? ([...books.refunds, ...books.disputes].find((one) => one.id === id) ??
        books.payouts.find(({ payout }) => payout.id === id)?.payout)
      : { id, object: 'charge', payment_intent: capture.paymentId };
  return { ...transaction, source: source ?? id };
}

/** Returns a payout. */
function findPayout(payouts: StripeBooks['payouts'], id: string): Payout {
  const found = payouts.find(({ payout }) => payout.id === id);
  if (found === undefined) throw missing('payout', true);
  return structuredClone(found.payout);
}

/** Pays out what these payments and others left in the balance. A manual payout does not tell what it pays out. */
export function payOut(
  books: StripeBooks,
  transactions: readonly BalanceTransaction[],
  { isManual = false, status = 'paid' as Payout['status'], isReconciled = true } = {},
): Payout {
  const amount = transactions.reduce((sum, { net }) => sum + net, 0);
  const currency = transactions[0]?.currency ?? 'usd';
  const id = newId('po');
  const own = moveBalance(books, { type: 'payout', source: id, amount: -amount, currency });
  const payout: Payout = {
    id,
    object: 'payout',
    amount,
    arrival_date: nowSeconds(),
    automatic: !isManual,
    balance_transaction: own.id,
    created: nowSeconds(),
    currency,
    failure_balance_transaction: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    reconciliation_status: isManual ? 'not_applicable' : isReconciled ? 'completed' : 'in_progress',
    status,
    type: 'bank_account',
  };
  books.payouts.push({ payout, transactionIds: isManual ? [] : [...transactions.map((one) => one.id), own.id] });
  emit(books, status === 'paid' ? 'payout.paid' : 'payout.created', payout, null);
  return payout;
}

/** The bank refuses a payout: the money is in the balance again. @returns the movement that the next payout pays out */
export function failPayout(books: StripeBooks, payout: Payout): BalanceTransaction {
  const { amount, currency, id: source } = payout;
  const returned = moveBalance(books, { type: 'payout_failure', source, amount, currency });
  Object.assign(payout, { status: 'failed', failure_balance_transaction: returned.id });
  emit(books, 'payout.failed', payout, null);
  return returned;
}

/** What the stand-in answers about its balance. */
export const BALANCE_ROUTES: StripeRoutes = [
  [
    'GET /v1/balance_transactions',
    'list',
    (books, { form }) => {
      const { data, ...page } = listOf('/v1/balance_transactions', listTransactions(books, form), form);
      return { ...page, data: data.map((transaction) => expandSource(books, transaction, form)) };
    },
  ],
  [
    'GET /v1/balance_transactions/(\\w+)',
    'find',
    (books, { id, form }) => {
      const found = books.transactions.find((transaction) => transaction.id === id);
      if (found === undefined) throw missing('balance_transaction', true);
      return expandSource(books, found, form);
    },
  ],
  ['GET /v1/payouts/(\\w+)', 'find', ({ payouts }, { id }) => findPayout(payouts, id)],
  [
    'GET /v1/payouts',
    'list',
    ({ payouts }, { form }) => {
      const listed = payouts.map(({ payout }) => payout);
      return listOf('/v1/payouts', listed, form);
    },
  ],
];
