import type { Db } from '../../src/platform/database/database.ts';
import { postgres } from '../../src/platform/database/driver/driver.ts';
import { type ConnectOptions, connect } from '../../src/platform/database/pool.ts';

type Address = Exclude<ConnectOptions['target'], string>;

/**
 * Opens a pool as the service configures it, and one with the driver's defaults, which sends up to a hundred statements on a connection
 * before their answers.
 */
export function openTorturePools(target: Address): [Db, Db] {
  const { host, port } = target;
  const deep = postgres({
    ...target,
    path: `${host}/.s.PGSQL.${port}`,
    max: 3,
    fetch_types: false,
    onnotice: () => undefined,
    backoff: () => 0.05,
  });
  return [connect({ target, poolSize: 4, serverVersion: 180_000 }), deep];
}
