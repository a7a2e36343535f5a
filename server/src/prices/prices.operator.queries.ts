import type { Queryable, Tx } from '../database/database.ts';
import type { PriceRow } from './prices.queries.ts';

export type KeptPrice = PriceRow & { createdAt: Date; updatedAt: Date };

export type NewPrice = Omit<PriceRow, 'rates' | 'freeRequests'> & {
  /** JSON text. */
  rates: string;
  freeRequests: number;
};

/** What the versions of one price have in common. */
export type PriceKey = Pick<PriceRow, 'companyId' | 'path' | 'currency'>;

const GENERAL_SCOPE = '00000000-0000-0000-0000-000000000000';

function columns(db: Queryable) {
  return db`
    prices.id, prices.company_id AS "companyId", prices.path, prices.title, prices.currency, prices.model, prices.rates,
    prices.free_requests AS "freeRequests", prices.pooled, prices.effective_from AS "effectiveFrom", ${endsAt(db)} AS "effectiveTo",
    prices.created_at AS "createdAt", prices.updated_at AS "updatedAt"`;
}

function endsAt(db: Queryable) {
  return db`least(prices.effective_to, (
    SELECT min(later.effective_from) FROM prices AS later
    WHERE later.scope = prices.scope AND later.currency = prices.currency AND later.path = prices.path
      AND later.effective_from > prices.effective_from
  ))`;
}

/** @throws PostgresError on the constraints `prices_version_taken` and `prices_company_id_fkey`. */
export async function insertPrice(db: Queryable, price: NewPrice): Promise<void> {
  await db`
    INSERT INTO prices (id, company_id, path, title, currency, model, rates, free_requests, pooled, effective_from, effective_to)
    VALUES (${price.id}, ${price.companyId}, ${price.path}, ${price.title}, ${price.currency}, ${price.model},
            ${price.rates}::text::json, ${price.freeRequests}, ${price.pooled}, ${price.effectiveFrom}, ${price.effectiveTo})`;
}

/** Keeps prices as they are until the transaction ends. Any number of transactions may at the same time. */
export async function lockPricesShared(tx: Tx): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock_shared(hashtext('prices'))`;
}

/** Waits for those that keep prices as they are, and keeps others from it until the transaction ends. */
export async function lockPrices(tx: Tx): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtext('prices'))`;
}

/** Until when there are invoices of usage in a currency, of the company or, without one, of any; null when there are none. */
export async function selectBilledUntil(
  db: Queryable,
  { companyId, currency }: Pick<PriceKey, 'companyId' | 'currency'>,
): Promise<Date | null> {
  const [row] = await db<[{ until: Date | null }]>`
    SELECT max(end_at) AS until FROM billed_periods
    WHERE currency = ${currency} AND invoice_id IS NOT NULL ${companyId === null ? db`` : db`AND company_id = ${companyId}`}`;
  return row.until;
}

/** Where the newest version of a price begins; null when there is none. */
export async function selectNewestStart(db: Queryable, { companyId, path, currency }: PriceKey): Promise<Date | null> {
  const [row] = await db<{ effectiveFrom: Date }[]>`
    SELECT effective_from AS "effectiveFrom" FROM prices
    WHERE scope = ${companyId ?? GENERAL_SCOPE} AND currency = ${currency} AND path = ${path}
    ORDER BY effective_from DESC
    LIMIT 1`;
  return row?.effectiveFrom ?? null;
}

/** The version, or null when there is none with this id. */
export async function selectPrice(db: Queryable, id: string): Promise<KeptPrice | null> {
  const [row] = await db<KeptPrice[]>`SELECT ${columns(db)} FROM prices WHERE id = ${id}`;
  return row ?? null;
}

/** Gives a version an end, unless it has one. @returns whether it did */
export async function updateEnd(db: Queryable, id: string, effectiveTo: Date): Promise<boolean> {
  const rows = await db`
    UPDATE prices SET effective_to = ${effectiveTo}, updated_at = now() WHERE id = ${id} AND effective_to IS NULL RETURNING 1`;
  return rows.length === 1;
}

/** Removes a version. */
export async function deletePrice(db: Queryable, id: string): Promise<void> {
  await db`DELETE FROM prices WHERE id = ${id}`;
}

export type PriceFilter = {
  path: string | null;
  currency: string | null;
  /** Null for all prices, `general` for those of no company, else the overrides of this company. */
  companyId: string | null;
  at: Date | null;
};

function matches(db: Queryable, { path, currency, companyId, at }: PriceFilter) {
  const scope = companyId === 'general' ? GENERAL_SCOPE : companyId;
  return db`true
    ${path === null ? db`` : db`AND prices.path = ${path}`}
    ${currency === null ? db`` : db`AND prices.currency = ${currency}`}
    ${scope === null ? db`` : db`AND prices.scope = ${scope}`}
    ${at === null ? db`` : db`AND prices.effective_from <= ${at} AND coalesce(${endsAt(db)} > ${at}, true)`}`;
}

/** A page of versions, by path, currency and company, newest first, with how many there are in all. */
export async function selectPricePage(
  db: Queryable,
  filter: PriceFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: KeptPrice[] }> {
  const [counted] = await db<
    { total: number }[]
  >`SELECT count(*)::int AS total FROM prices WHERE ${matches(db, filter)}`;
  const data = await db<KeptPrice[]>`
    SELECT ${columns(db)} FROM prices
    WHERE ${matches(db, filter)}
    ORDER BY prices.path, prices.currency, prices.scope, prices.effective_from DESC
    LIMIT ${limit} OFFSET ${offset}`;
  return { total: counted?.total ?? 0, data };
}
