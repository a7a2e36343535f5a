/**
 * Disputes of the stand-in for PayPal. They proceed as PayPal documents (https://developer.paypal.com/docs/disputes/disputes-reference).
 */
import { fromPayPalAmount } from '../../../src/gateways/paypal/answers/amounts.ts';
import type { MovementRow } from '../../../src/gateways/sandbox/bank/bank.queries.ts';
import { refundCapture, requireOrder } from './paypal-server.books.ts';
import { moneyOf, unitsOf } from './paypal-server.money.ts';
import {
  type Capture,
  type Dispute,
  type DisputeMovement,
  link,
  malformed,
  missing,
  newId,
  nowText,
} from './paypal-server.objects.ts';
import { emit } from './paypal-server.records.ts';
import type { PayPalBooks } from './paypal-server.state.ts';

const LISTED_MS = 180 * 86_400_000;

type DisputeOptions = { value?: string; reason?: string; isInquiry?: boolean; others?: string[] };

/** Opens a dispute. PayPal withdraws the money at once, except for an inquiry. `others` are further disputed orders. */
export function openDispute(
  books: PayPalBooks,
  orderId: string,
  { value, reason = 'UNAUTHORISED', isInquiry = false, others = [] }: DisputeOptions = {},
): Dispute {
  const captures = [orderId, ...others].map((id) => requireCaptureOf(books, id));
  const { currency_code: currency } = requireCaptureOf(books, orderId).amount;
  const sum = captures.reduce((units, { amount }) => units + unitsOf(amount), 0n);
  const amount = moneyOf(sum, currency);
  const time = nowText();
  const dispute: Dispute = {
    orderIds: [orderId, ...others],
    movements: [],
    shown: {
      dispute_id: `PP-D-${newId()}`,
      create_time: time,
      update_time: time,
      disputed_transactions: captures.map((capture) => ({
        seller_transaction_id: capture.id,
        gross_amount: capture.amount,
        seller: { merchant_id: 'TESTMERCHANT1' },
      })),
      reason,
      status: isInquiry ? 'OPEN' : 'WAITING_FOR_SELLER_RESPONSE',
      dispute_amount: { ...amount, value: value ?? amount.value },
      dispute_life_cycle_stage: isInquiry ? 'INQUIRY' : 'CHARGEBACK',
      dispute_channel: 'INTERNAL',
    },
  };
  books.disputes.push(dispute);
  if (!isInquiry) withdraw(dispute);
  recordEvent(books, dispute, 'CREATED');
  return dispute;
}

function requireCaptureOf(books: PayPalBooks, orderId: string): Capture {
  const [{ payments }] = requireOrder(books, orderId).purchase_units;
  const capture = payments?.captures[0];
  if (capture === undefined) throw missing();
  return capture;
}

/** The seller submits evidence, and PayPal starts to decide. */
export function submitEvidence(books: PayPalBooks, dispute: Dispute): void {
  dispute.shown.status = 'UNDER_REVIEW';
  recordEvent(books, dispute, 'UPDATED');
}

/** PayPal decides for the seller: the money is returned, the fee is not. */
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

/** The seller accepts the claim, and PayPal refunds the capture. The refund is also a movement of the dispute. */
export function acceptClaim(books: PayPalBooks, dispute: Dispute): void {
  const { dispute_amount: amount, disputed_transactions: transactions } = dispute.shown;
  for (const { seller_transaction_id: captureId, gross_amount: gross } of transactions)
    refundCapture(books, captureId, { amount: transactions.length === 1 ? amount : gross });
  move(dispute, { party: 'SELLER', amount, type: 'DEBIT' });
  move(dispute, { party: 'BUYER', amount, type: 'CREDIT' });
  resolve(books, dispute, 'RESOLVED_BUYER_FAVOUR');
}

