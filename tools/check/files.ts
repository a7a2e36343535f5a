import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import type { SourceFile } from './project.ts';

/** The text files under `root` that git tracks or would track. Without git: all that .gitignore does not name. */
export function readTree(root: string): SourceFile[] {
  return listPaths(root).flatMap((path) => {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (!stats?.isFile()) return [];
    const text = readFileSync(join(root, path), 'utf8');
    return [{ path, text: text.includes('\0') ? '' : text }];
  });
}

function listPaths(root: string): string[] {
  try {
    const output = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
    return output.split('\0').filter((path) => path !== '');
  } catch {
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
      .split('\n')
      .map((line) => line.trim().replaceAll(/^\/|\/$/g, ''));
    return walk(root, '', ['.git', ...ignored.filter((pattern) => pattern !== '')]);
  }
}

function walk(root: string, folder: string, ignored: string[]): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (ignored.some((pattern) => matchesGlob(entry.name, pattern) || matchesGlob(path, pattern))) return [];
    return entry.isDirectory() ? walk(root, path, ignored) : [path];
  });
}
