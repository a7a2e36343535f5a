import type { Tx } from '../database/database.ts';
import type { JobTable } from './job-table.ts';

/**
 * Makes the jobs due that dead processes had claimed. A process that was only suspended finds that its claim is gone. @returns how many
 * there were
 */
export async function releaseJobs(
  tx: Tx,
  { table, key, isClaimed, release }: JobTable,
  processIds: readonly string[],
): Promise<number> {
  const keys = tx.unsafe(key.join(', '));
  const released = await tx`
    WITH left_behind AS (
      SELECT ${keys} FROM ${tx(table)}
      WHERE ${tx.unsafe(isClaimed)} AND process_id = ANY(string_to_array(${processIds.join()}, ',')::uuid[])
      FOR UPDATE SKIP LOCKED
    )
    UPDATE ${tx(table)} SET ${tx.unsafe(release)} WHERE (${keys}) IN (SELECT ${keys} FROM left_behind)`;
  return released.count;
}
