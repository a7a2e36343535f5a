import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Patch } from './mutant.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What the tests of the charge need. */
const PARTS = [
  ...['server', 'packages', 'tools/test'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts'],
];

/**
 * The folder of the copy for the temporary files of its tests. Failed tests may leave some behind, which are deleted
 * with the copy.
 */
export const TEMPORARY = 'temporary';

/**
 * Copies the source tree into a new temporary folder and patches it there. @throws Error if a patch no longer applies
 */
export function copyTree(patches: Patch[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-mutant-'));
  try {
    for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    mkdirSync(join(folder, TEMPORARY));
    // For root, the tests' PostgreSQL runs as another user, who must be able to reach its files.
    for (const path of [folder, join(folder, TEMPORARY)]) chmodSync(path, 0o711);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const patch of patches) {
      const path = join(folder, patch.file);
      writeFileSync(path, applyPatch(patch, readFileSync(path, 'utf8')));
    }
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the patched content. @throws Error unless the patch's text occurs in it exactly once */
export function applyPatch({ file, text, replacement }: Patch, content: string): string {
  const parts = content.split(text);
  if (parts.length !== 2)
    throw new Error(`${file} holds ${parts.length - 1} times what a mutant replaces; mend the mutant:\n${text}`);
  return parts.join(replacement);
}
