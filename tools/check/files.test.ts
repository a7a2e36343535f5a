import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTree } from './files.ts';

const FILES = {
  '.gitignore': 'node_modules/\n*.log\n/data/\n',
  '.ci/run': 'kept',
  '.git/config': 'ignored',
  'deep/one.ts': 'const one = 1;\n',
  'deep/a.log': 'ignored',
  'node_modules/package/index.js': 'ignored',
  'deep/node_modules/package/index.js': 'ignored',
  'data/rows': 'ignored',
  'deep/data/kept.txt': 'kept',
  'picture.png': 'a\0b',
};

describe('readTree', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'paydesk-files-'));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    symlinkSync('deep', join(root, 'link'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('reads what .gitignore does not name, hidden files too, and no binary text', () => {
    const files = readTree(root);
    expect(files.map(({ path }) => path).sort()).toEqual([
      '.ci/run',
      '.gitignore',
      'deep/data/kept.txt',
      'deep/one.ts',
      'picture.png',
    ]);
    expect(files.find(({ path }) => path === 'deep/one.ts')?.text).toBe('const one = 1;\n');
    expect(files.find(({ path }) => path === 'picture.png')?.text).toBe('');
  });
});
