import type { Tx } from '../database/database.ts';
import { isLeasedBy } from './leases.parts.queries.ts';

/**
 * Leaves what dead workers had of a table with the key `id` to whoever comes next. One that only stood still is told by its lease.
 * @returns how many there were
 */
export async function releaseLeases(tx: Tx, table: string, processIds: readonly string[]): Promise<number> {
  const released = await tx`
    UPDATE ${tx(table)} SET lease = NULL, leased_until = NULL
    WHERE id IN (SELECT id FROM ${tx(table)} WHERE ${isLeasedBy(tx, processIds)} FOR UPDATE SKIP LOCKED)`;
  return released.count;
}
