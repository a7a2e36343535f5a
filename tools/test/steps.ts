import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** A program of node_modules/.bin with its parameters, run in the root of the repository. */
export type Step = { name: string; command: string; parameters: string[] };
export type StepResult = Step & { code: number; durationMs: number; output: string };

const ROOT = join(import.meta.dirname, '../..');
const PROGRAMS = join(ROOT, 'node_modules/.bin');

/** Runs a step and collects its output. */
export function runQuietly(step: Step): Promise<StepResult> {
  return run(step, 'pipe');
}

/** Runs a step and shows its output at once. */
export function runVisibly(step: Step): Promise<StepResult> {
  return run(step, 'inherit');
}

function run(step: Step, output: 'pipe' | 'inherit'): Promise<StepResult> {
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  const child = spawn(join(PROGRAMS, step.command), step.parameters, {
    cwd: ROOT,
    env: { ...process.env, PATH: `${PROGRAMS}${delimiter}${process.env.PATH ?? ''}` },
    stdio: ['ignore', output, output],
  });
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    const end = (code: number): void => {
      const durationMs = performance.now() - startedAt;
      resolve({ ...step, code, durationMs, output: Buffer.concat(chunks).toString('utf8') });
    };
    child.on('error', (error) => {
      chunks.push(Buffer.from(error.message));
      end(1);
    });
    child.on('close', (code) => end(code ?? 1));
  });
}

/** Writes the step's result, its name and its time as one line. */
export function summarize({ name, code, durationMs }: StepResult): string {
  return `${code === 0 ? 'passed' : 'FAILED'}  ${name.padEnd(6)}  ${(durationMs / 1000).toFixed(1)} s`;
}
