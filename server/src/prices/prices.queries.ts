import type { Queryable } from '../database/database.ts';
import type { CreatePriceBody } from './prices.schema.ts';

/** The amounts of a model as the operator wrote them, and its bounds. */
export type StoredRates = Pick<CreatePriceBody, 'unitAmount' | 'packageAmount' | 'packageSize' | 'tiers'>;

/** The scope of general prices. */
const GENERAL = '00000000-0000-0000-0000-000000000000';

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
  effectiveTo: Date | null;
};

/**
 * The general prices in a currency and the companies' overrides, each version that is in force at some time in [from, to).
 * `effectiveTo` is where the next version begins or the version's own end, whichever comes first.
 */
export async function selectPricesInForce(
  db: Queryable,
  companyIds: readonly string[],
  currency: string,
  { from, to }: { from: Date; to: Date },
): Promise<PriceRow[]> {
  return db<PriceRow[]>`
    SELECT id, company_id AS "companyId", path, title, currency, model, rates, free_requests AS "freeRequests", pooled,
           effective_from AS "effectiveFrom", ends_at AS "effectiveTo"
    FROM (
      SELECT *, least(effective_to, lead(effective_from) OVER (PARTITION BY scope, path ORDER BY effective_from)) AS ends_at
      FROM prices
      WHERE scope = ANY(string_to_array(${[GENERAL, ...companyIds].join()}, ',')::uuid[]) AND currency = ${currency}
    ) AS versions
    WHERE effective_from < ${to} AND (ends_at IS NULL OR ends_at > ${from})`;
}
