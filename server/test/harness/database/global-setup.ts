import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { readDatabaseUrl } from '../../../src/platform/config/database-address.ts';
import { startEmbeddedPostgres } from '../../../src/platform/data-directory.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { APPLICATION_ROLE, connectAsOwner } from '../../../src/platform/database/pool.ts';
import { setApplicationPassword } from '../../../src/platform/database/roles.worker.queries.ts';
import { keepCluster, restoreCluster } from './cluster-cache.ts';
import { openTemporaryFolder } from './temporary-folder.ts';

export type TestDatabaseServer = {
  host: string;
  port: number;
  owner: { username: string; password: string };
  application: { username: string; password: string };
};

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: TestDatabaseServer;
  }
}

/** The superuser with which the tests log in. The application's role is named after it. */
const OWNER = 'paydesk_owner';
export const TEMPLATE_DATABASE = 'paydesk_template';

/** Starts one PostgreSQL server for the run, with a migrated template that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await openTemporaryFolder();
  const url = process.env.TEST_DATABASE_URL;
  const { host, port, owner, stop } = url === undefined ? await startServer(folder) : await useServer(url);
  const application = { username: APPLICATION_ROLE, password: randomBytes(24).toString('base64url') };
  const maintenance = connectAsOwner({ host, port, ...owner, database: 'postgres' });
  await setApplicationPassword(maintenance, application.password);
  await maintenance.end();
  project.provide('databaseServer', { host, port, owner, application });
  return async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
}

type Server = Omit<TestDatabaseServer, 'application'> & { stop: () => Promise<void> };

/** Starts an embedded server that is deleted after the run, on a copy of the cluster that an earlier run made, if there is one. */
async function startServer(folder: string): Promise<Server> {
  const dataDirectory = join(folder, 'database');
  if (!(await restoreCluster(dataDirectory))) {
    const server = await startEmbedded(dataDirectory);
    await makeTemplate(server);
    await server.stop();
    if (server.clusterDirectory.startsWith(dataDirectory)) await keepCluster(dataDirectory);
  }
  return startEmbedded(dataDirectory);
}

async function startEmbedded(dataDirectory: string): Promise<Server & { clusterDirectory: string }> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { connection, clusterDirectory, stop } = await startEmbeddedPostgres({ dataDirectory, log });
  const { host, port, user: username, password } = connection;
  return { host, port, owner: { username, password }, clusterDirectory, stop };
}

/** Uses the server of `TEST_DATABASE_URL`. The tests may change anything in it. */
async function useServer(url: string): Promise<Server> {
  const { hosts, isSocket, username, password } = readDatabaseUrl(url);
  const [{ host, port } = { host: '', port: 0 }] = hosts;
  if (!isSocket || username !== OWNER) {
    throw new Error(`TEST_DATABASE_URL has to be of a Unix socket: postgres://${OWNER}:password@%2Fdirectory:5432`);
  }
  const server = { host, port, owner: { username, password }, stop: async () => undefined };
  await makeTemplate(server);
  return server;
}

async function makeTemplate({ host, port, owner }: Server): Promise<void> {
  const maintenance = connectAsOwner({ host, port, ...owner, database: 'postgres' });
  // Thousands of logins follow, and these passwords protect nothing. PostgreSQL 15 does not have this setting.
  await maintenance.unsafe(`ALTER ROLE ${OWNER} SET scram_iterations = 1`).catch(() => undefined);
  await maintenance.unsafe(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE}`);
  await maintenance.unsafe(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await maintenance.end();
  const template = connectAsOwner({ host, port, ...owner, database: TEMPLATE_DATABASE });
  await migrate(template);
  await template.end();
}
