import { registerHooks } from 'node:module';
import type Postgres from 'postgres';
import { GROUPS, TRANSACTIONS } from './driver.pipeline.ts';
import { ADDITIONS, REPAIRS, type Repair } from './driver.repairs.ts';
import type { Session } from './session.ts';

/** By file of postgres.js. */
const REPAIRED: Readonly<Record<string, readonly Repair[]>> = {
  'connection.js': [...REPAIRS, ...ADDITIONS, ...GROUPS],
  'index.js': TRANSACTIONS,
};

/** postgres.js with our repairs. All access to PostgreSQL imports it from here. */
export const postgres: typeof Postgres = await importRepaired();

/** A pool whose connections are verified before use. Its options are those of postgres.js. */
export function openPool(options: object, session: Session): Postgres.Sql {
  const pool = postgres(options);
  // The driver drops unknown options, but reads this one for each connection.
  return Object.assign(pool, { options: Object.assign(pool.options, { session }) });
}

async function importRepaired(): Promise<typeof Postgres> {
  const marks = globalThis as { paydeskRepairedPostgres?: boolean };
  const hooks = registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const [, file = ''] = url.split('/node_modules/postgres/src/');
      const repairs = REPAIRED[file];
      if (repairs === undefined) return loaded;
      marks.paydeskRepairedPostgres = true;
      return { ...loaded, source: repair(String(loaded.source), repairs) };
    },
  });
  const { default: imported } = await import('postgres');
  hooks.deregister();
  if (!marks.paydeskRepairedPostgres)
    throw new Error('postgres.js was imported from elsewhere before it could be repaired.');
  return imported;
}

function repair(source: string, repairs: readonly Repair[]): string {
  return repairs.reduce((repaired, { flaw, text, repaired: replacement }) => {
    const parts = repaired.split(text);
    if (parts.length !== 2) throw new Error(`postgres.js has changed; see whether it is mended: ${flaw}.`);
    return parts.join(replacement);
  }, source);
}
