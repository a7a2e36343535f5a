import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Queryable, type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { parseDate, parseInstant } from '../../platform/http/schema/instants.ts';
import { formatDecimal } from '../../platform/money/decimal.ts';
import { formatAmount, toMinor } from '../../platform/money/money.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { describeRepriced, type FindBilledWithUsage, findRepriced, type RepricedUsage } from './prices.billed.ts';
import { endsOf, findPrices } from './prices.books.ts';
import { type Bound, earlier, readBound, writeBound } from './prices.bounds.ts';
import {
  deletePrice,
  insertPrice,
  lockPrices,
  lockPricesShared,
  selectNewestStart,
  selectPrice,
  selectPricePage,
  type TimestampedPrice,
  updateEnd,
} from './prices.operator.queries.ts';
import { findProblems } from './prices.rules.ts';
import type { CreatePriceBody, PriceAnswer, PriceQuery, PriceQuote, PriceQuoteQuery } from './prices.schema.ts';
import type { PriceRow } from './prices.worker.queries.ts';
import { matchPrice } from './rating/matching.ts';
import { quoteLines } from './rating/quote.ts';
import { ratePrice } from './rating/rating.ts';

export type { BilledWithUsage, FindBilledWithUsage } from './prices.billed.ts';
export { findPrices } from './prices.books.ts';
export type { Bound } from './prices.bounds.ts';
export type { PriceKey } from './prices.operator.queries.ts';
export { type PeriodToPrice, type PricedUsage, readPricedUsage, readWorths } from './prices.usage.ts';
export { matchPrice, priceSegments } from './rating/matching.ts';
export { type RatedLine, rateUsage, sumLines } from './rating/usage.ts';

/** Keeps prices from changing until the transaction ends. A billing run takes it before it reads prices. */
export async function lockPricesForRead(tx: Tx): Promise<void> {
  await lockPricesShared(tx);
}

/** Sets a price or a new version of one. @throws ApiError 400 naming the fields, price_superseded, period_billed */
export async function createPrice(
  tx: Tx,
  body: CreatePriceBody,
  findBilled: FindBilledWithUsage,
): Promise<PriceAnswer> {
  refuseProblems(body);
  const { path, title, currency, model, freeRequests = 0, pooled = false } = body;
  const companyId = body.companyId ?? null;
  if (companyId !== null && !isUuid(companyId)) throw unknownCompany();
  const from = readBound(body.effectiveFrom);
  const to = body.effectiveTo == null ? null : readBound(body.effectiveTo);
  await lockPrices(tx);
  const newest = await selectNewestStart(tx, { companyId, path, currency });
  if (newest !== null && from.at <= newest) throw superseded('effectiveFrom', newest);

  const id = uuidv7();
  const price = {
    id,
    companyId,
    path,
    title,
    currency,
    model,
    freeRequests,
    pooled,
    from,
    to,
    rates: writeRates(body),
  };
  const insert = () =>
    insertPrice(tx, price).catch((error) => {
      const constraint = violatedConstraint(error);
      if (constraint === 'prices_company_id_fkey') throw unknownCompany();
      if (constraint === 'prices_version_taken') throw superseded('effectiveFrom', from.at);
      throw error;
    });
  const repriced = await findRepriced(tx, price, { from, to: null }, insert, findBilled);
  if (repriced !== null) throw billed('effectiveFrom', repriced);
  return readPrice(tx, id);
}

function refuseProblems(body: CreatePriceBody): void {
  const details = findProblems(body);
  const [first] = details;
  if (first !== undefined) throw new ApiError('invalid_request', `${first.field} ${first.message}.`, { details });
}

function writeRates({ unitAmount, packageAmount, packageSize, tiers }: CreatePriceBody): string {
  const kept = tiers?.map(({ upTo, unitAmount: ofEach, flatAmount }) => ({ upTo, unitAmount: ofEach, flatAmount }));
  return JSON.stringify({ unitAmount, packageAmount, packageSize, tiers: kept });
}

/** Reads one version. @throws ApiError not_found */
export async function readPrice(db: Queryable, id: string): Promise<PriceAnswer> {
  return toAnswer((await selectPrice(db, id)) ?? refuseUnknown());
}

/**
 * Ends a version without a next one: from then on the next best price applies to its paths, or none.
 * @throws ApiError 400, not_found, price_ended, period_billed, or price_superseded when it is not the newest version
 */
