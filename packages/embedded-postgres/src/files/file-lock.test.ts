import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  endAll,
  makeTemporaryDirectory,
  removeTemporaryDirectories,
  runProcess,
} from '../embedded-postgres.test-support.ts';
import { acquireFileLock, whileLocked } from './file-lock.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  path = join(directory, 'numbers');
  writeFileSync(path, '', { mode: 0o600 });
});

afterEach(async () => {
  await endAll();
  await removeTemporaryDirectories();
});

/** Appends to the file in a separate process, under the file's lock. */
const appendingProgram = `
  const { readFileSync, writeFileSync } = await import('node:fs');
  console.log('waiting');
  whileLocked(dataDirectory, () => writeFileSync(dataDirectory, readFileSync(dataDirectory, 'utf8') + 'other'));
  console.log('done');`;

it('a second process waits until the first one is done, and only the owner can use the lock', async () => {
  const release = acquireFileLock(`${path}.lock`);
  const other = runProcess(appendingProgram, path);
  await other.said(/waiting/);
  writeFileSync(path, 'first ');
  release?.();
  await other.said(/done/);
  expect(whileLocked(path, () => statSync(path).size)).toBe('first other'.length);
  expect(readdirSync(directory)).toEqual(['numbers', 'numbers.lock']);
  expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
});

it('work that fails releases the lock', () => {
  const fail = () => {
    throw new Error('no room');
  };
  expect(() => whileLocked(path, fail)).toThrow('no room');
  expect(whileLocked(path, () => 'again')).toBe('again');
});

it('a holder that does not want to wait is refused at once while somebody else has the lock', () => {
  const release = acquireFileLock(join(directory, 'lock'));
  expect(acquireFileLock(join(directory, 'lock'))).toBeNull();
  release?.();
  const again = acquireFileLock(join(directory, 'lock'));
  expect(again).not.toBeNull();
  again?.();
});
