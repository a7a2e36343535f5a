/**
 * `npm run mutants`: breaks the charge in nine ways that look reasonable, each in a copy of the tree, and runs the
 * charge's tests there. Every mutant must turn them red, for the invariant that it breaks; the tree as it is must be
 * green. `npm run mutants -- fresh-key no-guard` runs these alone.
 */
import { rmSync } from 'node:fs';
import { copyTree } from './mutants/copy.ts';
import { type Run, runTests } from './mutants/run.ts';
import { MUTANTS, type Mutant } from './mutants/variants.ts';

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !MUTANTS.some((mutant) => mutant.name === name));
if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}.`);
const chosen = MUTANTS.filter(({ name }) => asked.length === 0 || asked.includes(name));

const sound = await judge(null);
report('the tree as it is', sound, sound.failed === 0 && sound.passed > 0 ? 'green' : 'RED');
let survivors = sound.failed === 0 && sound.passed > 0 ? 0 : 1;
for (const mutant of chosen) {
  const run = await judge(mutant);
  const isKilled = run.failed > 0 && run.invariants.includes(mutant.breaks);
  if (!isKilled) survivors += 1;
  report(mutant.name, run, isKilled ? 'killed' : 'SURVIVED');
  console.log(`  ${mutant.variant}: breaks ${mutant.breaks}; seen: ${run.invariants.join(', ') || 'nothing'}`);
  if (run.firstFailure) console.log(`  first: ${run.firstFailure}`);
}
console.log(
  survivors === 0 ? `${chosen.length} mutants, all killed` : `${survivors} of ${chosen.length + 1} went wrong`,
);
process.exitCode = survivors === 0 ? 0 : 1;

async function judge(mutant: Mutant | null): Promise<Run> {
  const folder = copyTree(mutant?.patches ?? []);
  try {
    return await runTests(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(name: string, { passed, failed, seconds }: Run, verdict: string): void {
  const counts = `${String(failed).padStart(3)} failed ${String(passed).padStart(4)} passed`;
  console.log(`${verdict.padEnd(8)}  ${name.padEnd(26)} ${counts}  ${seconds.toFixed(0).padStart(4)} s`);
}
