/** What happens in one run of a database that goes back: all of it is drawn from a seed. */
import { createRandom, pick, type Random, shuffle } from '../chaos.ts';
import type { Restorable } from '../restore/databases.ts';

/** Steps of a charge at which its process is killed. */
export const CHARGE_STEPS = ['after_intent', 'after_gateway_create', 'after_sending', 'after_confirm'] as const;

/** What may be done after the backup, in any order (`acts.ts`). */
export const ACT_NAMES = [
  'pay an invoice of before',
  'pay a new invoice',
  'issue an invoice',
  'be declined',
  'pay with another card',
  'refund a part',
  'refund much',
  'void an invoice of before',
  'void a new invoice',
  'credit an open invoice and pay it',
  'credit a paid invoice',
  'grant credit',
  'grant and revoke credit',
  'pay with credit alone',
  'bill a month',
  'sign a company up',
  'charge in a process that dies',
  'charge without an answer',
] as const;
export type ActName = (typeof ACT_NAMES)[number];

/** A charge that nobody has ended when the database goes back. */
export const UNDERWAY = ['nothing', 'confirmed late', ...CHARGE_STEPS, 'after_gateway_refund'] as const;

export type Plan = {
  seed: number;
  /** Mostly the database goes back. Otherwise its backup is served too, as the restored one or as a copy for tests. */
  scene: 'goes back' | 'two primaries' | 'staging copy';
  kind: Restorable['kind'];
  processes: 'running' | 'stopped';
  /** How many processes there are. */
  apis: 1 | 2;
  /** `moved`: it can only be read as another machine's; `restored`: somebody put an old copy back with the database. */
  journal: 'kept' | 'moved' | 'lost' | 'restored';
  keys: 'kept' | 'forgotten';
  /** Whether usage that was reported since the backup is sent again before the books are brought together. */
  usage: 'resent' | 'not resent';
  /** Where a charge stands when the backup is taken. */
  atBackup: (typeof CHARGE_STEPS)[number] | null;
  acts: readonly ActName[];
  underway: (typeof UNDERWAY)[number];
  /** Whether two primaries, on one machine, have one journal. */
  journals: 'apart' | 'shared';
  /** What is killed while the books are brought together, and after how many cases. */
  death: { of: 'nothing' | 'the first case' | 'the service' | 'the command'; afterCases: number };
  /** Whether the gateway fails for some time while the books are brought together. */
  outage: boolean;
  /** What a person does about a company that is lost. */
  lostCompany: 'signs up again' | 'is refunded';
};

const GOES_BACK = Array.from({ length: 6 }, () => 'goes back' as const);
const SCENES = [...GOES_BACK, 'two primaries', 'staging copy'] as const;
const PROMOTED = 0.25;
const FEWEST_ACTS = 4;
const MOST_MORE_ACTS = 6;

/** Draws what happens. @param kind - how the database goes back, if that is settled */
export function drawPlan(seed: number, kind?: Restorable['kind']): Plan {
  const random = createRandom(seed);
  const drawn = kind ?? (random() < PROMOTED ? 'promotion' : 'restore');
  // When a primary fails, the processes that use it keep running. Nobody takes their journal away meanwhile.
  const processes =
    drawn === 'promotion' ? 'running' : pick(random, ['running', 'stopped', 'stopped', 'stopped'] as const);
  const journals = ['kept', 'moved', 'lost', 'lost', 'restored', 'restored'] as const;
  const journal = processes === 'running' ? 'kept' : pick(random, journals);
  return {
    ...{ seed, kind: drawn, processes, journal },
    apis: random() < 0.3 ? 2 : 1,
    keys: pick(random, ['kept', 'forgotten']),
    usage: pick(random, ['resent', 'not resent']),
    atBackup: random() < 0.4 ? pick(random, CHARGE_STEPS) : null,
    acts: drawActs(random),
    underway: pick(random, UNDERWAY),
    death: {
      of: pick(random, ['nothing', 'the first case', 'the service', 'the command'] as const),
      afterCases: 1 + Math.floor(random() * 8),
    },
    outage: random() < 0.25,
    lostCompany: pick(random, ['signs up again', 'is refunded']),
    scene: drawn === 'promotion' ? 'goes back' : pick(random, SCENES),
    journals: pick(random, ['apart', 'shared']),
  };
}

/** Something is always captured, which a gateway without a journal shows too. */
function drawActs(random: Random): ActName[] {
  const count = FEWEST_ACTS + Math.floor(random() * MOST_MORE_ACTS);
  const drawn = Array.from({ length: count }, () => pick(random, ACT_NAMES));
  return shuffle(random, ['pay an invoice of before', ...drawn]);
}

/** Says what a plan is, in the line of a failure. */
export function describePlan({ acts, death, ...plan }: Plan): string {
  const parts = Object.entries(plan).map(([name, value]) => `${name}: ${value}`);
  return `${parts.join(', ')}, killed: ${death.of} after ${death.afterCases}\n  acts: ${acts.join(', ')}`;
}