/** Ends the dispute with one of PayPal's outcomes. No money moves. */
export function resolve(books: PayPalBooks, dispute: Dispute, outcome: string): void {
  Object.assign(dispute.shown, { status: 'RESOLVED', dispute_outcome: { outcome_code: outcome } });
  recordEvent(books, dispute, 'RESOLVED');
}

/** Returns the answer of `GET /v1/customer/disputes/{id}`. @throws PayPalError */
export function findDispute({ disputes }: PayPalBooks, id: string): object {
  const found = disputes.find(({ shown }) => shown.dispute_id === id);
  if (found === undefined) throw missing('INVALID_DISPUTE_ID');
  const { shown, movements } = found;
  if (movements.length === 0) return shown;
  const before = movements.map(({ party, ...movement }) => ({ affected_party: party, ...movement }));
  return { ...shown, fund_movements: movements, money_movements: before };
}

/**
 * Returns a page of `GET /v1/customer/disputes`, the newest first, with the few fields that PayPal lists. @throws
 * PayPalError
 */
export function listDisputes({ disputes }: PayPalBooks, query: URLSearchParams): object {
  const after = Date.parse(query.get('create_time_after') ?? '');
  const before = Date.parse(query.get('create_time_before') ?? '');
  const size = Number(query.get('page_size') ?? 10);
  if (Number.isNaN(after) || Number.isNaN(before) || after < Date.now() - LISTED_MS) throw malformed('INVALID_DATE');
  if (!(size >= 1 && size <= 50)) throw malformed('INVALID_PAGE_SIZE');
  // In base64, this text contains a plus and a slash.
  const [, offset = '0'] = /^~~>\?\?\?(\d+)$/.exec(atob(query.get('next_page_token') ?? btoa('~~>???0'))) ?? [];
  const found = disputes
    .filter(({ shown }) => Date.parse(shown.create_time) > after && Date.parse(shown.create_time) < before)
    .toSorted((left, right) => Date.parse(right.shown.create_time) - Date.parse(left.shown.create_time));
  const end = Number(offset) + size;
  const path = `/v1/customer/disputes?create_time_after=${query.get('create_time_after')}&page_size=${size}`;
  const items = found.slice(Number(offset), end).map(({ shown }) => {
    const { disputed_transactions: _none, ...summary } = shown;
    return { ...summary, links: [link('self', `/v1/customer/disputes/${shown.dispute_id}`)] };
  });
  const next = end < found.length ? [link('next', `${path}&next_page_token=${btoa(`~~>???${end}`)}`)] : [];
  return { items, links: [link('self', path), link('first', path), ...next] };
}

/**
 * Returns what was withdrawn from the seller and returned, without fees. The ids are written out, because the ids that the adapter makes
 * must never change.
 */
export function readMovements({ orderIds, shown, movements }: Dispute): MovementRow[] {
  return movements
    .filter(({ party, reason }) => party === 'SELLER' && reason === 'DISPUTE_SETTLEMENT')
    .flatMap(({ amount: { currency_code: currency, value }, initiated_time: time, type }) => {
      const minor = fromPayPalAmount(value, currency);
      const id = `${shown.dispute_id}/${time}/${type}/${minor}${currency}`;
      const rowOf = (paymentId: string, rowId: string, takenMinor: bigint): MovementRow => ({
        ...{ id: rowId, paymentId, amountMinor: type === 'DEBIT' ? takenMinor : -takenMinor, currency },
      });
      const [orderId, ...others] = orderIds;
      if (others.length === 0) return [rowOf(orderId, id, minor)];
      return shown.disputed_transactions.map(({ seller_transaction_id: captureId, gross_amount: gross }, index) =>
        rowOf(orderIds[index] ?? orderId, `${id}/${captureId}`, fromPayPalAmount(gross.value, currency)),
      );
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

function recordEvent(books: PayPalBooks, { shown }: Dispute, type: 'CREATED' | 'UPDATED' | 'RESOLVED'): void {
  shown.update_time = nowText();
  emit(books, `CUSTOMER.DISPUTE.${type}`, 'dispute', shown);
}
