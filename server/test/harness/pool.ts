import type { Db } from '../../src/platform/database/database.ts';
import type { TestDatabase } from './database/database.ts';
import { eventually } from './process.ts';

/** A number that the service uses for no lock of its own. */
const GATE = 4_711;

/** Occupies this many connections of the service's pool, each in a transaction that waits. Returns the function that releases them. */
export async function occupyConnections(database: TestDatabase, count: number): Promise<() => Promise<void>> {
  const { db, owner } = database;
  await owner`SELECT pg_advisory_lock(${GATE})`;
  const occupied = Array.from({ length: count }, () => db.begin(waitAtGate));
  await eventually(async () => (await waitingAtGate(owner)) === count);
  return async () => {
    await owner`SELECT pg_advisory_unlock(${GATE})`;
    await Promise.all(occupied);
  };
}

async function waitAtGate(tx: Parameters<Parameters<Db['begin']>[1]>[0]): Promise<void> {
  await tx`SELECT set_config(name, '0', true) FROM pg_settings
           WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')`;
  await tx`SELECT pg_advisory_xact_lock_shared(${GATE})`;
}

async function waitingAtGate(owner: Db): Promise<number> {
  const rows = await owner`
    SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return rows.length;
}
