import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export type SourceFile = { path: string; text: string };

/** The text files under `root` that .gitignore does not name. Paths are relative to it, with slashes. */
export function readTree(root: string): SourceFile[] {
  const patterns = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean).map(toPattern);
  const ignored = new RegExp(['^\\.git$', ...patterns].join('|'));
  return walk(root, '', ignored).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text: text.includes('\0') ? '' : text };
  });
}

function walk(root: string, folder: string, ignored: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (ignored.test(path)) return [];
    if (entry.isDirectory()) return walk(root, path, ignored);
    return entry.isFile() ? [path] : [];
  });
}

/** A pattern with a slash before its end begins at the root; any other holds in every folder. */
function toPattern(line: string): string {
  const path = line.replace(/\/$/, '');
  const pattern = path.replace(/^\//, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  return path.includes('/') ? `^${pattern}$` : `(^|/)${pattern}$`;
}
