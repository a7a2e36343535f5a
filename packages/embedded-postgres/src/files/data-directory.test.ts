import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import {
  endAll,
  makeTemporaryDirectory,
  modeOf,
  removeTemporaryDirectories,
  runProcess,
} from '../embedded-postgres.test-support.ts';
import { lockDataDirectory } from './data-directory.ts';

const lockingProgram = `
  try {
    await lockDataDirectory(dataDirectory, []);
    console.log('locked');
  } catch (error) {
    process.exit(1);
  }`;

afterEach(async () => {
  await endAll();
  await removeTemporaryDirectories();
});

it('a second process on the data directory is refused until the first one is killed', async () => {
  const dataDirectory = join(await makeTemporaryDirectory(), 'data');
  const first = runProcess(lockingProgram, dataDirectory);
  await first.said(/locked/);

  await expect(lockDataDirectory(dataDirectory, [])).rejects.toMatchObject({
    code: 'in_use',
    message: `Another process (pid ${first.pid}) already uses the data directory ${dataDirectory}.`,
  });

  first.child.kill('SIGKILL');
  await first.ended;
  const { release } = await lockDataDirectory(dataDirectory, []);
  await release();
});

it('a refused attempt in the same process leaves the lock unchanged, for every process', async () => {
  const dataDirectory = await makeTemporaryDirectory();
  const { release } = await lockDataDirectory(dataDirectory, []);
  await expect(lockDataDirectory(dataDirectory, [])).rejects.toThrow(`(pid ${process.pid})`);

  const other = runProcess(lockingProgram, dataDirectory);
  expect(await other.ended).toBe(1);
  await release();
  await release();
  const next = runProcess(lockingProgram, dataDirectory);
  await next.said(/locked/);
});

it('only the owner can use the data directory and the files of the lock', async () => {
  const parent = await makeTemporaryDirectory();
  const open = join(parent, 'open');
  await mkdir(open, { mode: 0o777 });
  for (const dataDirectory of [join(parent, 'new', 'data'), open]) {
    const { release } = await lockDataDirectory(dataDirectory, []);
    expect((await modeOf(dataDirectory)).replace('710', '700')).toBe('700');
    for (const name of await readdir(dataDirectory))
      expect([name, await modeOf(join(dataDirectory, name))]).toEqual([name, '600']);
    await release();
  }
});
