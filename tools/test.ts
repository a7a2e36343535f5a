/**
 * `npm test` runs everything that a change must pass, the browser tests last. `npm test -- cards` runs only the tests, and passes what
 * follows the dashes to Vitest; `npm run test:browser` does the same with the browser tests. It ends with one line of counts, in which a
 * failed step counts as a failed test.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTests, readReport } from './test/counts.ts';
import { runQuietly, runVisibly, type Step, summarize } from './test/steps.ts';

const STEPS: Step[] = [
  { name: 'lint', command: 'biome', parameters: ['ci'] },
  { name: 'unused', command: 'knip', parameters: ['--no-progress'] },
  { name: 'types', command: 'tsc', parameters: ['--noEmit', '--checkers', '1'] },
  { name: 'pages', command: 'tsc', parameters: ['--noEmit', '--checkers', '1', '--project', 'dashboard'] },
  { name: 'style', command: 'node', parameters: ['tools/check.ts'] },
];

const SUITES = {
  tests: [],
  browser: ['--config', 'dashboard/vitest.config.ts'],
};

const [first, ...rest] = process.argv.slice(2);
const isBrowserOnly = first === '--browser';
const vitestParameters = isBrowserOnly || first === undefined ? rest : [first, ...rest];
const isEverything = !isBrowserOnly && vitestParameters.length === 0;
const failedSteps = isEverything ? await runSteps(STEPS) : 0;
const suites = isEverything ? (['tests', 'browser'] as const) : ([isBrowserOnly ? 'browser' : 'tests'] as const);
const counts = { passed: 0, failed: failedSteps };
for (const suite of suites) {
  const { passed, failed } = await runTests(suite, vitestParameters);
  counts.passed += passed;
  counts.failed += failed;
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** Runs the steps in parallel and reports each in order. @returns how many failed */
async function runSteps(steps: Step[]): Promise<number> {
  const results = steps.map((step) => runQuietly(step));
  let failedCount = 0;
  for (const pending of results) {
    const result = await pending;
    console.log(summarize(result));
    if (result.code === 0) continue;
    failedCount += 1;
    console.log(result.output.trimEnd());
  }
  return failedCount;
}

async function runTests(name: keyof typeof SUITES, parameters: string[]): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-test-'));
  try {
    const reportPath = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`];
    const step = { name, command: 'vitest', parameters: ['run', ...SUITES[name], ...reporters, ...parameters] };
    const result = await runVisibly(step);
    console.log(summarize(result));
    return countTests(readReport(reportPath), result.code, { isChoice: parameters.length > 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
