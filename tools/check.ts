/** Checks the rules that only this project knows, which are listed in check/rules.ts: `node tools/check.ts`. */
import { join } from 'node:path';
import { readTree } from './check/files.ts';
import { check, RULES } from './check/rules.ts';

const startedAt = performance.now();
const files = readTree(join(import.meta.dirname, '..'));
const findings = check(files);

for (const finding of findings) console.log(finding);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`${files.length} files, ${Object.keys(RULES).length} rules, ${findings.length} findings in ${seconds} s`);
process.exitCode = findings.length === 0 ? 0 : 1;
