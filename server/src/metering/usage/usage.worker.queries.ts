import type { Db } from '../../platform/database/database.ts';
import type { Retention } from '../../platform/feature/feature.ts';

/**
 * Removes single events that are older than they are kept, and what repeats of them are known by, up to a limit.
 * @returns how many there were
 */
export async function removeOldUsage(db: Db, limit: number, { usageRetentionYears }: Retention): Promise<number> {
  const [row] = await db<
    [{ removed: number }]
  >`SELECT remove_old_usage(${usageRetentionYears}::integer, ${limit}::integer) AS removed`;
  return row.removed;
}
