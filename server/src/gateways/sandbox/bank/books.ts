/** Reads lists from the sandbox gateway's ledger. */
import type { DatabaseSync } from 'node:sqlite';
import * as queries from './books.queries.ts';

const bookPageSize = 100;

/** Lists all payments of a debt, and payments of older versions that have one of the references but no debt. */
export function listPaymentsOfDebt(database: DatabaseSync, query: { debt: string; references: string[] }): unknown {
  return { payments: queries.selectPaymentsOfDebt(database, query).map(showPayment) };
}

/** `cursor` is the time and the position of the last entry before the page. */
export type BookQuery = { from: string; to: string; cursor?: string | undefined };

/** Lists a page of the payments, in any state. */
export function listPayments(database: DatabaseSync, query: BookQuery): unknown {
  const { rows, nextCursor } = pageOf(queries.selectPayments(database, rangeOf(query)));
  return { entries: rows.map(showPayment), nextCursor };
}

/** Lists a page of the refunds. */
export function listRefunds(database: DatabaseSync, query: BookQuery): unknown {
  const { rows, nextCursor } = pageOf(queries.selectRefunds(database, rangeOf(query)));
  return { entries: rows.map(showRefund), nextCursor };
}

/** Lists a page of the disputes. */
export function listDisputes(database: DatabaseSync, query: BookQuery): unknown {
  const { rows, nextCursor } = pageOf(queries.selectDisputes(database, rangeOf(query)));
  return { entries: rows.map(showDispute), nextCursor };
}

/** Returns a dispute, or none. */
export function findDispute(database: DatabaseSync, id: string): unknown {
  const row = queries.selectDispute(database, id);
  return { entries: row === undefined ? [] : [showDispute(row)], nextCursor: null };
}

/** Makes the debits that are on their way end now. */
export function endDebits(database: DatabaseSync): void {
  queries.makeDebitsDue(database, new Date().toISOString());
}

/** Lists all refunds of a payment on one page. */
export function listRefundsOf(database: DatabaseSync, gatewayPaymentId: string): unknown {
  return { entries: queries.selectRefundsOf(database, gatewayPaymentId).map(showRefund), nextCursor: null };
}

function rangeOf({ from, to, cursor = '_0' }: BookQuery): queries.BookRange {
  const [createdAt = '', place = '0'] = cursor.split('_');
  return { from, to, after: { createdAt, place: BigInt(place) }, limit: bookPageSize + 1 };
}

function pageOf<Row extends { place: bigint; createdAt: string }>(
  found: Row[],
): { rows: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, bookPageSize);
  const last = rows.at(-1);
  const isLast = found.length <= bookPageSize || last === undefined;
  return { rows, nextCursor: isLast ? null : `${last.createdAt}_${last.place}` };
}

function showPayment({ place: _place, sequence, details, ...payment }: queries.ListedPaymentRow): unknown {
  return {
    ...payment,
    declineCode: payment.status === 'declined' ? (payment.declineCode ?? 'generic_decline') : null,
    sequence: sequence === null ? null : Number(sequence),
    details: JSON.parse(details),
  };
}

function showRefund({ place: _place, details, ...refund }: queries.RefundRow): unknown {
  return { ...refund, details: JSON.parse(details) };
}

function showDispute({ place: _place, ...dispute }: queries.DisputeRow): unknown {
  return dispute;
}
