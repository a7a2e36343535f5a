import type { Queryable } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { CreatePriceBody } from './prices.schema.ts';

/** A model's amounts as the operator wrote them, and its bounds. */
export type StoredRates = Pick<CreatePriceBody, 'unitAmount' | 'packageAmount' | 'packageSize' | 'tiers'>;

export type PriceRow = {
  id: string;
  companyId: string | null;
  path: string;
  title: string;
  currency: string;
  model: CreatePriceBody['model'];
  rates: StoredRates;
  freeRequests: string;
  pooled: boolean;
  effectiveFrom: Date;
  fromMonth: string | null;
  /** Its own end. */
  effectiveTo: Date | null;
  toMonth: string | null;
  /** Where the next version begins. */
  nextFrom: Date | null;
  nextMonth: string | null;
};

/**
 * The general prices in a currency and the companies' overrides: each version that may be in force at some time in
 * [from, to). Versions that begin or end with a month are included with a margin of 36 hours, more than any time zone
 * differs from UTC.
 */
export async function selectPricesInForce(
  db: Queryable,
  companyIds: readonly string[],
  currency: string,
  { from, to }: { from: Date; to: Date },
): Promise<PriceRow[]> {
  return db<PriceRow[]>`
    SELECT id, company_id AS "companyId", path, title, currency, model, rates, free_requests AS "freeRequests", pooled,
           effective_from AS "effectiveFrom", from_month AS "fromMonth", effective_to AS "effectiveTo", to_month AS "toMonth",
           next_from AS "nextFrom", next_month AS "nextMonth"
    FROM (
      SELECT *, lead(effective_from) OVER versions AS next_from, lead(from_month) OVER versions AS next_month
      FROM prices
      WHERE scope = ANY(string_to_array(${[OPERATOR_SCOPE, ...companyIds].join()}, ',')::uuid[]) AND currency = ${currency}
      WINDOW versions AS (PARTITION BY scope, path ORDER BY effective_from)
    ) AS versions
    WHERE effective_from - CASE WHEN from_month IS NULL THEN interval '0' ELSE interval '36 hours' END < ${to}
      AND coalesce(least(
        effective_to + CASE WHEN to_month IS NULL THEN interval '0' ELSE interval '36 hours' END,
        next_from + CASE WHEN next_month IS NULL THEN interval '0' ELSE interval '36 hours' END
      ) > ${from}, true)`;
}
