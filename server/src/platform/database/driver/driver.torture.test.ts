import { expect, inject, it } from 'vitest';
import { cloneDatabase } from '../../../../test/harness/database/database.ts';
import { openTorturePools } from '../../../../test/trials/torture.pools.ts';
import { prepareTorture, torture } from '../../../../test/trials/torture.ts';

const STATEMENTS = 5_000;

// Security (A database that is away, or slow): No statement gets another statement's answer, whatever fails, times out or is killed beside
// it (`npm run torture` runs a million statements)
it('no answer is another statement’s, whatever fails, is canceled, times out or is killed beside it', async () => {
  const { owner, name, drop } = await cloneDatabase();
  const { host, port, application } = inject('databaseServer');
  await prepareTorture(owner);
  const pools = openTorturePools({ host, port, ...application, database: name });
  const report = await torture({ pools, owner }, { statements: STATEMENTS, seed: 4 });
  await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
  await drop();
  expect(report.mixedUp).toEqual([]);
  expect(report.kills).toBeGreaterThan(5);
  expect(report.right).toBeGreaterThan(STATEMENTS * 0.9);
});
