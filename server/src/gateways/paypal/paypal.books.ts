/** Reads PayPal's books from its search, which lags up to 3 hours (https://developer.paypal.com/docs/api/transaction-search/v1/). */

import { readTogether } from '../gateway/gateway.objects.ts';
import { matches } from '../gateway/gateway.shapes.ts';
import type {
  GatewayBookPage,
  GatewayBookRequest,
  GatewayPaymentObject,
  GatewayRefundObject,
} from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway.ts';
import * as answers from './answers/answers.ts';
import type { AskPayPal } from './answers/connection.ts';
import * as transactions from './answers/transactions.ts';
import { findOrder } from './paypal.orders.ts';

/** One day for each search, because PayPal lists at most 10,000 transactions of a search. */
const WINDOW_MS = 86_400_000;
const PAGE_SIZE = 100;

type Begin = () => AskPayPal;
type Entry = transactions.Transaction;
type BookReader = {
  listPayments(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayPaymentObject>>;
  listRefunds(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayRefundObject>>;
};

/** Creates a reader of captures and refunds. It leaves out other transactions, such as PayPal's fees and payouts. */
export function createBookReader(begin: Begin): BookReader {
  return {
    listPayments: (request) => readPage(begin, request, PAYMENT, transactions.toPaymentObject),
    listRefunds: (request) => readPage(begin, request, REFUND, transactions.toRefundObject),
  };
}

/** A kind of transaction: https://developer.paypal.com/docs/transaction-search/transaction-event-codes/ */
type Kind = { code: RegExp; isNegative: boolean };
/** All kinds of payments, if the seller received them. */
const PAYMENT: Kind = { code: /^T00\d\d$/, isNegative: false };
/** Refunds by the seller. */
const REFUND: Kind = { code: /^T1107$/, isNegative: true };

/** Reads one page. A cursor names a day, counted from `from`, and a page of that day. */
async function readPage<Line>(
  begin: Begin,
  { from, to, cursor }: GatewayBookRequest,
  kind: Kind,
  toLine: (transaction: Entry, found: transactions.OrderOfTransaction) => Line,
): Promise<GatewayBookPage<Line>> {
  const [, day, number] = /^(\d{1,6})\.(\d{1,6})$/.exec(cursor ?? '0.1') ?? [];
  if (day === undefined || number === undefined) throw new GatewayError('rejected', 'The cursor is not one of PayPal.');
  const page = Number(number);
  const startMs = from.getTime() + Number(day) * WINDOW_MS;
  const endMs = Math.min(startMs + WINDOW_MS, to.getTime());
  if (startMs >= endMs) return { entries: [], nextCursor: null };
  const { transaction_details: details, total_pages: totalPages } = await search(begin(), startMs, endMs, page);

  const ofKind = details.flatMap(({ transaction_info: info }) => readOfKind(info, kind) ?? []);
  // PayPal's search includes its end, and its times are whole seconds.
  const inTime = ofKind.filter((transaction) => {
    const atMs = transactions.timeOf(transaction).getTime();
    return atMs >= startMs && atMs < endMs;
  });
  const orderOf = cacheOrders(begin);
  const readOrder = remember((id) => findOrder(begin(), id));
  const lines = await readTogether(inTime, async (transaction) => {
    const gatewayPaymentId = await orderOf(transaction);
    if (gatewayPaymentId === null) return [];
    return [toLine(transaction, { gatewayPaymentId, order: await readOrder(gatewayPaymentId) })];
  });
  const isLastDay = startMs + WINDOW_MS >= to.getTime();
  const nextCursor = page < totalPages ? `${day}.${page + 1}` : isLastDay ? null : `${Number(day) + 1}.1`;
  return { entries: lines.flat(), nextCursor };
}

/** Returns the transaction if it is of this kind and its money has moved. @throws GatewayError `outcome_unknown` */
function readOfKind(info: { transaction_event_code?: string | undefined }, { code, isNegative }: Kind): Entry | null {
  if (!code.test(info.transaction_event_code ?? '')) return null;
  const transaction = answers.read(transactions.Transaction, info);
  const { transaction_status: status, transaction_amount: amount } = transaction;
  const hasMoved = status === 'S' || status === 'V';
  return hasMoved && amount.value.startsWith('-') === isNegative ? transaction : null;
}

async function search(ask: AskPayPal, startMs: number, endMs: number, page: number) {
  const startDate = new Date(startMs).toISOString();
  const endDate = new Date(endMs).toISOString();
  const fields = 'transaction_info';
  const query = { startDate, endDate, fields, balanceAffectingRecordsOnly: 'Y', pageSize: PAGE_SIZE, page };
  const answer = await ask(({ transactions }) => transactions.searchTransactions(query));
  return answers.read(transactions.TransactionPage, answer);
}

/** PayPal searches at most 31 days at once. */
const LONGEST_SEARCH_MS = 31 * 86_400_000;
/** The search goes back about a year, because no backup is older. */
const MAX_SEARCHES = 12;

/**
 * Finds the orders that were captured under one of these invoice ids. It searches backwards, 31 days at a time, to a day before `since`,
 * and stops at the first time with a match. PayPal's search may not show the newest captures yet. @throws GatewayError
 */
export async function searchCaptures(
  begin: Begin,
  invoiceIds: ReadonlySet<string>,
  since: Date | null = null,
): Promise<string[]> {
  let endMs = Date.now() + WINDOW_MS;
  const firstMs = (since?.getTime() ?? 0) - WINDOW_MS;
  for (let searches = 0; searches < MAX_SEARCHES && endMs > firstMs; searches += 1, endMs -= LONGEST_SEARCH_MS) {
    const found = new Set<string>();
    for (let [page, pages] = [1, 1]; page <= pages; page += 1) {
      const listed = await search(begin(), endMs - LONGEST_SEARCH_MS, endMs, page);
      pages = listed.total_pages;
      const orderOf = cacheOrders(begin);
      for (const { transaction_info: info } of listed.transaction_details) {
        const isCapture =
          PAYMENT.code.test(info.transaction_event_code ?? '') && matches(transactions.Transaction, info);
        if (!isCapture || !invoiceIds.has(info.invoice_id ?? '')) continue;
        const order = await orderOf(info);
        if (order !== null) found.add(order);
      }
    }
    if (found.size > 0) return [...found];
  }
  return [];
}

/** Finds the order of a transaction, which refers to the order or to a capture of it. Null for a transaction without an order. */
function cacheOrders(begin: Begin): (transaction: Entry) => Promise<string | null> {
  const orderOfCapture = remember((captureId) => findOrderOfCapture(begin(), captureId));
  return async ({ transaction_id: own, paypal_reference_id: id, paypal_reference_id_type: type }) => {
    if (type === 'ODR' && id !== undefined) return id;
    return orderOfCapture(type === 'TXN' && id !== undefined ? id : own);
  };
}

/** Reads each id once. */
function remember<Found>(read: (id: string) => Promise<Found>): (id: string) => Promise<Found> {
  const known = new Map<string, Promise<Found>>();
  return (id) => {
    const found = known.get(id) ?? read(id);
    known.set(id, found);
    return found;
  };
}

/** Finds the order of a capture; null if PayPal knows no such capture or the capture names no order. @throws GatewayError */
export async function findOrderOfCapture(ask: AskPayPal, captureId: string): Promise<string | null> {
  try {
    const answer = await ask(({ payments }) => payments.getCapturedPayment({ captureId }));
    return orderOfCapture(answers.read(answers.Related, answer));
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'rejected') return null;
    throw error;
  }
}

/** Reads the order's id in a capture, or null. */
export function orderOfCapture(capture: answers.Related): string | null {
  return capture.supplementary_data?.related_ids?.order_id ?? answers.idOfLink(capture, 'orders');
}
