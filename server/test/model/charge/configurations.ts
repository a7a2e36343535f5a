import { explore } from '../checker/explore.ts';
import { type Configuration, configure } from '../checker/model.ts';
import { CHARGE_PROPERTIES, chargeModel, ENDS, NEVER_FAILS_PAID } from './charge.ts';
import { ALL_RULES, type Bounds, DEFAULT_BOUNDS, type Rules } from './rules.ts';

type About = Pick<Configuration, 'name' | 'about'> & Partial<Configuration>;
type Changes = { rules?: Partial<Rules>; bounds?: Partial<Bounds> };

/** A configuration of the charge with all rules but these. */
export function charge(about: About, { rules, bounds }: Changes, properties = CHARGE_PROPERTIES): Configuration {
  const setting = { rules: { ...ALL_RULES, ...rules }, bounds: { ...DEFAULT_BOUNDS, ...bounds } };
  return configure(about, properties, () => chargeModel(setting), explore);
}

export const TWO = { processes: 2 };
export const UNNOTICED = { isNoticed: 'never' } as const;
export const LATE = { isNoticed: 'later' } as const;
const TWICE = { timesBack: 2 };
export const FAILOVER = { goesBack: 'failover' } as const;
export const SPLIT = { ...TWO, ...UNNOTICED, goesBack: 'split' } as const;
export const ASKS = { asksCustomers: true } as const;
export const DEBITS = { sendsDebits: true } as const;
export const PAYPAL = { searchLags: true, capturesOnce: true };

