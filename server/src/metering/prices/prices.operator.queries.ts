import type { Queryable, Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { Bound } from './prices.bounds.ts';
import type { PriceRow } from './prices.worker.queries.ts';

export type TimestampedPrice = PriceRow & { createdAt: Date; updatedAt: Date };

export type NewPrice = Pick<PriceRow, 'id' | 'companyId' | 'path' | 'title' | 'currency' | 'model' | 'pooled'> & {
  /** JSON text. */
  rates: string;
  freeRequests: number;
  from: Bound;
  to: Bound | null;
};

/** What identifies a price; its versions share it. */
export type PriceKey = Pick<PriceRow, 'companyId' | 'path' | 'currency'>;

function columns(db: Queryable) {
  return db`
    prices.id, prices.company_id AS "companyId", prices.path, prices.title, prices.currency, prices.model, prices.rates,
    prices.free_requests AS "freeRequests", prices.pooled, prices.effective_from AS "effectiveFrom",
    prices.from_month AS "fromMonth",
    prices.effective_to AS "effectiveTo", prices.to_month AS "toMonth", next.effective_from AS "nextFrom",
    next.from_month AS "nextMonth", prices.created_at AS "createdAt", prices.updated_at AS "updatedAt"`;
}

/** The version that succeeds this one. */
function nextVersion(db: Queryable) {
  return db`
    LEFT JOIN LATERAL (
      SELECT later.effective_from, later.from_month FROM prices AS later
      WHERE later.scope = prices.scope AND later.currency = prices.currency AND later.path = prices.path
        AND later.effective_from > prices.effective_from
      ORDER BY later.effective_from LIMIT 1
    ) AS next ON true`;
}

/** Inserts a version. @throws PostgresError on the constraints `prices_version_taken` and `prices_company_id_fkey` */
export async function insertPrice(db: Queryable, price: NewPrice): Promise<void> {
  await db`
    INSERT INTO prices (id, company_id, path, title, currency, model, rates, free_requests, pooled, effective_from, from_month,
                        effective_to, to_month)
    VALUES (${price.id}, ${price.companyId}, ${price.path}, ${price.title}, ${price.currency}, ${price.model},
            ${price.rates}::text::json, ${price.freeRequests}, ${price.pooled}, ${price.from.at}, ${price.from.month},
            ${price.to?.at ?? null}, ${price.to?.month ?? null})`;
}

/** Keeps prices from changing until the transaction ends. Any number of transactions may hold this lock at once. */
export async function lockPricesShared(tx: Tx): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock_shared(hashtext('prices'))`;
}

/** Waits for transactions that hold the shared lock, and blocks new ones until this transaction ends. */
export async function lockPrices(tx: Tx): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtext('prices'))`;
}

/** The start of the newest version of a price; null when there is none. */
export async function selectNewestStart(db: Queryable, { companyId, path, currency }: PriceKey): Promise<Date | null> {
  const [row] = await db<{ effectiveFrom: Date }[]>`
    SELECT effective_from AS "effectiveFrom" FROM prices
    WHERE scope = ${companyId ?? OPERATOR_SCOPE} AND currency = ${currency} AND path = ${path}
    ORDER BY effective_from DESC
    LIMIT 1`;
  return row?.effectiveFrom ?? null;
}

/** The version, or null when there is none with this id. */
export async function selectPrice(db: Queryable, id: string): Promise<TimestampedPrice | null> {
  const [row] = await db<TimestampedPrice[]>`SELECT ${columns(db)} FROM prices ${nextVersion(db)} WHERE id = ${id}`;
  return row ?? null;
}

/** Sets a version's end unless it has one. @returns whether it did */
export async function updateEnd(db: Queryable, id: string, { at, month }: Bound): Promise<boolean> {
  const rows = await db`
    UPDATE prices SET effective_to = ${at}, to_month = ${month}, updated_at = now()
    WHERE id = ${id} AND effective_to IS NULL RETURNING 1`;
  return rows.length === 1;
}

/** Removes a version. */
export async function deletePrice(db: Queryable, id: string): Promise<void> {
  await db`DELETE FROM prices WHERE id = ${id}`;
}

export type PriceFilter = {
  path: string | null;
  currency: string | null;
  /** Null for all prices, `general` for general ones, else the overrides of this company. */
  companyId: string | null;
  at: Date | null;
};

function matches(db: Queryable, { path, currency, companyId, at }: PriceFilter) {
  const scope = companyId === 'general' ? OPERATOR_SCOPE : companyId;
  const isInForce = db`prices.effective_from <= ${at} AND coalesce(least(prices.effective_to, next.effective_from) > ${at}, true)`;
  return db`true
    ${path === null ? db`` : db`AND prices.path = ${path}`}
    ${currency === null ? db`` : db`AND prices.currency = ${currency}`}
    ${scope === null ? db`` : db`AND prices.scope = ${scope}`}
    ${at === null ? db`` : db`AND ${isInForce}`}`;
}

/** A page of versions by path, currency and company, newest first, with the total. */
export async function selectPricePage(
  db: Queryable,
  filter: PriceFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: TimestampedPrice[] }> {
  const [counted] = await db<
    { total: number }[]
  >`SELECT count(*)::int AS total FROM prices ${nextVersion(db)} WHERE ${matches(db, filter)}`;
  const data = await db<TimestampedPrice[]>`
    SELECT ${columns(db)} FROM prices ${nextVersion(db)}
    WHERE ${matches(db, filter)}
    ORDER BY prices.path, prices.currency, prices.scope, prices.effective_from DESC
    LIMIT ${limit} OFFSET ${offset}`;
  return { total: counted?.total ?? 0, data };
}
