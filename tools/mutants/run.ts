import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEMPORARY } from './copy.ts';

/** A mutant that makes tests run into their timeouts is found long before all of them have failed. */
const ENOUGH_FAILURES = 15;

/** The result of the tests. `invariants` are those that the failures name. */
export type Run = {
  passed: number;
  failed: number;
  /** Tests that did not run, because one of their hooks failed or enough other tests had failed. */
  skipped: number;
  seconds: number;
  invariants: string[];
  firstFailure: string | null;
};

type Report = {
  testResults: {
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

/** `all` continues after enough failures. `retry` gives a failed test a second attempt. */
export type RunOptions = { all?: boolean; retry?: boolean };

/** Runs these tests in a copy of the source tree. @throws Error if they can't be run at all */
export async function runTests(
  folder: string,
  tests: readonly string[],
  { all = false, retry = false }: RunOptions = {},
): Promise<Run> {
  const startedMs = performance.now();
  const reportPath = join(folder, 'report.json');
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  // For a test with a second attempt, only the result of the last one is reported, so each broken invariant is named
  // once.
  const settings = [
    '--hookTimeout=180000',
    ...(retry ? [] : ['--retry=0']),
    ...(all ? [] : [`--bail=${ENOUGH_FAILURES}`]),
  ];
  const parameters = ['run', '--reporter=json', `--outputFile=${reportPath}`, ...settings, ...tests];
  const child = spawn(process.execPath, [vitest, ...parameters], {
    cwd: folder,
    env: { ...process.env, TMPDIR: join(folder, TEMPORARY) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  const run = summarize(readReport(reportPath, output));
  if (run.passed + run.failed + run.skipped === 0) throw new Error(`No test ran:\n${output}`);
  return { ...run, seconds: (performance.now() - startedMs) / 1000 };
}

function readReport(path: string, output: string): Report {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    throw new Error(`The tests did not run:\n${output}`);
  }
}

function summarize({ testResults }: Report): Omit<Run, 'seconds'> {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  const unloaded = testResults.filter(({ assertionResults, message }) => assertionResults.length === 0 && message);
  const words = failed.flatMap(({ failureMessages }) => failureMessages).join('\n');
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length + unloaded.length,
    skipped: tests.filter(({ status }) => status !== 'passed' && status !== 'failed').length,
    invariants: [...new Set(words.match(/^I\d{1,2}(?= [a-z])|not a behaviour of the model/gm))].sort(),
    firstFailure: failed[0]?.fullName ?? unloaded[0]?.message ?? null,
  };
}
