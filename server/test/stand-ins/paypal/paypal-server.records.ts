/**
 * What the stand-in for PayPal records beside its objects: captures and refunds for the invariant checks, transactions for the search,
 * events.
 */
import {
  type Capture,
  link,
  malformed,
  newId,
  nowText,
  type Order,
  type PayPalEvent,
  type Refund,
} from './paypal-server.objects.ts';
import type { PayPalBooks } from './paypal-server.state.ts';

const LONGEST_SEARCH_MS = 31 * 86_400_000;

/** Records a capture. */
export function recordCapture(books: PayPalBooks, order: Order, capture: Capture): void {
  const [{ custom_id: custom, invoice_id: invoiceId }] = order.purchase_units;
  const { id, amount } = capture;
  books.captures.push({ id, orderId: order.id, amount });
  // In some transactions PayPal refers to the order, in others to nothing.
  const isReferring = books.captures.length % 2 === 1;
  books.transactions.push({
    transaction_id: id,
    ...(isReferring ? { paypal_reference_id: order.id, paypal_reference_id_type: 'ODR' } : {}),
    transaction_event_code: 'T0006',
    ...timesOf(capture.create_time),
    transaction_amount: amount,
    transaction_status: 'S',
    ...(custom === undefined ? {} : { custom_field: custom }),
    ...(invoiceId === undefined ? {} : { invoice_id: invoiceId }),
  });
}

/** Records a refund. */
export function recordRefund(
  books: PayPalBooks,
  { orderId, captureId, refund }: { orderId: string; captureId: string; refund: Refund },
): void {
  const { id, amount, custom_id: custom } = refund;
  books.refunds.push({ id, orderId, amount, customId: custom ?? '' });
  books.transactions.push({
    transaction_id: id,
    paypal_reference_id: captureId,
    paypal_reference_id_type: 'TXN',
    transaction_event_code: 'T1107',
    ...timesOf(refund.create_time),
    transaction_amount: { ...amount, value: `-${amount.value}` },
    transaction_status: 'S',
    ...(custom === undefined ? {} : { custom_field: custom }),
  });
}

/** Records a payout to the seller's bank account, which is also a transaction. */
export function recordPayout(books: PayPalBooks, value: string, time: string): void {
  books.transactions.push({
    transaction_id: newId(),
    transaction_event_code: 'T0400',
    ...timesOf(time),
    transaction_amount: { currency_code: 'USD', value: `-${value}` },
    transaction_status: 'S',
  });
}

/** Records an event that PayPal would send to a webhook. */
export function emit(books: PayPalBooks, type: string, resourceType: string, resource: object): void {
  const id = `WH-${newId()}-${newId()}`;
  const event: PayPalEvent = {
    id,
    event_version: '1.0',
    create_time: nowText(),
    resource_type: resourceType,
    resource_version: '2.0',
    event_type: type,
    summary: 'As PayPal would say it.',
    resource: structuredClone(resource),
    links: [link('self', `/v1/notifications/webhooks-events/${id}`)],
  };
  books.events.push(event);
}

/** Returns a page of the transactions between two times, both inclusive (https://developer.paypal.com/docs/api/transaction-search/v1/). */
export function searchTransactions({ transactions, searchLagMs }: PayPalBooks, query: URLSearchParams): object {
  const [from, to] = [Date.parse(query.get('start_date') ?? ''), Date.parse(query.get('end_date') ?? '')];
  if (Number.isNaN(from) || Number.isNaN(to)) throw malformed('INVALID_DATE');
  if (to - from > LONGEST_SEARCH_MS || to < from) throw malformed('DATE_RANGE_TOO_LONG');
  const size = Number(query.get('page_size') ?? 100);
  const page = Number(query.get('page') ?? 1);
  if (!(size >= 1 && size <= 500 && page >= 1)) throw malformed('INVALID_PAGE');
  const found = transactions.filter(({ transaction_initiation_date: time }) => {
    const atMs = Date.parse(time.replace('+0000', 'Z'));
    return atMs >= Math.floor(from / 1_000) * 1_000 && atMs <= to && atMs <= Date.now() - searchLagMs;
  });
  return {
    transaction_details: found
      .slice((page - 1) * size, page * size)
      .map((transaction_info) => ({ transaction_info: structuredClone(transaction_info) })),
    account_number: 'TESTMERCHANT1',
    start_date: query.get('start_date'),
    end_date: query.get('end_date'),
    last_refreshed_datetime: nowText().replace('Z', '+0000'),
    page,
    total_items: found.length,
    total_pages: Math.ceil(found.length / size),
    links: [link('self', `/v1/reporting/transactions?${query}`)],
  };
}

function timesOf(time: string) {
  const text = time.replace('Z', '+0000');
  return { transaction_initiation_date: text, transaction_updated_date: text };
}
