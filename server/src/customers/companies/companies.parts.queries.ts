import type { Queryable } from '../../platform/database/database.ts';

/** What the numbers of the row of `companies` have after the seller's prefix, while each company has a series. */
export function companyPrefix(db: Queryable) {
  return db`coalesce(companies.number_prefix, upper(right(companies.id::text, 12)) || '-')`;
}
