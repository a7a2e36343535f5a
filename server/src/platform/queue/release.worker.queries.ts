import type { Tx } from '../database/database.ts';
import type { JobTable } from './job-table.ts';

/**
 * Makes the jobs due that dead processes had claimed. A process that was only suspended finds that its claim is gone. @returns how many
 * there were
 */
export async function releaseJobs(
  tx: Tx,
  { table, key, claim }: JobTable,
  processIds: readonly string[],
): Promise<number> {
  if (claim === null) return 0;
  const keys = tx.unsafe(key.join(', '));
  const released = await tx`
    WITH left_behind AS (
      SELECT ${keys} FROM ${tx(table)}
      WHERE ${tx.unsafe(claim.isClaimed)} AND process_id = ANY(string_to_array(${processIds.join()}, ',')::uuid[])
      FOR UPDATE SKIP LOCKED
    )
    UPDATE ${tx(table)} SET ${tx.unsafe(claim.release)} WHERE (${keys}) IN (SELECT ${keys} FROM left_behind)`;
  return released.count;
}