/** Charges that the bank wants confirmed, and debits that are on their way for days. */
const WAITS: Configuration[] = [
  charge({ name: 'charge-waits', about: 'banks ask customers; a restore that is noticed' }, { bounds: ASKS }),
  charge(
    { name: 'charge-waits-unnoticed', about: 'the same, and nobody notices the restore' },
    { bounds: { ...ASKS, ...UNNOTICED } },
    [...CHARGE_PROPERTIES, NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-waits-late', about: 'banks ask customers; the restore is noticed at any later time' },
    { bounds: { ...ASKS, ...LATE } },
  ),
  charge(
    { name: 'charge-waits-ends', about: 'banks ask customers; after a calm begins, holds and charges end' },
    { bounds: { ...ASKS, calmsDown: true } },
    [ENDS],
  ),
  charge({ name: 'charge-debits', about: 'debits; a restore that is noticed' }, { bounds: DEBITS }),
  charge(
    { name: 'charge-debits-unnoticed', about: 'the same, and nobody notices the restore' },
    { bounds: { ...DEBITS, ...UNNOTICED } },
    [...CHARGE_PROPERTIES, NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-debits-late', about: 'debits; the restore is noticed at any later time' },
    { bounds: { ...DEBITS, ...LATE } },
  ),
  charge(
    { name: 'charge-debits-ends', about: 'debits; after a calm begins, holds and charges end' },
    { bounds: { ...DEBITS, calmsDown: true } },
    [ENDS],
  ),
  charge(
    { name: 'charge-waits-two', about: 'banks ask customers; two processes, and no restore', isLong: true },
    { bounds: { ...ASKS, ...TWO, goesBack: 'never' } },
    [...CHARGE_PROPERTIES, NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-debits-two', about: 'debits; two processes, and no restore', isLong: true },
    { bounds: { ...DEBITS, ...TWO, goesBack: 'never' } },
    [...CHARGE_PROPERTIES, NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-waits-failover', about: 'banks ask customers; a process lives on, unnoticed', isLong: true },
    { bounds: { ...ASKS, ...FAILOVER, ...UNNOTICED } },
  ),
  charge(
    { name: 'charge-debits-failover', about: 'debits; a process lives on, unnoticed', isLong: true },
    { bounds: { ...DEBITS, ...FAILOVER, ...UNNOTICED } },
  ),
];

/** With all rules everything holds. */
export const CHARGE_HOLDS: Configuration[] = [
  charge({ name: 'charge-restore', about: 'one process, a backup that is restored, and noticed' }, {}),
  charge(
    { name: 'charge-no-restore', about: 'two processes on one database' },
    { bounds: { ...TWO, goesBack: 'never' } },
  ),
  charge(
    { name: 'charge-unnoticed', about: 'nobody notices the restore, and usage was lost with it' },
    { bounds: { ...UNNOTICED, usageGrows: true } },
  ),
  charge(
    { name: 'charge-details', about: 'asks while T1 commits; refusals, and errors that the gateway keeps with a key' },
    { bounds: { ...UNNOTICED, asksDuringIntent: true, refuses: true, skips: true } },
  ),
  charge({ name: 'charge-paypal', about: 'a gateway that cannot list, and captures a debt once' }, { bounds: PAYPAL }),
  charge({ name: 'charge-late', about: 'the restore is noticed at any later time' }, { bounds: LATE }),
  charge({ name: 'charge-late-paypal', about: 'the same with PayPal' }, { bounds: { ...LATE, ...PAYPAL } }),
  charge(
    { name: 'charge-twice', about: 'the database goes back twice, also to a backup of the first hold' },
    { bounds: TWICE },
  ),
  charge(
    {
      name: 'charge-never-failed',
      about: 'no Failed invoice with captured money, after a restore that nobody notices',
    },
    { bounds: UNNOTICED },
    [NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-paypal-never-failed', about: 'the same with PayPal, whose restore is noticed at once' },
    { bounds: PAYPAL },
    [NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-gateways', about: 'the company is charged at either of two gateways; nobody notices the restore' },
    { bounds: { ...UNNOTICED, gateways: 2 } },
  ),
  charge(
    { name: 'charge-gateways-never-failed', about: 'two gateways, and no Failed invoice with captured money' },
    { bounds: { ...UNNOTICED, gateways: 2 } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    {
      name: 'charge-gateways-two',
      about: 'two gateways, two processes and a failover that nobody notices',
      isLong: true,
    },
    { bounds: { ...TWO, ...FAILOVER, ...UNNOTICED, gateways: 2 } },
  ),
  charge(
    { name: 'charge-ends', about: 'after a calm begins, holds and charges end' },
    { bounds: { calmsDown: true } },
    [ENDS],
  ),
  charge(
    { name: 'charge-ends-late', about: 'the same, and the restore is noticed at any later time' },
    { bounds: { ...LATE, calmsDown: true } },
    [ENDS],
  ),
  charge(
    { name: 'charge-late-two', about: 'two processes, and a restore that is noticed later', isLong: true },
    { bounds: { ...TWO, ...LATE } },
  ),
  charge(
    { name: 'charge-twice-two', about: 'two processes, and a database that goes back twice', isLong: true },
    { bounds: { ...TWO, ...TWICE } },
  ),
  charge(
    { name: 'charge-twice-late', about: 'it goes back twice, and that is noticed later', isLong: true },
    { bounds: { ...TWICE, ...LATE } },
  ),
  charge(
    { name: 'charge-restore-large', about: 'three objects, and lost usage', isLong: true },
    { bounds: { objects: 3, usageGrows: true, refuses: true } },
  ),
  charge(
    { name: 'charge-unnoticed-large', about: 'a failover that nobody notices, three objects', isLong: true },
    { bounds: { ...FAILOVER, ...UNNOTICED, objects: 3, usageGrows: true } },
  ),
  charge({ name: 'charge-two', about: 'two processes and a restore', isLong: true }, { bounds: TWO }),
  charge(
    {
      name: 'charge-two-failover',
      about: 'two processes live on through a failover that nobody notices',
      isLong: true,
    },
    { bounds: { ...TWO, ...FAILOVER, ...UNNOTICED } },
  ),
  charge({ name: 'charge-split', about: 'the old primary lives on with its process', isLong: true }, { bounds: SPLIT }),
  charge(
    { name: 'charge-paypal-two', about: 'PayPal, two processes and a failover', isLong: true },
    { bounds: { ...TWO, ...FAILOVER, ...PAYPAL } },
  ),
  charge(
    { name: 'charge-never-failed-two', about: 'two processes and a failover, which is noticed', isLong: true },
    { bounds: { ...TWO, ...FAILOVER } },
    [NEVER_FAILS_PAID],
  ),
  charge(
    { name: 'charge-ends-two', about: 'two processes; after a calm begins, holds and charges end', isLong: true },
    { bounds: { ...TWO, calmsDown: true } },
    [ENDS],
  ),
  ...WAITS,
];
