import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Db } from '../../../src/platform/database/database.ts';
import { connectAsOwner } from '../../../src/platform/database/pool.ts';

export type EmptyDatabase = { name: string; url: string; owner: Db; drop: () => Promise<void> };

/** Creates a database without migrations on the server of the run. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const { host, port, owner: login } = inject('databaseServer');
  const name = `paydesk_empty_${randomBytes(8).toString('hex')}`;
  const maintenance = connectAsOwner({ host, port, ...login, database: 'postgres' });
  await maintenance.unsafe(`CREATE DATABASE ${name} STRATEGY FILE_COPY`);
  const owner = connectAsOwner({ host, port, ...login, database: name });
  const { username, password } = login;
  return {
    name,
    owner,
    url: `postgres://${username}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${name}`,
    drop: async () => {
      await owner.end({ timeout: 1 });
      await maintenance.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
      await maintenance.end();
    },
  };
}
