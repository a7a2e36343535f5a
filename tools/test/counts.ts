import { readFileSync } from 'node:fs';

/** The part of Vitest's JSON report that is read here: the files and, in each, the tests. */
export type TestReport = { testResults: { status: string; assertionResults: { status: string }[] }[] };

/** Reads the report; null when Vitest ended before it wrote one. */
export function readReport(path: string): TestReport | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestReport;
  } catch {
    return null;
  }
}

/**
 * Counts tests. A file that could not be loaded counts as one failed test, and so does any failure outside of a test. So does a test that
 * did not run, in whatever way it was left out, unless the tests to run were chosen.
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
