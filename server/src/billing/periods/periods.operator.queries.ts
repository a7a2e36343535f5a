import type { BilledWithUsage, Bound, PriceKey } from '../../metering/prices/prices.service.ts';
import type { PeriodOfCompany } from '../../metering/usage/usage.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';

/**
 * Up to `limit` billed periods with an invoice in the currency, in which a path that the price matches was used between
 * the bounds, by whole days of UTC.
 */
export async function selectBilledWithUsage(
  db: Queryable,
  { companyId, currency, path }: PriceKey,
  { from, to }: { from: Bound; to: Bound | null },
  limit: number,
): Promise<BilledWithUsage[]> {
  const [isPrefix, text] = [path.endsWith('*'), path.replace(/\*$/, '')];
  return db<BilledWithUsage[]>`
    SELECT company_id AS "companyId", period, start_at AS "startAt", end_at AS "endAt",
           (SELECT max(cutoff) FROM billed_periods AS last WHERE last.company_id = billed.company_id) AS cutoff
    FROM billed_periods AS billed
    WHERE currency = ${currency} AND invoice_id IS NOT NULL
      ${companyId === null ? db`` : db`AND company_id = ${companyId}`}
      AND ${from.month === null ? db`end_at > ${from.at}` : db`period >= ${from.month}`}
      AND ${to === null ? db`true` : to.month === null ? db`start_at < ${to.at}` : db`period < ${to.month}`}
      AND EXISTS (
        SELECT FROM usage_days
        WHERE usage_days.company_id = billed.company_id AND day < billed.end_at
          AND day >= date_trunc('day', greatest(billed.start_at, ${from.month === null ? from.at : null}::timestamptz), 'UTC')
          AND ${isPrefix ? db`starts_with(path, ${text})` : db`path = ${text}`}
      )
    ORDER BY company_id, period LIMIT ${limit}`;
}

/** Each company's billed periods that end after an instant, oldest first, and always its last one. */
export async function selectPeriodsSince(
  tx: Tx,
  companyIds: readonly string[],
  since: Date,
): Promise<PeriodOfCompany[]> {
  return tx<PeriodOfCompany[]>`
    SELECT given.company_id AS "companyId", period, start_at AS "startAt", end_at AS "endAt"
    FROM unnest(string_to_array(${companyIds.join()}, ',')::uuid[]) AS given (company_id)
    CROSS JOIN LATERAL (
      SELECT period, start_at, end_at FROM billed_periods
      WHERE company_id = given.company_id AND start_at >= coalesce(
        -- Where the first of them begins; the last one of all when none ends after the instant.
        (SELECT start_at FROM billed_periods WHERE company_id = given.company_id AND start_at <= ${since} ORDER BY start_at DESC LIMIT 1),
        '-infinity'
      )
    ) AS billed
    ORDER BY given.company_id, start_at`;
}
