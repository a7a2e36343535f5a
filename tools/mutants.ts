/**
 * `npm run mutants` breaks the charge, and what depends on it, in ways that look reasonable, each in a copy of the source tree, and runs
 * the tests there. Every mutant must make them fail with the invariant that it breaks; without a mutant they must pass. `npm run mutants --
 * fresh-key no-guard` runs only these.
 */
import { rmSync } from 'node:fs';
import { copyTree } from './mutants/copy.ts';
import type { Patch } from './mutants/mutant.ts';
import { type Run, type RunOptions, runTests } from './mutants/run.ts';
import { MUTANTS } from './mutants/variants.ts';

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !MUTANTS.some((mutant) => mutant.name === name));
if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}.`);
const chosen = MUTANTS.filter(({ name }) => asked.length === 0 || asked.includes(name));

const sound = await judge([], [...new Set(chosen.flatMap(({ tests }) => tests))], { all: true, retry: true });
const isGreen = sound.failed === 0 && sound.skipped === 0 && sound.passed > 0;
report('the tree as it is', sound, isGreen ? 'green' : 'RED');
if (sound.firstFailure) console.log(`  first: ${sound.firstFailure}`);
let survivors = isGreen ? 0 : 1;
for (const mutant of chosen) {
  const isSeen = ({ failed, invariants }: Run) => failed > 0 && invariants.includes(mutant.breaks);
  let run = await judge(mutant.patches, mutant.tests);
  // A run that ended early may not have reported all failures.
  if (!isSeen(run) && run.skipped > 0) run = await judge(mutant.patches, mutant.tests, { all: true });
  const isKilled = isSeen(run);
  if (!isKilled) survivors += 1;
  report(mutant.name, run, isKilled ? 'killed' : 'SURVIVED');
  console.log(`  ${mutant.variant}: breaks ${mutant.breaks}; seen: ${run.invariants.join(', ') || 'nothing'}`);
  if (run.firstFailure) console.log(`  first: ${run.firstFailure}`);
}
console.log(
  survivors === 0 ? `${chosen.length} mutants, all killed` : `${survivors} of ${chosen.length + 1} went wrong`,
);
process.exitCode = survivors === 0 ? 0 : 1;

async function judge(patches: Patch[], tests: readonly string[], options: RunOptions = {}): Promise<Run> {
  const folder = copyTree(patches);
  try {
    return await runTests(folder, tests, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(name: string, { passed, failed, skipped, seconds }: Run, verdict: string): void {
  const counts = `${String(failed).padStart(3)} failed ${String(passed).padStart(4)} passed ${String(skipped).padStart(4)} not run`;
  console.log(`${verdict.padEnd(8)}  ${name.padEnd(26)} ${counts}  ${seconds.toFixed(0).padStart(4)} s`);
}
