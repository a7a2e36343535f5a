import type { Db } from './database/database.ts';

/** Removes single events of so many years ago, and what repeats of them are known by, up to a limit. @returns how many there were */
export async function removeOldUsage(db: Db, years: number, limit: number): Promise<number> {
  const [row] = await db<
    [{ removed: number }]
  >`SELECT remove_old_usage(${years}::integer, ${limit}::integer) AS removed`;
  return row.removed;
}

/** Removes what is noted of invoices that were settled more than a year ago, up to a limit. @returns how many there were */
export async function removeClosedCollections(db: Db, limit: number): Promise<number> {
  const [row] = await db<[{ removed: number }]>`SELECT remove_closed_collections(${limit}::integer) AS removed`;
  return row.removed;
}

/** Removes alerts that were acknowledged more than two years ago, up to a limit. @returns how many there were */
export async function removeOldAlerts(db: Db, limit: number): Promise<number> {
  const [row] = await db<[{ removed: number }]>`SELECT remove_old_alerts(${limit}::integer) AS removed`;
  return row.removed;
}
