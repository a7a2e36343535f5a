/** What of a run waits for its customer or its bank: drawn from the run's seed, apart from the rest of its plan. */
import { createRandom, pick, type Random } from '../../chaos.ts';

/** What may be done after the backup (`acts.ts`). */
export const WAITING_ACTS = [
  'be asked and confirm',
  'be asked and refuse',
  'be asked and pay with another card',
  'be asked for an invoice that is voided',
  'pay by a debit',
  'pay by a debit that comes back',
] as const;
export type WaitingActName = (typeof WAITING_ACTS)[number];

export const LINGERING = ['a customer is asked', 'a debit that settles', 'a debit that comes back'] as const;
export const MOMENTS = ['before it goes back', 'while charges are held', 'afterwards'] as const;
export const ANSWERS = ['confirms', 'refuses', 'never comes'] as const;

/** A payment that is left waiting: for what, when it ends, and how if a customer is asked. */
export type Lingering = {
  kind: (typeof LINGERING)[number];
  customer: (typeof ANSWERS)[number];
  ends: (typeof MOMENTS)[number];
};

export type Waits = {
  /** Begun before the backup, so that it waits there. */
  atBackup: Lingering | null;
  /** Begun after the backup, so that the database that goes back lacks it. */
  whenItGoesBack: Lingering | null;
  acts: readonly WaitingActName[];
};

export const NO_WAITS: Waits = { atBackup: null, whenItGoesBack: null, acts: [] };

const OFTEN = 0.6;
const MOST_ACTS = 3;

/** Draws what waits. */
export function drawWaits(seed: number): Waits {
  const random = createRandom(seed + 2);
  return {
    atBackup: random() < OFTEN ? drawLingering(random, MOMENTS) : null,
    whenItGoesBack: random() < OFTEN ? drawLingering(random, MOMENTS.slice(1)) : null,
    acts: Array.from({ length: Math.floor(random() * (MOST_ACTS + 1)) }, () => pick(random, WAITING_ACTS)),
  };
}

function drawLingering(random: Random, moments: readonly Lingering['ends'][]): Lingering {
  return { kind: pick(random, LINGERING), customer: pick(random, ANSWERS), ends: pick(random, moments) };
}

/** What is left waiting, in words, for a table and for a failure. */
export function describeLingering({ kind, customer, ends }: Lingering): string {
  return kind === 'a customer is asked' ? `${kind}, who ${customer} ${ends}` : `${kind}, ${ends}`;
}
