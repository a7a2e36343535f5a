/** Runs the cells of the fault matrix in an order that a seed decides, and counts which ones were hit. */
import { expectSound, type World } from './world.ts';

/** One fault at one step of a protocol. `run` throws if the expected outcome does not hold. */
export type Cell = { fault: string; step: string; run: (world: World) => Promise<void> };

/** The steps of each protocol, as docs/internals/charge-tests.md lists them. `check` is the reconciler's check. */
const PROTOCOLS = {
  '': ['T1', 'ask', 'G1', 'T2', 'G2', 'T3', 'G3', 'answer', 'check'],
  'confirmation ': ['G2', 'T', 'answer', 'look', 'cancel', 'end'],
  'debit ': ['G2', 'T', 'answer', 'look', 'cancel', 'end'],
  'refund ': ['T1', 'order', 'G1', 'T2', 'answer', 'check'],
  'collection ': ['T1', 'G1', 'G2', 'T3', 'note', 'end'],
  'back to ': ['issued', 'T1', 'G1', 'T2', 'G2', 'T3', 'refund'],
};

const LEAST_WIDTH = 6;

/** Returns numbers from 0 to 1 (exclusive), the same for the same seed. */
export type Random = () => number;

/** Uses mulberry32: it is small, and random enough for choices. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks one of the values. */
export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** Returns the values in a random order. */
export function shuffle<T>(random: Random, values: readonly T[]): T[] {
  const drawn = values.map((value) => ({ value, order: random() }));
  return drawn.sort((left, right) => left.order - right.order).map(({ value }) => value);
}

/** Runs one cell, then compares the books with the gateway's. */
export async function runCell(world: World, { fault, step, run }: Cell): Promise<void> {
  try {
    await run(world);
    await expectSound(world);
  } catch (error) {
    throw new Error(`${fault} / ${step}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** How often each cell was hit, as a table for each protocol, and the cells that never were. */
export type Coverage = { hit: (cell: Cell) => void; missing: () => string[]; table: () => string };

/** Counts hits of these cells. */
export function createCoverage(cells: readonly Cell[]): Coverage {
  const keyOf = ({ fault, step }: Pick<Cell, 'fault' | 'step'>) => `${fault} / ${step}`;
  const hits = new Map(cells.map((cell) => [keyOf(cell), 0]));
  return {
    hit: (cell) => hits.set(keyOf(cell), (hits.get(keyOf(cell)) ?? 0) + 1),
    missing: () => [...hits].filter(([, count]) => count === 0).map(([key]) => key),
    table: () =>
      Object.entries(PROTOCOLS)
        .map(([protocol, names]) => {
          const steps = names.map((name) => protocol + name);
          const faults = new Set(cells.filter(({ step }) => steps.includes(step)).map(({ fault }) => fault));
          if (faults.size === 0) return null;
          const rows = [...faults].map((fault) => [
            fault,
            ...steps.map((step) => hits.get(keyOf({ fault, step })) ?? '·'),
          ]);
          return layOut([[protocol === '' ? 'the charge' : `the ${protocol.trim()}`, ...names], ...rows]);
        })
        .filter((table) => table !== null)
        .join('\n\n'),
  };
}

/** A table as text, whose first row has the names of the columns. */
export function layOut(rows: (string | number)[][]): string {
  const width = Math.max(...rows.map(([first]) => String(first).length));
  const widths = rows[0]?.slice(1).map((name) => Math.max(LEAST_WIDTH, String(name).length)) ?? [];
  return rows
    .map(([first, ...values]) =>
      [String(first).padEnd(width), ...values.map((value, index) => String(value).padStart(widths[index] ?? 0))].join(
        ' ',
      ),
    )
    .join('\n');
}
