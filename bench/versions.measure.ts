import type { Db } from '../server/src/platform/database/database.ts';
import { processorSeconds } from './processes.ts';
import type { Version } from './versions.start.ts';

/** What a unit of work costs: processor time of the service and of its connections' processes of PostgreSQL, statements, and WAL. */
export type Cost = { serviceMs: number; postgresMs: number; statements: number; walKb: number };

/** Counted from the start of the processes on. `backends`: seconds by process id. */
type Reading = { service: number; backends: Map<number, number>; statements: number; walBytes: number };

/** @param work returns how many units it did */
export async function measure(administrator: Db, version: Version, work: () => Promise<number>): Promise<Cost> {
  const before = await read(administrator, version);
  const units = await work();
  const after = await read(administrator, version);
  let postgres = 0;
  for (const [id, seconds] of after.backends) postgres += seconds - (before.backends.get(id) ?? 0);
  return {
    serviceMs: (1_000 * (after.service - before.service)) / units,
    postgresMs: (1_000 * postgres) / units,
    statements: (after.statements - before.statements) / units,
    walKb: (after.walBytes - before.walBytes) / 1_024 / units,
  };
}

/** The connection of the bench itself is left out. */
async function read(administrator: Db, { database, owner, serviceProcessId }: Version): Promise<Reading> {
  const [own] = await owner<[{ id: number }]>`SELECT pg_backend_pid() AS id`;
  const backends = await administrator<{ id: number }[]>`
    SELECT pid AS id FROM pg_stat_activity WHERE datname = ${database} AND pid <> ${own.id}`;
  const [row] = await administrator<[{ statements: number; walBytes: number }]>`
    SELECT (SELECT coalesce(sum(calls), 0)::float8 FROM pg_stat_statements
            WHERE dbid = (SELECT oid FROM pg_database WHERE datname = ${database})) AS statements,
           (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes"`;
  const seconds = await Promise.all(backends.map(({ id }) => processorSeconds(id).catch(() => 0)));
  return {
    service: await processorSeconds(serviceProcessId),
    backends: new Map(backends.map(({ id }, index) => [id, seconds[index] ?? 0])),
    statements: row.statements,
    walBytes: row.walBytes,
  };
}
