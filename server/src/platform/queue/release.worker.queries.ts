import type { Tx } from '../database/database.ts';
import { isLeasedBy } from './leases.parts.queries.ts';

/**
 * Releases the leases of dead workers in a table with the key `id`. A worker that was only suspended finds that its lease is gone. @returns
 * how many there were
 */
export async function releaseLeases(tx: Tx, table: string, processIds: readonly string[]): Promise<number> {
  const released = await tx`
    UPDATE ${tx(table)} SET lease = NULL, leased_until = NULL
    WHERE id IN (SELECT id FROM ${tx(table)} WHERE ${isLeasedBy(tx, processIds)} FOR UPDATE SKIP LOCKED)`;
  return released.count;
}
