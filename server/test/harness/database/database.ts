import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, connectAsOwner, type Db } from '../../../src/platform/database/database.ts';
import { checkServer } from '../../../src/platform/database/migrate.ts';
import { TEMPLATE_DATABASE } from './global-setup.ts';

export type TestDatabase = {
  name: string;
  /** As the service connects. */
  db: Db;
  /** As the service connects for its metrics. */
  metricsDb: Db;
  /** As the owner, to look behind the API. */
  owner: Db;
  /** For processes of their own: a URL that logs in as the owner, as a `DATABASE_URL` would. */
  url: string;
  drop: () => Promise<void>;
};

/** Each connection plans each statement anew: with the many of a real start, tests would mostly plan. */
const POOL_SIZE = 5;

/** Many tests share few processors: a service that answers 503 because it waits for its turn on one has to be asked for. */
const PATIENCE = 10;

/** A database of its own, cloned from the migrated template. */
export async function cloneDatabase({
  poolSize = POOL_SIZE,
  patience = PATIENCE,
}: {
  poolSize?: number | undefined;
  /** 1 for the bounds on waiting that a service has. */
  patience?: number | undefined;
} = {}): Promise<TestDatabase> {
  const { host, port, owner: ownerLogin, application } = inject('databaseServer');
  const name = `paydesk_${randomBytes(8).toString('hex')}`;
  const maintenance = connectAsOwner({ host, port, ...ownerLogin, database: 'postgres' });
  await maintenance.unsafe(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`);
  const owner = connectAsOwner({ host, port, ...ownerLogin, database: name });
  const target = { host, port, ...application, database: name };
  const serverVersion = await checkServer(owner);
  const db = connect({ target, poolSize, serverVersion, patience });
  const metricsDb = connect({ target, poolSize: 1, serverVersion, patience });
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
