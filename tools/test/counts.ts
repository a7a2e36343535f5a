import { readFileSync } from 'node:fs';

/** The part of Vitest's JSON report that is needed: the files, and the tests in each. */
export type TestReport = { testResults: { status: string; assertionResults: { status: string }[] }[] };

/** Reads the report; null if Vitest ended without writing one. */
export function readReport(path: string): TestReport | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestReport;
  } catch {
    return null;
  }
}

/**
 * Counts tests. These count as one failed test each: a file that could not be loaded, a failure outside of a test, and a test that did not
 * run for whatever reason, unless the tests to run were selected.
 */
export function countTests(
  report: TestReport | null,
  exitCode: number,
  { isChoice }: { isChoice: boolean },
): { passed: number; failed: number } {
  const files = report?.testResults ?? [];
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const unloaded = files.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some(hasFailed),
  );
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failed = (isChoice ? tests.filter(hasFailed).length : tests.length - passed) + unloaded.length;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

function hasFailed({ status }: { status: string }): boolean {
  return status === 'failed';
}
