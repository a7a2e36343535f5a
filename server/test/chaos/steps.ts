/** The steps that the API processes of a world write down, held against the model of the charge (docs/internals/model.md). */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { findEntry } from '../../src/gateways/gateways.ts';
import { findRefusal, type GatewayKind } from '../model/acceptance/accept.ts';
import { type Line, momentsByDebt } from '../model/acceptance/operations.ts';

export type Steps = {
  file: string;
  /** Writes down what the test does to the database. */
  around: (step: 'backup' | 'restore' | 'copy', act: () => Promise<void>) => Promise<void>;
  /** Says that a process works on the copy of the database, beside the others. */
  isOfCopy: (pid: number) => void;
  /** What is no behaviour of the model, of the debts that were charged for the first time since the last call. */
  findDeviations: () => string[];
  /** Compares none of them: so much was looked at or created at once that too many states of the model fit. */
  leaveOut: () => void;
  /** How many debts were compared. */
  countDebts: () => number;
  remove: () => Promise<void>;
};

/** A gateway lists a debt's objects at once, or captures a debt once instead. */
function kindOf(gateway: string): GatewayKind {
  const capturesOnce = findEntry(gateway)?.capturesDebtsOnce ?? false;
  return { searchLags: capturesOnce, capturesOnce };
}

/** Begins a file of steps. */
export function openSteps(file: string, gateway: string): Steps {
  writeFileSync(file, '');
  const seen = new Set<string>();
  let operations = 0;
  const ofCopy = new Set<number>();
  let length = 0;
  const write = (line: Line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  /** The moments of the debts that were charged for the first time since the last call. */
  const readNew = () => {
    const text = readFileSync(file, 'utf8').slice(length);
    length += text.lastIndexOf('\n') + 1;
    const lines: Line[] = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .map((line) => ({ ...line, database: ofCopy.has(line.process) ? 1 : 0 }));
    // Whoever has slept through the end of an earlier cell goes on with its debt.
    const fresh = [...momentsByDebt(lines)].filter(([debt]) => !seen.has(debt));
    for (const [debt] of fresh) seen.add(debt);
    return fresh;
  };
  return {
    file,
    around: async (step, act) => {
      operations += 1;
      const operation = String(operations);
      write({ process: 0, operation, step });
      await act();
      write({ process: 0, operation });
    },
    isOfCopy: (pid) => void ofCopy.add(pid),
    findDeviations: () =>
      readNew().flatMap(([debt, moments]) => {
        const refusal = findRefusal(moments, kindOf(gateway));
        return refusal === null ? [] : [`the charge of ${debt} is ${refusal}`];
      }),
    leaveOut: () => void readNew(),
    countDebts: () => seen.size,
    remove: () => rm(file, { force: true }),
  };
}
