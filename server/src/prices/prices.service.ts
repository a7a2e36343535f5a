import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Queryable, type Tx, violatedConstraint } from '../database/database.ts';
import { ApiError, invalidField, notFound } from '../errors.ts';
import { parseDate, parseInstant } from '../http/instants.ts';
import { toDecimal } from '../money/decimal.ts';
import { addOverrides, createPriceBook, type Period, type PriceBook } from './prices.matching.ts';
import {
  deletePrice,
  insertPrice,
  type KeptPrice,
  lockPrices,
  lockPricesShared,
  selectBilledUntil,
  selectNewestStart,
  selectPrice,
  selectPricePage,
  updateEnd,
} from './prices.operator.queries.ts';
import { type PriceRow, type StoredRates, selectPricesInForce } from './prices.queries.ts';
import type { Rates, Tier } from './prices.rating.ts';
import { findProblems } from './prices.rules.ts';
import type { CreatePriceBody, PriceAnswer, PriceQuery } from './prices.schema.ts';

// What a billing run needs, so that it finds everything here: `findPrices`, then these.
export { matchPrice, type PriceBook, priceSegments } from './prices.matching.ts';
export { type PathUsage, type RatedLine, rateUsage } from './prices.usage.ts';

/** All prices that apply to a company in a currency at some time of a period, in one query: overrides and general ones. */
export async function findPrices(
  db: Queryable,
  companyId: string,
  currency: string,
  period: Period,
): Promise<PriceBook> {
  return (await findPricesOfMany(db, [companyId], currency, period))(companyId);
}

/** The same for many companies, still in one query. Those without overrides share one book. @returns the book of a company */
export async function findPricesOfMany(
  db: Queryable,
  companyIds: readonly string[],
  currency: string,
  period: Period,
): Promise<(companyId: string) => PriceBook> {
  const rows = await selectPricesInForce(db, companyIds, currency, period);
  const prices = rows.map((row) => ({ ...row, rates: readRates(row), freeRequests: BigInt(row.freeRequests) }));
  const byCompany = Map.groupBy(prices, ({ companyId }) => companyId);
  const general = createPriceBook(currency, byCompany.get(null) ?? []);
  const books = new Map<string, PriceBook>();
  for (const [companyId, overrides] of byCompany) {
    if (companyId !== null) books.set(companyId, addOverrides(general, overrides));
  }
  return (companyId) => books.get(companyId) ?? general;
}

/** Throws a RangeError for rates that are not those of the model. */
function readRates({ model, rates }: Pick<PriceRow, 'model' | 'rates'>): Rates {
  const { unitAmount = '', packageAmount = '', packageSize = 0, tiers = [] } = rates;
  switch (model) {
    case 'flat':
      return { model, unitAmount: toDecimal(unitAmount) };
    case 'package':
      return { model, packageAmount: toDecimal(packageAmount), packageSize: BigInt(packageSize) };
    case 'graduated':
    case 'volume':
      return { model, tiers: tiers.map(readTier) };
  }
}

function readTier({ upTo, unitAmount, flatAmount = '0' }: NonNullable<StoredRates['tiers']>[number]): Tier {
  return {
    upTo: upTo === null ? null : BigInt(upTo),
    unitAmount: toDecimal(unitAmount),
    flatAmount: toDecimal(flatAmount),
  };
}

/** Keeps prices as they are until the transaction ends. A run does so from before it reads them, so that none changes in its past. */
export async function holdPrices(tx: Tx): Promise<void> {
  await lockPricesShared(tx);
}

