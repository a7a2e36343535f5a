import type { Db } from '../../platform/database/database.ts';
import type { Retention } from '../../platform/feature/feature.ts';

/**
 * Removes up to `limit` single events that are past retention, and the keys that recognize their repeats.
 * @returns how many were removed
 */
export async function removeOldUsage(db: Db, limit: number, { usageRetentionYears }: Retention): Promise<number> {
  const [row] = await db<
    [{ removed: number }]
  >`SELECT remove_old_usage(${usageRetentionYears}::integer, ${limit}::integer) AS removed`;
  return row.removed;
}
