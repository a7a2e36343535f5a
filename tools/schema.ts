/**
 * `npm run schema` lists new migrations in server/migrations/SHA256SUMS, and writes server/schema.sql: the result of all migrations, read
 * from PostgreSQL's catalog. It is for readers and reviews; only the migrations are executed. A test compares the two.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../server/src/platform/data-directory.ts';
import { migrate } from '../server/src/platform/database/migrate.ts';
import { connectAsOwner } from '../server/src/platform/database/pool.ts';
import { appendChecksums, CHECKSUMS_PATH, readChecksums } from './schema/checksums.ts';
import { describeSchema } from './schema/describe.ts';

const root = new URL('../', import.meta.url);
await listMigrations();

const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-schema-'));
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const server = await startEmbeddedPostgres({ dataDirectory, log: silent });
const { user: username, ...address } = server.connection;
const owner = connectAsOwner({ ...address, username });
try {
  await migrate(owner);
  const path = fileURLToPath(new URL('server/schema.sql', root));
  await writeFile(path, await describeSchema(owner));
  console.log(`wrote ${path}`);
} finally {
  await owner.end();
  await server.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}

async function listMigrations(): Promise<void> {
  const path = new URL(CHECKSUMS_PATH, root);
  const names = (await readdir(new URL('.', path))).filter((name) => name.endsWith('.sql'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, path), 'utf8')));
  const migrations = new Map(names.map((name, index) => [name, texts[index] ?? '']));
  await writeFile(path, appendChecksums(readChecksums(await readFile(path, 'utf8')), migrations));
}
