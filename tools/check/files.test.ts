import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTree } from './files.ts';

const FILES = {
  '.gitignore': 'node_modules/\n*.log\n/data/\n',
  'tracked.ts': 'const one = 1;\n',
  'deep/untracked.ts': 'const two = 2;\n',
  'deep/a.log': 'ignored',
  'node_modules/package/index.js': 'ignored',
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

  const expected = ['.gitignore', 'deep/data/kept.txt', 'deep/untracked.ts', 'picture.png', 'tracked.ts'];

  it('reads what git tracks or would track, without what was deleted', () => {
    const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: root, stdio: 'ignore' });
    git('init');
    writeFileSync(join(root, 'deleted.ts'), '');
    git('add', 'tracked.ts', 'deleted.ts');
    rmSync(join(root, 'deleted.ts'));
    const files = readTree(root);
    expect(files.map(({ path }) => path).sort()).toEqual(expected);
    expect(files.find(({ path }) => path === 'tracked.ts')?.text).toBe('const one = 1;\n');
    expect(files.find(({ path }) => path === 'picture.png')?.text).toBe('');
  });

  it('reads what .gitignore does not name when there is no git', () => {
    expect(
      readTree(root)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(expected.filter((path) => path !== 'deep/data/kept.txt'));
  });
});
