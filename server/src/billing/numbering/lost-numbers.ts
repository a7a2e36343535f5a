import type { Queryable, Tx } from '../../platform/database/database.ts';
import { formatDecimal, toDecimal } from '../../platform/money/decimal.ts';
import { formatAmount, toMinor } from '../../platform/money/money.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import {
  advanceSeries,
  deleteLostNumber,
  insertLostNumber,
  insertSkippedNumbers,
  isNumberTaken,
  type LostNumberRow,
  lockSeries,
  selectLostNumbers,
} from './lost-numbers.operator.queries.ts';
import type { LostNumberList, LostNumberQuery } from './lost-numbers.schema.ts';
import type { DocumentType } from './numbering.operator.queries.ts';

/*
 * Documents that were issued before the database went back are written again with their numbers. A number whose document can't be written
 * again is recorded as lost, and in both cases the series continues after it.
 */

/** `total` is in major units; the currency is null where it is not known. */
export type LostNumber = {
  type: DocumentType;
  number: string;
  total: string;
  currency: string | null;
  reason: string;
};

/** A number with its series before it. */
const NUMBER = /^(.*[._-])(\d{1,18})$/;

/** More are not recorded one by one. */
const MAX_SKIPPED = 10_000;
const SKIPPED = 'A later number is known, but nothing is known about this document.';

/**
 * Makes the series of a number continue after it. Numbers between are recorded as lost until their documents are written again. Locks the
 * series as `allocateNumber` does.
 */
export async function continueAfter(tx: Tx, number: string): Promise<void> {
  await advance(tx, number, 0n);
}

/** The same, and the number itself is recorded as lost until its document is written again. */
export async function reserveUpTo(tx: Tx, number: string): Promise<void> {
  await advance(tx, number, 1n);
}

async function advance(tx: Tx, number: string, more: 0n | 1n): Promise<void> {
  const [, prefix, lastNumber] = NUMBER.exec(number) ?? [];
  if (prefix === undefined || lastNumber === undefined) return;
  const earlierNumber = await lockSeries(tx, prefix);
  await advanceSeries(tx, { prefix, lastNumber });
  const beforeNumber = String(BigInt(lastNumber) + more);
  const between = { prefix, afterNumber: earlierNumber ?? '0', beforeNumber, limit: MAX_SKIPPED };
  await insertSkippedNumbers(tx, between, SKIPPED);
}

/**
 * Records that the document of a number can't be written again, and that the number is never given again. The company may be unknown. A
 * second call changes nothing.
 */
export async function recordLostNumber(tx: Tx, companyId: string, lost: LostNumber): Promise<void> {
  await continueAfter(tx, lost.number);
  await insertLostNumber(tx, { companyId, ...lost });
}

/** Forgets that a number was lost, once its document is written again. `companyId` is the one it was recorded for. */
export async function recoverNumber(
  tx: Tx,
  companyId: string,
  document: Pick<LostNumber, 'type' | 'number'>,
): Promise<void> {
  await deleteLostNumber(tx, { companyId, ...document });
}

/**
 * Gives a lost document its number again, and its series continues after it. If another document has the number by now, or it is none,
 * it is recorded as lost.
 * @returns null if it is lost
 */
export async function takeLostNumber(
  tx: Tx,
  companyId: string,
  document: Omit<LostNumber, 'reason'>,
): Promise<{ number: string; series: string } | null> {
  const { number } = document;
  const [, series] = NUMBER.exec(number) ?? [];
  await continueAfter(tx, number);
  if (series !== undefined && !(await isNumberTaken(tx, companyId, number))) {
    await recoverNumber(tx, companyId, document);
    return { number, series };
  }
  await insertLostNumber(tx, { companyId, ...document, reason: 'Another document has this number.' });
  return null;
}

/** Reads a page of the lost numbers, the last recorded first. */
export async function listLostNumbers(db: Queryable, { page, perPage }: LostNumberQuery): Promise<LostNumberList> {
  const { total, data } = await selectLostNumbers(db, { limit: perPage, offset: (page - 1) * perPage });
  return { total, page, perPage, data: data.map(describe) };
}

function describe({ total, currency, companyId, ...lost }: LostNumberRow): LostNumberList['data'][number] {
  const amount = toDecimal(total);
  const written = currency === null ? formatDecimal(amount) : formatAmount(toMinor(amount, currency), currency);
  return { ...lost, companyId: companyId === OPERATOR_SCOPE ? null : companyId, total: written, currency };
}
