/** `npm run security-tests` writes docs/security-tests.md and docs/asvs.md from the comments above the tests. A test compares them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from './check/files.ts';
import { makeSecurityPages } from './security/pages.ts';

const root = join(import.meta.dirname, '..');
for (const [path, text] of Object.entries(makeSecurityPages(readTree(root)))) {
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}
