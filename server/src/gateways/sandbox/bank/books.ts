/** Reads lists from the sandbox gateway's ledger. */
import type { DatabaseSync } from 'node:sqlite';
import * as queries from './books.queries.ts';

const bookPageSize = 100;

/** Lists all payments of a debt, and payments of older versions that have one of the references but no debt. */
export function listPaymentsOfDebt(database: DatabaseSync, query: { debt: string; references: string[] }): unknown {
  const payments = queries.selectPaymentsOfDebt(database, query).map(({ sequence, details, ...payment }) => ({
    ...payment,
    declineCode: payment.status === 'declined' ? (payment.declineCode ?? 'generic_decline') : null,
    sequence: sequence === null ? null : Number(sequence),
    details: JSON.parse(details),
  }));
  return { payments };
}

export type BookQuery = { from: string; to: string; cursor?: string | undefined };

/** Lists a page of the captured payments. */
export function listCaptures(database: DatabaseSync, query: BookQuery): unknown {
  const captures = queries.selectCaptures(database, rangeOf(query));
  return pageOf(captures.map((capture) => ({ ...capture, details: JSON.parse(capture.details) })));
}

/** Lists a page of the refunds. */
export function listRefunds(database: DatabaseSync, query: BookQuery): unknown {
  return pageOf(queries.selectRefunds(database, rangeOf(query)));
}

/** Lists all refunds of a payment on one page. */
export function listRefundsOf(database: DatabaseSync, gatewayPaymentId: string): unknown {
  const refunds = queries.selectRefundsOf(database, gatewayPaymentId);
  return writePage(
    refunds.map((refund) => ({ ...refund, details: JSON.parse(refund.details) })),
    null,
  );
}

function rangeOf({ from, to, cursor = '0' }: BookQuery): queries.BookRange {
  return { from, to, after: BigInt(cursor), limit: bookPageSize + 1 };
}

function pageOf<Row extends queries.BookRow>(rows: Row[]): unknown {
  const entries = rows.slice(0, bookPageSize);
  return writePage(entries, rows.length > bookPageSize ? String(entries.at(-1)?.place) : null);
}

function writePage<Row extends queries.BookRow>(entries: Row[], nextCursor: string | null): unknown {
  return {
    entries: entries.map(({ place: _place, paymentId, ...entry }) => ({ ...entry, gatewayPaymentId: paymentId })),
    nextCursor,
  };
}
