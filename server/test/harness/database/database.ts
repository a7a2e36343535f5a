import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Db } from '../../../src/platform/database/database.ts';
import { checkServer } from '../../../src/platform/database/migrate.ts';
import { connect, connectAsOwner } from '../../../src/platform/database/pool.ts';
import { TEMPLATE_DATABASE } from './global-setup.ts';

export type TestDatabase = {
  name: string;
  /** Connected as the service connects. */
  db: Db;
  /** Connected as the service connects for its metrics. */
  metricsDb: Db;
  /** Connected as the owner, to read and change what the API does not show. */
  owner: Db;
  /** For separate processes: a URL that logs in as the owner, for `DATABASE_URL`. */
  url: string;
  drop: () => Promise<void>;
};

/**
 * Smaller than in production: each connection plans each statement anew, and with many connections the tests would
 * spend most of their time on that.
 */
const POOL_SIZE = 5;

/**
 * Many tests share few processors, so the service waits longer for a connection. A test that expects a 503 for lack of one must set its own
 * patience.
 */
const TIMEOUT_FACTOR = 10;

/** Clones a database from the migrated template. */
export async function cloneDatabase({
  poolSize = POOL_SIZE,
  timeoutFactor = TIMEOUT_FACTOR,
}: {
  poolSize?: number | undefined;
  /** 1 gives the service its usual limits on waiting. */
  timeoutFactor?: number | undefined;
} = {}): Promise<TestDatabase> {
  const { host, port, owner: ownerLogin, application } = inject('databaseServer');
  const name = `paydesk_${randomBytes(8).toString('hex')}`;
  const maintenance = connectAsOwner({ host, port, ...ownerLogin, database: 'postgres' });
  await maintenance.unsafe(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`);
  const owner = connectAsOwner({ host, port, ...ownerLogin, database: name });
  const target = { host, port, ...application, database: name };
  const serverVersion = await checkServer(owner);
  const db = connect({ target, poolSize, serverVersion, timeoutFactor });
  const metricsDb = connect({ target, poolSize: 1, serverVersion, timeoutFactor });
  const { username, password } = ownerLogin;
  return {
    name,
    db,
    metricsDb,
    owner,
    url: `postgres://${username}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${name}`,
    drop: async () => {
      await Promise.all([db.end({ timeout: 1 }), metricsDb.end({ timeout: 1 }), owner.end({ timeout: 1 })]);
      await maintenance.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
      await maintenance.end();
    },
  };
}
