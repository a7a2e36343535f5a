/** Runs that are written by hand, for the tests of what the model accepts. */
import { expect } from 'vitest';
import { findDeviations, type GatewayKind } from './accept.ts';
import type { Line } from './operations.ts';

const DEBT = 'usage:company:2026-10';
const LISTS: GatewayKind = { searchLags: false, capturesOnce: false };

type Database = 0 | 1;
type Found = [id: string, status: string, sequence: number][];

/** Writes the lines of a run: each call is a step that begins and ends, unless it is told that no answer came. */
export function record() {
  const lines: Line[] = [];
  let count = 0;
  const begin = (about: Omit<Line, 'operation'>) => {
    count += 1;
    const operation = String(count);
    lines.push({ operation, ...about });
    return (answer: Omit<Line, 'operation' | 'process'> = {}) =>
      void lines.push({ operation, process: about.process, ...answer });
  };
  const run = (process: number, payment: string, database: Database = 0) => {
    const step = (about: Omit<Line, 'operation' | 'process'>) =>
      begin({ process, database, payment, debt: DEBT, ...about });
    return {
      begin: step,
      intent: () => step({ step: 'T1' })(),
      ask: (...found: Found) =>
        step({ step: 'ask' })({ found: found.map(([id, status, sequence]) => ({ id, status, sequence })) }),
      create: (object: string, sequence: number) => step({ step: 'create', sequence })({ object }),
      record: (object: string, outcome = true) => step({ step: 'T2', object })({ outcome }),
      confirm: (object: string, outcome: string) => step({ step: 'confirm', object })({ outcome }),
      cancel: (object: string, outcome = 'canceled') => step({ step: 'cancel', object })({ outcome }),
      find: (object: string, outcome: string) => step({ step: 'find', object })({ outcome }),
      end: (name: 'T3' | 'fail' | 'refuse' | 'withdraw' | 'adopt' | 'await customer' | 'await bank', object?: string) =>
        step({ step: name, object })(),
      adoptCancel: (object: string, outcome: string) =>
        step({ step: 'adopt: cancel', object, sequence: 1 })({ outcome }),
      adoptDebit: (object: string, outcome = 'processing') =>
        step({ step: 'adopt: debit', object, sequence: 1 })({ outcome }),
      adoptCapture: (object: string, outcome: string) =>
        step({ step: 'adopt: capture', object, sequence: 1 })({ outcome }),
    };
  };
  const world = (step: 'backup' | 'restore' | 'copy' | 'hold begins' | 'hold ends', database: Database = 0) =>
    begin({ process: 0, database, step })();
  return { lines, run, world };
}

/** A charge up to its confirmation. @param isLost - a backup is taken before it */
export function charged({ isLost = false } = {}) {
  const recorded = record();
  if (isLost) recorded.world('backup');
  const first = recorded.run(1, 'p1');
  first.intent();
  first.ask();
  first.create('o1', 1);
  first.record('o1');
  return { ...recorded, first };
}

/** Why the model refuses a run; empty for a behaviour of the model. */
export function refusal(lines: Line[], gateway = LISTS): string {
  return findDeviations(lines, gateway).join('\n');
}

/** The last line before the mark is the one that does not fit. */
export function expectRefusedAt(lines: Line[], words: string): void {
  const marked = refusal(lines)
    .split('\n')
    .find((line) => line.endsWith('<- here'));
  expect(marked).toContain(words);
}
