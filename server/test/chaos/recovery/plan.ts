/** What happens in one run of a database that goes back: all of it is drawn from a seed. */
import { createRandom, pick, type Random, shuffle } from '../chaos.ts';
import type { Restorable } from '../restore/databases.ts';
import { describeLingering, drawWaits, NO_WAITS, WAITING_ACTS, type Waits } from './waits/draw.ts';

/** Steps of a charge at which its process is killed; after the last one it is paid. */
const UNCONFIRMED_STEPS = ['after_intent', 'after_gateway_create', 'after_sending'] as const;
const OPEN_STEPS = [...UNCONFIRMED_STEPS, 'after_confirm'] as const;
export const CHARGE_STEPS = [...OPEN_STEPS, 'after_settle'] as const;
/** Steps of a refund at which its process is killed. */
const REFUND_STEPS = ['after_refund_intent', 'after_gateway_refund'] as const;
/** Steps at which the backup may be taken. */
export const BACKUP_STEPS = [...CHARGE_STEPS, ...REFUND_STEPS] as const;

/** What may be done after the backup, in any order (`acts.ts`). */
const COMMON_ACTS = [
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
  'create a company by the API',
  'charge in a process that dies',
  'charge without an answer',
] as const;
export const ACT_NAMES = [...COMMON_ACTS, ...WAITING_ACTS] as const;
export type ActName = (typeof ACT_NAMES)[number];

/** A charge or refund that nobody has ended when the database goes back. */
export const UNDERWAY = ['nothing', 'confirmed late', ...CHARGE_STEPS, ...REFUND_STEPS] as const;

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
  /** Whether usage that was reported since the backup is sent again: before the books are brought together, or after the hold. */
  usage: 'resent' | 'resent late' | 'not resent';
  /** Where a charge or a refund stands when the backup is taken. */
  atBackup: (typeof BACKUP_STEPS)[number] | null;
  /** Whether the charge that stands there is declined, and another card pays afterwards. */
  standing: 'pays' | 'is declined';
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
  /** Whether a product sends its `PUT` of a lost company again before the books are brought together, or only afterwards. */
  product: 'puts again' | 'waits';
  /** Payments that wait for their customer, and debits on their way. */
  waits: Waits;
};

const GOES_BACK = Array.from({ length: 6 }, () => 'goes back' as const);
const SCENES = [...GOES_BACK, 'two primaries', 'staging copy'] as const;
const PROMOTED = 0.25;
const FEWEST_ACTS = 4;
const MOST_MORE_ACTS = 6;

/** Draws what happens. @param kind - how the database goes back, if that is settled */
export function drawPlan(seed: number, kind?: Restorable['kind']): Plan {
  const random = createRandom(seed);
  const waits = drawWaits(seed);
  const drawn = kind ?? (random() < PROMOTED ? 'promotion' : 'restore');
  // When a primary fails, the processes that use it keep running, unless their machine has failed too.
  const stopped = Array.from({ length: drawn === 'promotion' ? 1 : 3 }, () => 'stopped' as const);
  const processes = pick(random, ['running', ...stopped] as const);
  // Nobody takes the journal of running processes away.
  const journals = ['kept', 'moved', 'lost', 'lost', 'restored', 'restored'] as const;
  const journal = processes === 'running' ? 'kept' : pick(random, journals);
  const apis = random() < 0.3 ? 2 : 1;
  const keys = pick(random, ['kept', 'forgotten'] as const);
  const usage = pick(random, ['resent', 'resent late', 'not resent'] as const);
  const atBackup = random() < 0.5 ? pick(random, BACKUP_STEPS) : null;
  const standing = pick(random, ['pays', 'pays', 'is declined'] as const);
  return {
    ...{ seed, kind: drawn, processes, journal, apis, keys, usage, atBackup },
    standing: UNCONFIRMED_STEPS.some((step) => step === atBackup) ? standing : 'pays',
    acts: drawActs(random, waits),
    underway: pick(random, UNDERWAY),
    death: {
      of: pick(random, ['nothing', 'the first case', 'the service', 'the command'] as const),
      afterCases: 1 + Math.floor(random() * 8),
    },
    outage: random() < 0.25,
    lostCompany: pick(random, ['signs up again', 'is refunded']),
    scene: drawn === 'promotion' ? 'goes back' : pick(random, SCENES),
    journals: pick(random, ['apart', 'shared']),
    product: pick(random, ['puts again', 'waits']),
    waits,
  };
}

/** The plan without what waits, for a gateway where nothing does. */
export function withoutWaits(plan: Plan): Plan {
  const isCommon = (name: ActName) => COMMON_ACTS.some((common) => common === name);
  return { ...plan, acts: plan.acts.filter(isCommon), waits: NO_WAITS };
}

/** The step of a charge at which a copy is taken that is served beside the original. */
export function openStepOf({ atBackup }: Plan): (typeof OPEN_STEPS)[number] {
  return OPEN_STEPS.find((step) => step === atBackup) ?? 'after_sending';
}

/** Something is always captured, which a gateway without a journal shows too, and a product always creates a company. */
function drawActs(random: Random, { acts }: Waits): ActName[] {
  const count = FEWEST_ACTS + Math.floor(random() * MOST_MORE_ACTS);
  const drawn = Array.from({ length: count }, () => pick(random, COMMON_ACTS));
  const common = shuffle(random, ['pay an invoice of before', 'create a company by the API', ...drawn] as const);
  return acts.length === 0 ? common : shuffle(random, [...common, ...acts]);
}

/** Says what a plan is, in the line of a failure. */
export function describePlan({ acts, death, waits, ...plan }: Plan): string {
  const parts = Object.entries(plan).map(([name, value]) => `${name}: ${value}`);
  for (const name of ['atBackup', 'whenItGoesBack'] as const) {
    const left = waits[name];
    parts.push(`waiting ${name}: ${left === null ? 'nothing' : describeLingering(left)}`);
  }
  return `${parts.join(', ')}, killed: ${death.of} after ${death.afterCases}\n  acts: ${acts.join(', ')}`;
}
