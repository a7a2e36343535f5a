/** What the runs covered: how often each circumstance came up with each way in which a database goes back. */
import { layOut } from '../chaos.ts';
import { ACT_NAMES, BACKUP_STEPS, openStepOf, type Plan, UNDERWAY } from './plan.ts';
import { ANSWERS, LINGERING, type Lingering, MOMENTS } from './waits/draw.ts';

const WAYS = [
  ...['promotion', 'restore, journal kept', 'journal moved', 'journal lost', 'journal restored'],
  ...['two primaries', 'staging copy'],
] as const;

/** One of the ways. */
function wayOf({ scene, kind, journal }: Plan): (typeof WAYS)[number] {
  if (scene !== 'goes back') return scene;
  if (kind === 'promotion') return 'promotion';
  return journal === 'kept' ? 'restore, journal kept' : `journal ${journal}`;
}

const ROWS: readonly string[] = [
  'runs',
  ...['running', 'stopped'].map((name) => `processes ${name}`),
  ...['kept', 'moved', 'lost', 'restored'].map((name) => `journal ${name}`),
  ...['kept', 'forgotten'].map((name) => `keys ${name}`),
  ...['resent', 'resent late', 'not resent'].map((name) => `usage ${name}`),
  ...BACKUP_STEPS.map((name) => `at the backup: ${name}`),
  'at the backup: a charge that is declined',
  ...UNDERWAY.map((name) => `when it goes back: ${name}`),
  ...LINGERING.flatMap((kind) => [`at the backup: ${kind}`, `when it goes back: ${kind}`]),
  ...ANSWERS.map((answer) => `the customer ${answer}`),
  ...MOMENTS.map((moment) => `what waits ends ${moment}`),
  ...['nothing', 'the first case', 'the service', 'the command'].map((name) => `killed while adopting: ${name}`),
  ...['signs up again', 'is refunded'].map((name) => `a lost company ${name}`),
  ...['puts again', 'waits'].map((name) => `the product ${name}`),
  'the gateway fails while adopting',
  ...ACT_NAMES,
];

/** The rows of what is left waiting. */
function rowsOfLingering(when: string, left: Lingering | null): string[] {
  if (left === null) return [];
  const { kind, customer, ends } = left;
  const answer = kind === 'a customer is asked' ? [`the customer ${customer}`] : [];
  return [`${when}: ${kind}`, ...answer, `what waits ends ${ends}`];
}

/** The rows that a plan counts in. What a scene leaves out does not count. */
function rowsOf(plan: Plan): string[] {
  const {
    scene,
    processes,
    journal,
    keys,
    usage,
    atBackup,
    standing,
    underway,
    death,
    outage,
    lostCompany,
    product,
    acts,
  } = plan;
  const isCopied = scene === 'staging copy';
  const step = isCopied ? openStepOf(plan) : atBackup;
  const lost = acts.includes('sign a company up') ? [`a lost company ${lostCompany}`] : [];
  if (acts.includes('create a company by the API')) lost.push(`the product ${product}`);
  const worked = isCopied ? [] : [...new Set(acts), ...lost];
  if (scene !== 'goes back') return ['runs', ...(isCopied ? [`at the backup: ${step}`] : []), ...worked];
  return [
    ...['runs', `processes ${processes}`, `journal ${journal}`, `keys ${keys}`, `usage ${usage}`],
    ...(step === null ? [] : [`at the backup: ${step}`]),
    ...(standing === 'is declined' ? ['at the backup: a charge that is declined'] : []),
    ...[`when it goes back: ${underway}`, `killed while adopting: ${death.of}`, ...worked],
    ...(outage ? ['the gateway fails while adopting'] : []),
    ...rowsOfLingering('at the backup', plan.waits.atBackup),
    ...rowsOfLingering('when it goes back', plan.waits.whenItGoesBack),
  ];
}

/** Counts plans. */
export function createPlanCoverage(): { hit: (plan: Plan) => void; table: () => string } {
  const hits = new Map<string, number>();
  return {
    hit: (plan) => {
      for (const row of rowsOf(plan)) {
        const cell = `${row} / ${wayOf(plan)}`;
        hits.set(cell, (hits.get(cell) ?? 0) + 1);
      }
    },
    table: () =>
      layOut([['', ...WAYS], ...ROWS.map((row) => [row, ...WAYS.map((way) => hits.get(`${row} / ${way}`) ?? '·')])]),
  };
}
