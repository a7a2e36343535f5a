/**
 * Checks the source tree against the project's rules: `node tools/check.ts`, or `node tools/check.ts
 * server/src/methods` for the findings of some folders only. The rules are in check/rules.ts, the exceptions in
 * check/exceptions.ts.
 */
import { join } from 'node:path';
import { check, formatFinding } from './check/engine.ts';
import { EXCEPTIONS } from './check/exceptions.ts';
import { readTree } from './check/files.ts';
import { isWithin } from './check/folders.ts';
import { RULES } from './check/rules.ts';

const startedAt = performance.now();
const asked = process.argv.slice(2);
const files = readTree(join(import.meta.dirname, '..'));
const findings = check(files, RULES, EXCEPTIONS).filter(
  ({ path }) => asked.length === 0 || asked.some((folder) => isWithin(path, folder)),
);

for (const finding of findings) console.log(formatFinding(finding));
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`${files.length} files, ${RULES.length} rules, ${findings.length} findings in ${seconds} s`);
process.exitCode = findings.length === 0 ? 0 : 1;
