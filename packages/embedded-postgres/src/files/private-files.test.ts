import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPrivateFile, writePrivateFile } from './private-files.ts';

let path: string;
beforeEach(() => {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-postgres-files-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  path = join(directory, 'secret');
});

function expectPrivate(text: string): void {
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, '..'))).toEqual(['secret']);
}

describe('createPrivateFile', () => {
  it('creates a file that only its owner can read, and nothing beside it', () => {
    createPrivateFile(path, 'one');
    expectPrivate('one');
  });

  it('leaves an existing file unchanged', () => {
    createPrivateFile(path, 'one');
    createPrivateFile(path, 'two');
    expectPrivate('one');
  });

  it('fails if the directory is missing', () => {
    expect(() => createPrivateFile(join(path, 'deeper'), 'one')).toThrow(/ENOENT/);
    expect(existsSync(path)).toBe(false);
  });
});

describe('writePrivateFile', () => {
  it('replaces the old file with a new one, which is private even if the old one was not', () => {
    writeFileSync(path, 'one', { mode: 0o644 });
    const { ino: inode, uid, gid } = statSync(path);
    writePrivateFile(path, 'two');
    expectPrivate('two');
    expect(statSync(path)).toMatchObject({ uid, gid });
    expect(statSync(path).ino).not.toBe(inode);
  });
});
