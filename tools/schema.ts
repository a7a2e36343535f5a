/**
 * `npm run schema` writes server/schema.sql: what all migrations together make, read back from PostgreSQL's own catalog. It is for
 * readers and reviews; the migrations alone are run. A test compares the two.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectAsOwner } from '../server/src/database/database.ts';
import { startEmbeddedPostgres } from '../server/src/database/embedded/embedded.ts';
import { migrate } from '../server/src/database/migrate.ts';
import { describeSchema } from './schema/describe.ts';

const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-schema-'));
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const server = await startEmbeddedPostgres({ dataDirectory, log: silent });
const { user: username, ...place } = server.connection;
const owner = connectAsOwner({ ...place, username });
try {
  await migrate(owner);
  const path = fileURLToPath(new URL('../server/schema.sql', import.meta.url));
  await writeFile(path, await describeSchema(owner));
  console.log(`wrote ${path}`);
} finally {
  await owner.end();
  await server.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
