/**
 * `npm run torture` sends a million statements of all kinds through the repaired driver, on shared connections that are killed meanwhile.
 * It fails if a statement gets the answer of another one, or none. `--statements` sets the number of statements, `--seed` repeats the
 * choices of an earlier run.
 */
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/data-directory.ts';
import { connectAsOwner } from '../../src/platform/database/pool.ts';
import { ensureApplicationRole, setApplicationPassword } from '../../src/platform/database/roles.worker.queries.ts';
import { openTorturePools } from './torture.pools.ts';
import { prepareTorture, torture } from './torture.ts';

const { values } = parseArgs({
  options: { statements: { type: 'string', default: '1000000' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? randomInt(1_000_000_000));
const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-torture-'));
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const server = await startEmbeddedPostgres({ dataDirectory, log });
try {
  const { user: username, ...address } = server.connection;
  const owner = connectAsOwner({ ...address, username });
  const role = await ensureApplicationRole(owner);
  const password = randomInt(1_000_000_000).toString(36);
  await setApplicationPassword(owner, password);
  await prepareTorture(owner);
  const pools = openTorturePools({ ...address, username: role.name, password });
  const startedAtMs = performance.now();
  const report = await torture({ pools, owner }, { statements: Number(values.statements), seed });
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await Promise.all([...pools, owner].map((pool) => pool.end({ timeout: 5 })));
  console.log(
    JSON.stringify({ seed, seconds: Math.round(seconds), ...report, mixedUp: report.mixedUp.slice(0, 20) }, null, 2),
  );
  console.log(`${report.mixedUp.length} answers were mixed up or missing.`);
  process.exitCode = report.mixedUp.length === 0 ? 0 : 1;
} finally {
  await server.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