/** Sets a price, or a new version of one. @throws ApiError 400 naming the fields, price_superseded, period_billed */
export async function createPrice(tx: Tx, body: CreatePriceBody): Promise<PriceAnswer> {
  refuseProblems(body);
  const { path, title, currency, model, freeRequests = 0, pooled = false } = body;
  const companyId = body.companyId ?? null;
  if (companyId !== null && !isUuid(companyId)) throw unknownCompany();
  const effectiveFrom = readInstant(body.effectiveFrom);
  await lockPrices(tx);
  const newest = await selectNewestStart(tx, { companyId, path, currency });
  if (newest !== null && effectiveFrom <= newest) throw superseded('effectiveFrom', newest);
  await refuseBilled(tx, { companyId, currency }, 'effectiveFrom', effectiveFrom);

  const id = uuidv7();
  const effectiveTo = body.effectiveTo == null ? null : readInstant(body.effectiveTo);
  const period = { effectiveFrom, effectiveTo };
  const price = { id, companyId, path, title, currency, model, freeRequests, pooled, ...period };
  await insertPrice(tx, { ...price, rates: writeRates(body) }).catch((error) => {
    const constraint = violatedConstraint(error);
    if (constraint === 'prices_company_id_fkey') throw unknownCompany();
    if (constraint === 'prices_version_taken') throw superseded('effectiveFrom', effectiveFrom);
    throw error;
  });
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

/** @throws ApiError not_found */
export async function readPrice(db: Queryable, id: string): Promise<PriceAnswer> {
  return toAnswer((await selectPrice(db, id)) ?? refuseUnknown());
}

/**
 * Lets a version end without a next one: from then on its paths have the next best price, or none.
 * @throws ApiError 400, not_found, price_ended, period_billed, or price_superseded when it is not the newest version
 */
export async function endPrice(tx: Tx, id: string, effectiveToText: string): Promise<PriceAnswer> {
  await lockPrices(tx);
  const price = (await selectPrice(tx, id)) ?? refuseUnknown();
  const effectiveTo = readInstant(effectiveToText);
  const newest = await selectNewestStart(tx, price);
  if (newest !== null && newest > price.effectiveFrom) throw superseded('effectiveTo', newest);
  if (effectiveTo <= price.effectiveFrom) throw invalidField('effectiveTo', 'must be after effectiveFrom');
  await refuseBilled(tx, price, 'effectiveTo', effectiveTo);
  if (!(await updateEnd(tx, id, effectiveTo))) throw new ApiError('price_ended', 'This price has an end already.');
  return readPrice(tx, id);
}

/** Takes a version back by which nothing can have been billed. @throws ApiError not_found, price_in_force */
export async function removePrice(tx: Tx, id: string): Promise<void> {
  await lockPrices(tx);
  const price = (await selectPrice(tx, id)) ?? refuseUnknown();
  const billedUntil = await selectBilledUntil(tx, price);
  if (billedUntil === null || price.effectiveFrom >= billedUntil) return deletePrice(tx, id);
  throw new ApiError(
    'price_in_force',
    `Until ${billedUntil.toISOString()} it was billed in ${price.currency} while this price was in force, so it stays; ` +
      'end it, or set its next version.',
  );
}

/** A page of versions, by path, currency and company, newest first. */
export async function listPrices(db: Queryable, query: PriceQuery) {
  const { page, perPage, path = null, currency = null, companyId = null, at } = query;
  const filter = { path, currency, companyId, at: at === undefined ? null : readInstant(at) };
  const { total, data } = await selectPricePage(db, filter, { limit: perPage, offset: (page - 1) * perPage });
  return { total, page, perPage, data: data.map(toAnswer) };
}

function toAnswer({ rates, freeRequests, effectiveTo, ...price }: KeptPrice): PriceAnswer {
  return {
    ...price,
    ...rates,
    freeRequests: Number(freeRequests),
    effectiveTo: effectiveTo === null ? null : effectiveTo.toISOString(),
  };
}

/** Of a text that validation let through. */
function readInstant(text: string): Date {
  const instant = parseDate(text) ?? parseInstant(text);
  if (instant === null) throw new RangeError('Not an instant.');
  return instant;
}

function superseded(field: string, newest: Date): ApiError {
  const message =
    field === 'effectiveFrom'
      ? `must be after ${newest.toISOString()}, where the newest version of this price begins`
      : `is settled: the next version of this price begins at ${newest.toISOString()}`;
  return new ApiError('price_superseded', `${field} ${message}.`, { details: [{ field, message }] });
}

/**
 * What was billed never changes, so neither do the prices of that time. Whoever asks holds the lock on prices, and a run that is
 * at work has ended its transaction before. @throws ApiError period_billed
 */
async function refuseBilled(
  tx: Tx,
  { companyId, currency }: { companyId: string | null; currency: string },
  field: string,
  instant: Date,
): Promise<void> {
  const billedUntil = await selectBilledUntil(tx, { companyId, currency });
  if (billedUntil === null || instant >= billedUntil) return;
  const who = companyId === null ? 'companies are' : 'the company is';
  const message = `must not be before ${billedUntil.toISOString()}: until then ${who} billed in ${currency}`;
  throw new ApiError('period_billed', `${field} ${message}.`, { details: [{ field, message }] });
}

function unknownCompany(): ApiError {
  return invalidField('companyId', 'must be the id of a company');
}

function refuseUnknown(): never {
  throw notFound('price');
}