export async function endPrice(
  tx: Tx,
  id: string,
  effectiveToText: string,
  findBilled: FindBilledWithUsage,
): Promise<PriceAnswer> {
  await lockPrices(tx);
  const price = (await selectPrice(tx, id)) ?? refuseUnknown();
  const end = readBound(effectiveToText);
  const newest = await selectNewestStart(tx, price);
  if (newest !== null && newest > price.effectiveFrom) throw superseded('effectiveTo', newest);
  if (end.at <= price.effectiveFrom) throw invalidField('effectiveTo', 'must be after effectiveFrom');
  const setEnd = async () => {
    if (!(await updateEnd(tx, id, end))) throw new ApiError('price_ended', 'This price already has an end.');
  };
  const repriced = await findRepriced(tx, price, { from: end, to: null }, setEnd, findBilled);
  if (repriced !== null) throw billed('effectiveTo', repriced);
  return readPrice(tx, id);
}

/** Removes a version that has billed nothing. @throws ApiError not_found, price_in_force */
export async function removePrice(tx: Tx, id: string, findBilled: FindBilledWithUsage): Promise<void> {
  await lockPrices(tx);
  const price = (await selectPrice(tx, id)) ?? refuseUnknown();
  const from = { at: price.effectiveFrom, month: price.fromMonth };
  const repriced = await findRepriced(tx, price, { from, to: endOf(price) }, () => deletePrice(tx, id), findBilled);
  if (repriced === null) return;
  throw new ApiError(
    'price_in_force',
    `Deleting this price would change what was billed: ${describeRepriced(repriced)}. End it, or add its next version.`,
  );
}

/** A page of versions by path, currency and company, newest first. */
export async function listPrices(db: Queryable, query: PriceQuery) {
  const { page, perPage, path = null, currency = null, companyId = null, at } = query;
  const filter = { path, currency, companyId, at: at === undefined ? null : readInstant(at) };
  const { total, data } = await selectPricePage(db, filter, { limit: perPage, offset: (page - 1) * perPage });
  return { total, page, perPage, data: data.map(toAnswer) };
}

/** What so many requests of a path cost at an instant, by the price that applies to them then. */
export async function quotePrice(
  db: Queryable,
  { path, quantity, currency, companyId, at }: PriceQuoteQuery,
  now: Date,
): Promise<PriceQuote> {
  const instant = at === undefined ? now : readInstant(at);
  const period = { from: instant, to: new Date(instant.getTime() + 1), month: instant.toISOString().slice(0, 7) };
  // Without a company, only general prices apply.
  const price = matchPrice(await findPrices(db, companyId ?? OPERATOR_SCOPE, currency, period), path, instant);
  const requests = BigInt(quantity);
  if (price === null) return { amount: formatAmount(0n, currency), currency, priceId: null, lines: [] };
  const lines = quoteLines(price, requests).map((line) => ({
    quantity: line.quantity.toString(),
    unitAmount: formatDecimal(line.unitAmount),
    amount: formatDecimal(line.amount),
  }));
  const amountMinor = toMinor(ratePrice(price, requests), currency);
  return { amount: formatAmount(amountMinor, currency), currency, priceId: price.id, lines };
}

function toAnswer(price: TimestampedPrice): PriceAnswer {
  const { id, companyId, path, title, currency, model, rates, freeRequests, pooled, createdAt, updatedAt } = price;
  const end = endOf(price);
  return {
    ...{ id, companyId, path, title, currency, model, ...rates },
    freeRequests: Number(freeRequests),
    pooled,
    effectiveFrom: writeBound({ at: price.effectiveFrom, month: price.fromMonth }),
    effectiveTo: end === null ? null : writeBound(end),
    ...{ createdAt, updatedAt },
  };
}

/** The version's own end or the next version's start, whichever comes first. */
function endOf(price: PriceRow): Bound | null {
  const [one = null, other = null] = endsOf(price);
  return earlier(one, other);
}

/** Reads an instant from validated text. */
function readInstant(text: string): Date {
  const instant = parseDate(text) ?? parseInstant(text);
  if (instant === null) throw new RangeError('The bound of a price must be an instant.');
  return instant;
}

function superseded(field: string, newest: Date): ApiError {
  const message =
    field === 'effectiveFrom'
      ? `must be after ${newest.toISOString()}, when the newest version of this price begins`
      : `cannot change: the next version of this price begins at ${newest.toISOString()}`;
  return new ApiError('price_superseded', `${field} ${message}.`, { details: [{ field, message }] });
}

function billed(field: string, repriced: RepricedUsage): ApiError {
  const until =
    repriced === 'too_many' ? '' : `; from ${repriced.until.toISOString()} on, no usage of these paths is billed yet`;
  const message = `would change what was billed: ${describeRepriced(repriced)}${until}`;
  return new ApiError('period_billed', `${field} ${message}.`, { details: [{ field, message }] });
}

function unknownCompany(): ApiError {
  return invalidField('companyId', 'must be the id of a company');
}

function refuseUnknown(): never {
  throw notFound('price');
}
