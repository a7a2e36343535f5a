/**
 * A database that goes back in time, as after the restore of a backup or a failover that loses the last transactions.
 */
import type { Db, Tx } from '../../src/platform/database/database.ts';

export type Backup = {
  /** Restores the tables while the service runs, as a failover does; or before it starts, as a restore does. */
  restore: () => Promise<void>;
};

type Table = { name: string; columns: string };

/** Saves the content of every table. It replaces an earlier backup of the same database. */
export async function backUp(owner: Db): Promise<Backup> {
  const tables = await owner<Table[]>`
    SELECT quote_ident(relname) AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    GROUP BY relname`;
  const saved = await owner.begin('ISOLATION LEVEL REPEATABLE READ', async (tx) => {
    const filled = await selectFilled(tx, tables);
    const copies = filled.map(({ name }) => `CREATE UNLOGGED TABLE backup.${name} AS TABLE public.${name}`);
    const begin = 'SET LOCAL client_min_messages = warning; DROP SCHEMA IF EXISTS backup CASCADE; CREATE SCHEMA backup';
    await tx.unsafe([begin, ...copies].join(';')).simple();
    return filled;
  });
  return { restore: () => owner.begin((tx) => restore(tx, tables, saved)) };
}

/** Nobody else writes meanwhile. Triggers and foreign keys are off, so that the rows are restored unchanged. */
async function restore(tx: Tx, tables: readonly Table[], saved: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => `public.${name}`).join(', ');
  await tx
    .unsafe(`SET LOCAL session_replication_role = replica; LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`)
    .simple();
  // Few tables have rows, and few of each: to truncate all takes longer than to delete those.
  const statements = (await selectFilled(tx, tables)).map(({ name }) => `DELETE FROM public.${name}`);
  for (const { name, columns } of saved) {
    statements.push(
      `INSERT INTO public.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM backup.${name}`,
    );
  }
  await tx.unsafe(statements.join(';')).simple();
}

/** Those of the tables that have rows. */
async function selectFilled(tx: Tx, tables: readonly Table[]): Promise<Table[]> {
  const parts = tables.map(({ name }, index) => `SELECT ${index} AS index WHERE EXISTS (SELECT FROM public.${name})`);
  const rows = await tx.unsafe<{ index: number }[]>(parts.join(' UNION ALL '));
  const filled = new Set(rows.map(({ index }) => index));
  return tables.filter((_, index) => filled.has(index));
}
