/** Disputes of the stand-in for PayPal, as it tells their course (https://developer.paypal.com/docs/disputes/disputes-reference). */
import { fromPayPalAmount } from '../src/gateways/paypal/paypal.amounts.ts';
import type { MovementRow } from '../src/gateways/sandbox/sandbox.queries.ts';
import { refundCapture, requireOrder } from './paypal-server.books.ts';
import { type Dispute, type DisputeMovement, missing, newId, nowText } from './paypal-server.objects.ts';
import { emit } from './paypal-server.records.ts';
import type { PayPalBooks } from './paypal-server.state.ts';

/** A payer asks PayPal for the money back, and it is taken at once. An inquiry only asks, and takes nothing. */
export function openDispute(
  books: PayPalBooks,
  orderId: string,
  { value, reason = 'UNAUTHORISED', isInquiry = false }: { value?: string; reason?: string; isInquiry?: boolean } = {},
): Dispute {
  const [{ payments }] = requireOrder(books, orderId).purchase_units;
  const capture = payments?.captures[0];
  if (capture === undefined) throw missing();
  const time = nowText();
  const dispute: Dispute = {
    orderId,
    movements: [],
    shown: {
      dispute_id: `PP-D-${newId()}`,
      create_time: time,
      update_time: time,
      disputed_transactions: [{ seller_transaction_id: capture.id, seller: { merchant_id: 'TESTMERCHANT1' } }],
      reason,
      status: isInquiry ? 'OPEN' : 'WAITING_FOR_SELLER_RESPONSE',
      dispute_amount: { ...capture.amount, value: value ?? capture.amount.value },
      dispute_life_cycle_stage: isInquiry ? 'INQUIRY' : 'CHARGEBACK',
      dispute_channel: 'INTERNAL',
    },
  };
  books.disputes.push(dispute);
  if (!isInquiry) withdraw(dispute);
  tell(books, dispute, 'CREATED');
  return dispute;
}

/** Evidence is handed in: PayPal decides. */
export function submitEvidence(books: PayPalBooks, dispute: Dispute): void {
  dispute.shown.status = 'UNDER_REVIEW';
  tell(books, dispute, 'UPDATED');
}

/** PayPal decides for us: the money comes back, the fee does not. */
export function winDispute(books: PayPalBooks, dispute: Dispute): void {
  const { dispute_amount: amount } = dispute.shown;
  move(dispute, { party: 'SELLER', amount, type: 'CREDIT', reason: 'DISPUTE_SETTLEMENT' });
  resolve(books, dispute, 'RESOLVED_SELLER_FAVOUR');
}

/** PayPal decides for the payer. */
export function loseDispute(books: PayPalBooks, dispute: Dispute): void {
  const { dispute_amount: amount } = dispute.shown;
  move(dispute, { party: 'BUYER', amount, type: 'CREDIT', reason: 'DISPUTE_SETTLEMENT' });
  resolve(books, dispute, 'RESOLVED_BUYER_FAVOUR');
}

/** The seller gives in, and PayPal refunds the capture, which is a movement of the dispute too. */
export function acceptClaim(books: PayPalBooks, dispute: Dispute): void {
  const { dispute_amount: amount, disputed_transactions: transactions } = dispute.shown;
  refundCapture(books, transactions[0]?.seller_transaction_id ?? '', { amount });
  move(dispute, { party: 'SELLER', amount, type: 'DEBIT' });
  move(dispute, { party: 'BUYER', amount, type: 'CREDIT' });
  resolve(books, dispute, 'RESOLVED_BUYER_FAVOUR');
}

/** It ends with any of PayPal's outcomes, and no money moves. */
export function resolve(books: PayPalBooks, dispute: Dispute, outcome: string): void {
  Object.assign(dispute.shown, { status: 'RESOLVED', dispute_outcome: { outcome_code: outcome } });
  tell(books, dispute, 'RESOLVED');
}

/** What `GET /v1/customer/disputes/{id}` answers. @throws PayPalError */
export function findDispute({ disputes }: PayPalBooks, id: string): object {
  const found = disputes.find(({ shown }) => shown.dispute_id === id);
  if (found === undefined) throw missing('INVALID_DISPUTE_ID');
  const { shown, movements } = found;
  if (movements.length === 0) return shown;
  const before = movements.map(({ party, ...movement }) => ({ affected_party: party, ...movement }));
  return { ...shown, fund_movements: movements, money_movements: before };
}

/** What was taken from the seller, and given back, without fees; by the ids that the adapter has to make, which nobody may change. */
export function readMovements({ orderId, shown, movements }: Dispute): MovementRow[] {
  return movements
    .filter(({ party, reason }) => party === 'SELLER' && reason === 'DISPUTE_SETTLEMENT')
    .map(({ amount: { currency_code: currency, value }, initiated_time: time, type }) => {
      const minor = fromPayPalAmount(value, currency);
      const id = `${shown.dispute_id}/${time}/${type}/${minor}${currency}`;
      return { id, paymentId: orderId, amountMinor: type === 'DEBIT' ? minor : -minor, currency };
    });
}

function withdraw(dispute: Dispute): void {
  const { dispute_amount: amount } = dispute.shown;
  move(dispute, { party: 'SELLER', amount, type: 'DEBIT', reason: 'DISPUTE_SETTLEMENT' });
  move(dispute, { party: 'SELLER', amount: { ...amount, value: '15.00' }, type: 'DEBIT', reason: 'DISPUTE_FEE' });
}

function move(dispute: Dispute, movement: Omit<DisputeMovement, 'initiated_time'>): void {
  dispute.movements.push({ ...movement, initiated_time: nowText() });
}

function tell(books: PayPalBooks, { shown }: Dispute, type: 'CREATED' | 'UPDATED' | 'RESOLVED'): void {
  shown.update_time = nowText();
  emit(books, `CUSTOMER.DISPUTE.${type}`, 'dispute', shown);
}
