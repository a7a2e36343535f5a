import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countTests } from './test/counts.ts';

/** Replaces each program: records how it was called, prints its name, and fails if FAILING names it. */
const PROGRAM = `#!/usr/bin/env node
const { appendFileSync, writeFileSync } = require('node:fs');
const { basename } = require('node:path');
const name = basename(process.argv[1]);
const parameters = process.argv.slice(2);
appendFileSync('calls.log', [name, ...parameters.filter((text) => !text.startsWith('--outputFile'))].join(' ') + '\\n');
console.log('this is ' + name + ' ' + parameters[0]);
const report = parameters.find((text) => text.startsWith('--outputFile.json='));
if (report && process.env.REPORT) writeFileSync(report.split('=')[1], process.env.REPORT);
process.exit((process.env.FAILING ?? '').split(',').includes(name) ? 3 : 0);
`;

const PASSING = { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'passed' }] };
const REPORT = JSON.stringify({ testResults: [PASSING, PASSING] });
const VITEST_CALL = 'vitest run --reporter=default --reporter=json';
const BROWSER_CALL = 'vitest run --config dashboard/vitest.config.ts --reporter=default --reporter=json';
const TYPES_CALL = 'tsc --noEmit --checkers 1';
const STATIC_CALLS = ['biome ci', 'check.ts', 'knip --no-progress', TYPES_CALL, `${TYPES_CALL} --project dashboard`];

let root = '';

function run(environment: Record<string, string>, ...parameters: string[]) {
  const env = { PATH: process.env.PATH, ...environment };
  const { stdout, status } = spawnSync(process.execPath, [join(root, 'tools/test.ts'), ...parameters], {
    env,
    encoding: 'utf8',
  });
  const lines = stdout.trimEnd().split('\n');
  const calls = readFileSync(join(root, 'calls.log'), 'utf8').trimEnd().split('\n');
  return { status, stdout, lastLine: lines.at(-1), calls };
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'paydesk-steps-'));
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  cpSync(join(import.meta.dirname, 'test.ts'), join(root, 'tools/test.ts'));
  cpSync(join(import.meta.dirname, 'test'), join(root, 'tools/test'), { recursive: true });
  for (const name of ['biome', 'knip', 'tsc', 'vitest']) {
    writeFileSync(join(root, 'node_modules/.bin', name), PROGRAM);
    chmodSync(join(root, 'node_modules/.bin', name), 0o755);
  }
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  writeFileSync(join(root, 'tools/check.ts'), PROGRAM.replace(/^.*\n/, ''));
});

afterEach(() => rmSync(root, { recursive: true }));

describe('npm test', () => {
  it('runs every step, reports each in order, the browser tests last, and ends with the counts', () => {
    const { status, stdout, lastLine, calls } = run({ REPORT });
    expect(calls.slice(0, 5).sort()).toEqual(STATIC_CALLS);
    expect(calls.slice(5)).toEqual([VITEST_CALL, BROWSER_CALL]);
    expect(stdout.match(/passed {2}(\w+) +\d+\.\d s/g)?.map((line) => line.split(/ +/)[1])).toEqual([
      'lint',
      'unused',
      'types',
      'pages',
      'style',
      'tests',
      'browser',
    ]);
    expect(stdout).not.toContain('this is tsc');
    expect(lastLine).toBe('8 passed, 0 failed');
    expect(status).toBe(0);
  });

  it('shows what a failed step printed, still runs the others, and counts it', () => {
    const { status, stdout, lastLine, calls } = run({ REPORT, FAILING: 'tsc,check.ts' });
    expect(calls).toHaveLength(7);
    expect(stdout).toMatch(
      /passed {2}lint.*\npassed {2}unused.*\nFAILED {2}types.*\nthis is tsc --noEmit\nFAILED {2}pages.*\n.*\nFAILED {2}style/,
    );
    expect(lastLine).toBe('8 passed, 3 failed');
    expect(status).toBe(1);
  });

  it('fails if a program is missing', () => {
    rmSync(join(root, 'node_modules/.bin/biome'));
    expect(run({ REPORT })).toMatchObject({ status: 1, lastLine: '8 passed, 1 failed' });
  });

  it('runs only the tests if arguments are passed', () => {
    const { lastLine, calls } = run({ REPORT }, 'cards', '-t', 'replaces');
    expect(calls).toEqual([`${VITEST_CALL} cards -t replaces`]);
    expect(lastLine).toBe('4 passed, 0 failed');
  });

  it('runs only the browser tests if they are asked for', () => {
    const { lastLine, calls } = run({ REPORT }, '--browser', 'login');
    expect(calls).toEqual([`${BROWSER_CALL} login`]);
    expect(lastLine).toBe('4 passed, 0 failed');
    expect(run({ REPORT }, '--browser').calls.slice(1)).toEqual([BROWSER_CALL]);
  });

  it('counts a failure if Vitest ends without a report', () => {
    expect(run({ FAILING: 'vitest' })).toMatchObject({ status: 1, lastLine: '0 passed, 2 failed' });
  });
});

describe('countTests', () => {
  const failing = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] };
  const unloaded = { status: 'failed', assertionResults: [] };

  it('adds the files that could not be loaded to the failed tests', () => {
    expect(countTests({ testResults: [PASSING, failing, unloaded] }, 1, { isChoice: false })).toEqual({
      passed: 3,
      failed: 2,
    });
  });

  it('counts one failure if Vitest fails outside of any test', () => {
    expect(countTests({ testResults: [PASSING] }, 1, { isChoice: false })).toEqual({ passed: 2, failed: 1 });
  });

  it('counts omitted tests as failed, unless the tests were selected', () => {
    const leftOut = {
      status: 'passed',
      assertionResults: [{ status: 'passed' }, { status: 'skipped' }, { status: 'todo' }],
    };
    expect(countTests({ testResults: [leftOut] }, 0, { isChoice: false })).toEqual({ passed: 1, failed: 2 });
    expect(countTests({ testResults: [leftOut] }, 0, { isChoice: true })).toEqual({ passed: 1, failed: 0 });
  });
});
