import { registerHooks } from 'node:module';
import type Postgres from 'postgres';

/**
 * What postgres.js 3.4.9 does wrong when a connection breaks, and the text that puts it right; `connection.js` alone.
 * Each was seen with a PostgreSQL that was killed under load. To go with the release that mends them.
 */
const REPAIRS: readonly { flaw: string; text: string; repaired: string }[] = [
  {
    flaw: 'writing to a connection that is closed ends the process (porsager/postgres, issues 1154 and 1208)',
    text: '    const x = socket.write(chunk, fn)\n',
    repaired: `    if (!socket) {
      const lost = Errors.connection('CONNECTION_CLOSED', options)
      query && queryError(query, lost)
      query = chunk = nextWriteTimer = null
      while (sent.length)
        queryError(sent.shift(), lost)
      return true
    }
    const x = socket.write(chunk, fn)
`,
  },
  {
    flaw: 'what was not written yet is sent on the next connection, ahead of its login, or keeps it from writing at all',
    text: "    socket.removeListener('connect', connected)\n    idleTimer.cancel()\n",
    repaired:
      "    chunk = nextWriteTimer = null\n    socket.removeListener('connect', connected)\n    idleTimer.cancel()\n",
  },
  {
    flaw: 'a connection that is closed while it logs in is tried again at once and for ever',
    text: '    if (initial)\n      return reconnect()\n',
    repaired: `    if (initial && options.host.length > 1)
      return reconnect()
    if (initial)
      errored(Errors.connection('CONNECTION_CLOSED', options))
`,
  },
  {
    flaw: 'the next connection begins with the rows and the error of the one that broke',
    text: '    closedTime = performance.now()\n',
    repaired: `    query = results = errorResponse = null
    result = new Result()
    rows = 0
    closedTime = performance.now()
`,
  },
  {
    flaw: 'a BEGIN that fills the pipeline of its connection does not reserve it: others then write into that transaction',
    text: `        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))
`,
    repaired: `        && sent.length < max_pipeline
        && !q.options.onexecute
        || (q.options.onexecute && q.options.onexecute(connection))
`,
  },
];

/** postgres.js, repaired. Everything that speaks to PostgreSQL takes it from here. */
export const postgres: typeof Postgres = await importRepaired();

async function importRepaired(): Promise<typeof Postgres> {
  const marks = globalThis as { paydeskRepairedPostgres?: boolean };
  const hooks = registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!url.endsWith('/node_modules/postgres/src/connection.js')) return loaded;
      marks.paydeskRepairedPostgres = true;
      return { ...loaded, source: repair(String(loaded.source)) };
    },
  });
  const { default: imported } = await import('postgres');
  hooks.deregister();
  if (!marks.paydeskRepairedPostgres)
    throw new Error('postgres.js was imported from elsewhere before it could be repaired.');
  return imported;
}

function repair(source: string): string {
  return REPAIRS.reduce((repaired, { flaw, text, repaired: replacement }) => {
    const parts = repaired.split(text);
    if (parts.length !== 2) throw new Error(`postgres.js has changed; see whether it is mended: ${flaw}.`);
    return parts.join(replacement);
  }, source);
}
