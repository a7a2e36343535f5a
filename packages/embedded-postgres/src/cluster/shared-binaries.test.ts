import { chmod, mkdir, readlink, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTemporaryDirectory, modeOf, removeTemporaryDirectories } from '../embedded-postgres.test-support.ts';
import { copyReadable, isIntactCopy } from './shared-binaries.ts';

let source: string;
let copy: string;

beforeEach(async () => {
  const parent = await makeTemporaryDirectory();
  source = join(parent, 'source');
  copy = join(parent, 'copy');
  for (const name of ['', 'bin', 'lib']) await mkdir(join(source, name), { mode: 0o700 });
  await writeFile(join(source, 'bin', 'server'), 'program', { mode: 0o700 });
  await writeFile(join(source, 'lib', 'library.so.1'), 'library', { mode: 0o600 });
  await symlink('library.so.1', join(source, 'lib', 'library.so'));
  await copyReadable(source, copy);
});

afterEach(removeTemporaryDirectories);

it('everybody can read and run a copy, only its owner can change it, and it keeps its links', async () => {
  expect(isIntactCopy(source, copy)).toBe(true);
  expect(await modeOf(join(copy, 'bin'))).toBe('755');
  expect(await modeOf(join(copy, 'bin', 'server'))).toBe('755');
  expect(await modeOf(join(copy, 'lib', 'library.so.1'))).toBe('644');
  expect(await readlink(join(copy, 'lib', 'library.so'))).toBe('library.so.1');
});

it.each([
  ['is missing', () => rm(copy, { recursive: true })],
  ['lacks a file', () => unlink(join(copy, 'bin', 'server'))],
  ['has a file cut short', () => writeFile(join(copy, 'bin', 'server'), '')],
  ['has a file too many', () => writeFile(join(copy, 'lib', 'library.so.2'), '')],
  ['lets others write to a file', () => chmod(join(copy, 'bin', 'server'), 0o757)],
  ['lets others write to a directory', () => chmod(join(copy, 'lib'), 0o777)],
  [
    'has a link for a file',
    async () => {
      await unlink(join(copy, 'lib', 'library.so.1'));
      await symlink('/etc/passwd', join(copy, 'lib', 'library.so.1'));
    },
  ],
])('a copy that %s is not used', async (_, spoil) => {
  await spoil();
  expect(isIntactCopy(source, copy)).toBe(false);
});
