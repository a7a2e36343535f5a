import type { Queryable } from '../platform/database/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { writeCsv } from '../platform/http/schema/csv.ts';
import { parseInstant } from '../platform/http/schema/instants.ts';
import { formatAmount } from '../platform/money/money.ts';
import {
  closeLedgerHour,
  type PostingFilter,
  type PostingPosition,
  type PostingRow,
  selectPostings,
  sumLedgerHour,
  sumMonths,
  sumPostings,
} from './ledger.operator.queries.ts';
import type {
  BalanceList,
  BalancesQuery,
  LedgerFileQuery,
  LedgerQuery,
  Posting,
  PostingList,
} from './ledger.schema.ts';

/*
 * The database posts what changes, in the statement that changes it (see the migration of the ledger); here it is only read.
 */

/** The most postings in a file. A longer one is refused, never truncated. */
const MAX_FILE_POSTINGS = 50_000;

/** A page of postings, oldest first. @throws ApiError 400 */
export async function listPostings(db: Queryable, { perPage, cursor, ...query }: LedgerQuery): Promise<PostingList> {
  const filter = readFilter(query);
  const rows = await selectPostings(db, filter, { after: readCursor(cursor), limit: perPage + 1 });
  const page = rows.slice(0, perPage);
  const last = page.at(-1);
  const nextCursor = rows.length > perPage && last !== undefined ? writeCursor(last) : null;
  return { perPage, nextCursor, data: page.map(toPosting) };
}

const COLUMNS = [
  ...[
    'createdAt',
    'companyId',
    'companyExternalId',
    'invoiceId',
    'kind',
    'sourceId',
    'account',
    'currency',
    'debit',
    'credit',
  ],
];

/** All matching postings as a CSV file. @throws ApiError 400, also when they are too many for a file */
export async function writePostings(
  db: Queryable,
  query: LedgerFileQuery,
  externalIds: ExternalIds,
): Promise<Uint8Array> {
  const rows = await selectPostings(db, readFilter(query), { after: null, limit: MAX_FILE_POSTINGS + 1 });
  if (rows.length > MAX_FILE_POSTINGS) {
    throw invalidField('from', `and to must contain at most ${MAX_FILE_POSTINGS} postings; request a shorter period`);
  }
  const known = await externalIds.of([...new Set(rows.flatMap(({ companyId }) => companyId ?? []))]);
  return writeCsv([COLUMNS, ...rows.map((row) => toCells(row, known.get(row.companyId ?? '') ?? ''))]);
}

function toCells(row: PostingRow, companyExternalId: string): string[] {
  const amountMinor = BigInt(row.amountMinor);
  const debit = amountMinor > 0n ? formatAmount(amountMinor, row.currency) : '';
  const credit = amountMinor < 0n ? formatAmount(-amountMinor, row.currency) : '';
  const { companyId, invoiceId, kind, sourceId, account, currency } = row;
  return [
    row.createdAt.toISOString(),
    companyId ?? '',
    companyExternalId,
    invoiceId ?? '',
    kind,
    sourceId,
    account,
    currency,
    debit,
    credit,
  ];
}

/**
 * Closes the hours of the ledger that have ended, so that balances and the sums of months are computed from the newest one. Any number of
 * processes may do it.
 */
export async function closeLedgerHours(db: Queryable, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await closeLedgerHour(db)));
  while (!signal?.aborted && (await sumLedgerHour(db)));
}

/** What the ledger has of a month; amounts in major units. */
export type LedgerMonth = { month: string; currency: string; billed: string; collected: string; refunded: string };

/**
 * What was billed (what `revenue` and `tax` have, so without what was credited or void), collected and refunded in each calendar month
 * (UTC) since an instant, as the postings have it. Months without postings are left out.
 */
export async function readLedgerMonths(db: Queryable, since: Date): Promise<LedgerMonth[]> {
  const months = await sumMonths(db, since);
  return months.map(({ month, currency, billedMinor, collectedMinor, refundedMinor }) => {
    const [billed = '', collected = '', refunded = ''] = [billedMinor, collectedMinor, refundedMinor].map((minor) =>
      formatAmount(BigInt(minor), currency),
    );
    return { month, currency, billed, collected, refunded };
  });
}

/** The balance of each account in each currency. @throws ApiError 400 */
export async function readBalances(db: Queryable, query: BalancesQuery): Promise<BalanceList> {
  const sums = await sumPostings(db, readFilter(query));
  return {
    data: sums.map(({ account, currency, balanceMinor }) => ({
      account,
      currency,
      balance: formatAmount(BigInt(balanceMinor), currency),
    })),
  };
}

function readFilter({ companyId, account, invoiceId, sourceId, from, to }: LedgerFileQuery): PostingFilter {
  const instants = {
    from: from === undefined ? null : parseInstant(from),
    to: to === undefined ? null : parseInstant(to),
  };
  if (instants.from !== null && instants.to !== null && instants.from >= instants.to) {
    throw invalidField('to', 'must be after from');
  }
  return {
    companyId: companyId ?? null,
    account: account ?? null,
    invoiceId: invoiceId ?? null,
    sourceId: sourceId ?? null,
    ...instants,
  };
}

function readCursor(cursor: string | undefined): PostingPosition | null {
  if (cursor === undefined) return null;
  const [ms = '', number = ''] = cursor.split('-');
  const createdAt = new Date(Number(ms));
  if (Number.isNaN(createdAt.getTime()) || createdAt.getUTCFullYear() > 9_999) {
    throw invalidField('cursor', 'must be the nextCursor of the previous page');
  }
  return { createdAt, number };
}

function writeCursor({ createdAt, number }: PostingRow): string {
  return `${createdAt.getTime()}-${number}`;
}

function toPosting({ amountMinor, number: _number, kind, ...posting }: PostingRow): Posting {
  return { ...posting, kind: kind as Posting['kind'], amount: formatAmount(BigInt(amountMinor), posting.currency) };
}
