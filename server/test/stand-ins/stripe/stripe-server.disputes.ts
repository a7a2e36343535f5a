/** Disputes of the stand-in for Stripe. They proceed as Stripe documents (https://docs.stripe.com/disputes/how-disputes-work). */
import { emit, requireIntent, type StripeBooks } from './stripe-server.books.ts';
import { type BalanceTransaction, type Dispute, newId, nowSeconds } from './stripe-server.objects.ts';

/** Stripe's fee for a dispute, won or lost. */
const FEE = 1_500;
const RESPONSE_SECONDS = 20 * 86_400;

/** Opens a dispute. Stripe withdraws the money at once, except for an inquiry. @returns the dispute */
export function openDispute(
  books: StripeBooks,
  paymentIntentId: string,
  { amount, reason = 'fraudulent', isInquiry = false }: { amount?: number; reason?: string; isInquiry?: boolean } = {},
): Dispute {
  const { latest_charge: charge, amount_received: received, currency } = requireIntent(books, paymentIntentId);
  const created = nowSeconds();
  const dispute: Dispute = {
    id: newId('dp'),
    object: 'dispute',
    amount: amount ?? received,
    balance_transactions: [],
    charge,
    created,
    currency,
    enhanced_eligibility_types: [],
    evidence: { uncategorized_text: null },
    evidence_details: { due_by: created + RESPONSE_SECONDS, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: paymentIntentId,
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  books.disputes.push(dispute);
  emit(books, 'charge.dispute.created', dispute, null);
  if (!isInquiry) withdraw(books, dispute);
  return dispute;
}

/** The seller submits evidence, and the bank starts to decide. */
export function submitEvidence(books: StripeBooks, dispute: Dispute): void {
  const { evidence_details: details } = dispute;
  Object.assign(details, { has_evidence: true, submission_count: details.submission_count + 1 });
  dispute.status = dispute.status === 'warning_needs_response' ? 'warning_under_review' : 'under_review';
  emit(books, 'charge.dispute.updated', dispute, null);
}

/** The bank decides for the seller: the money is returned, the fee is not. */
export function winDispute(books: StripeBooks, dispute: Dispute): void {
  Object.assign(dispute, { status: 'won', is_charge_refundable: true });
  move(books, dispute, dispute.amount, 0);
  emit(books, 'charge.dispute.funds_reinstated', dispute, null);
  emit(books, 'charge.dispute.closed', dispute, null);
}

/** The bank decides for the cardholder. */
export function loseDispute(books: StripeBooks, dispute: Dispute): void {
  dispute.status = 'lost';
  emit(books, 'charge.dispute.closed', dispute, null);
}

/** Closes an inquiry without a dispute. */
export function closeInquiry(books: StripeBooks, dispute: Dispute): void {
  dispute.status = 'warning_closed';
  emit(books, 'charge.dispute.closed', dispute, null);
}

function withdraw(books: StripeBooks, dispute: Dispute): void {
  move(books, dispute, -dispute.amount, FEE);
  emit(books, 'charge.dispute.funds_withdrawn', dispute, null);
}

function move(books: StripeBooks, dispute: Dispute, amount: number, fee: number): void {
  const { id, charge, currency } = dispute;
  const isWithdrawal = amount < 0;
  const transaction: BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: nowSeconds(),
    created: nowSeconds(),
    currency,
    description: `Chargeback ${isWithdrawal ? 'withdrawal' : 'reversal'} for ${charge}`,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category: isWithdrawal ? 'dispute' : 'dispute_reversal',
    source: id,
    status: 'available',
    type: 'adjustment',
  };
  dispute.balance_transactions.push(transaction);
  books.transactions.push(transaction);
}
