import { type ConnectOptions, connect, type Db } from '../../src/platform/database/database.ts';
import { postgres } from '../../src/platform/database/driver/driver.ts';

type Place = Exclude<ConnectOptions['target'], string>;

/** The pool as the service has it, and one as the driver has it by default, on which a hundred statements wait for each other. */
export function openTorturePools(target: Place): [Db, Db] {
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
