/**
 * A database that goes back in time, as after the restore of a backup or a failover that loses the last transactions.
 */
import type { Db } from '../../src/platform/database/database.ts';

export type Backup = {
  /** Restores the tables while the service runs, as a failover does; or before it starts, as a restore does. */
  restore: () => Promise<void>;
};

/** Saves the content of every table. It replaces an earlier backup of the same database. */
export async function backUp(owner: Db): Promise<Backup> {
  const tables = await owner<{ name: string; columns: string }[]>`
    SELECT quote_ident(relname) AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    GROUP BY relname`;
  await owner.begin('ISOLATION LEVEL REPEATABLE READ', async (tx) => {
    await tx
      .unsafe('SET LOCAL client_min_messages = warning; DROP SCHEMA IF EXISTS backup CASCADE; CREATE SCHEMA backup')
      .simple();
    for (const { name } of tables) await tx.unsafe(`CREATE TABLE backup.${name} AS TABLE public.${name}`);
  });
  const names = tables.map(({ name }) => `public.${name}`).join(', ');
  return {
    restore: () =>
      owner.begin(async (tx) => {
        // Turns triggers and foreign keys off, so that the rows are restored unchanged.
        await tx.unsafe(`SET LOCAL session_replication_role = replica; TRUNCATE ${names}`).simple();
        for (const { name, columns } of tables) {
          await tx.unsafe(
            `INSERT INTO public.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM backup.${name}`,
          );
        }
      }),
  };
}
