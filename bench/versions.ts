/**
 * `npm run bench -- versions OLD`: what operations cost in the version of the git revision OLD and in the checkout, side by side, before a
 * change lands. Both run on one PostgreSQL, each as `npm start` would run it, on a database of its own. They work in turn. Processor time
 * is compared, which says the same on a busy machine.
 *
 * `npm run bench -- versions OLD pay labels` compares the named operations alone, `--rounds 9` does so in nine rounds.
 */
import { median } from './report.ts';
import { type Cost, measure } from './versions.measure.ts';
import { OPERATIONS, type Operation, type Prepared } from './versions.operations.ts';
import { startVersions, type Version, type Versions } from './versions.start.ts';

type Pair<Of> = { old: Of; new: Of };

/** @param names of operations, or none for all */
export async function benchVersions(revision: string, names: readonly string[], rounds: number): Promise<void> {
  const unknown = names.find((name) => !(name in OPERATIONS));
  if (revision === '' || unknown !== undefined) {
    throw new Error(`npm run bench -- versions REVISION [${Object.keys(OPERATIONS).join(' ')}]`);
  }
  const versions = await startVersions(revision);
  try {
    printHead(revision);
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      if (names.length === 0 || names.includes(name)) await compare(versions, name, operation, rounds);
    }
  } finally {
    await versions.stop();
  }
}

/** In every other round the new version begins. */
async function compare(versions: Versions, name: string, operation: Operation, rounds: number): Promise<void> {
  const prepared = await prepare(versions, operation);
  if (prepared instanceof Error) {
    console.log(`${name.padEnd(9)} ${prepared.message}`);
    return;
  }
  const costs: Pair<Cost>[] = [];
  const measured = async (version: Version): Promise<Cost> => {
    const { before, work } = prepared[version.name];
    await before?.();
    return measure(versions.administrator, version, work);
  };
  for (let round = 0; round < rounds; round += 1) {
    const cost: Partial<Pair<Cost>> = {};
    const order = round % 2 === 0 ? [versions.old, versions.new] : [versions.new, versions.old];
    for (const version of order) cost[version.name] = await measured(version);
    costs.push(cost as Pair<Cost>);
  }
  printCosts(name, operation.unit, costs);
}

/** Prepares and warms up. An operation that one of the versions does not know is left out. */
async function prepare(versions: Versions, { prepare: of }: Operation): Promise<Pair<Prepared> | Error> {
  const prepared: Partial<Pair<Prepared>> = {};
  for (const version of [versions.old, versions.new]) {
    try {
      const operation = await of(version);
      await operation.before?.();
      await operation.work();
      prepared[version.name] = operation;
    } catch (error) {
      return new Error(`not in the ${version.name} version: ${String(error).slice(0, 120)}`);
    }
  }
  return prepared as Pair<Prepared>;
}

function printHead(revision: string): void {
  console.log(`\nProcessor time in ms for a unit of work: ${revision}, then the checkout.`);
  const columns = ['service', 'PostgreSQL', 'statements', 'WAL kB'].map((column) => column.padStart(16));
  console.log(`\n${'operation'.padEnd(9)} ${'unit'.padEnd(40)} ${columns.join(' ')}   new/old, of the rounds`);
  console.log('-'.repeat(145));
}

function printCosts(name: string, unit: string, costs: readonly Pair<Cost>[]): void {
  const both = (which: keyof Cost) =>
    (['old', 'new'] as const)
      .map((of) =>
        median(costs.map((cost) => cost[of][which]))
          .toFixed(2)
          .padStart(7),
      )
      .join(' ');
  const columns = (['serviceMs', 'postgresMs', 'statements', 'walKb'] as const).map((which) =>
    both(which).padStart(16),
  );
  const total = ({ serviceMs, postgresMs }: Cost) => serviceMs + postgresMs;
  const ratios = costs.map((cost) => total(cost.new) / total(cost.old));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const verdict = least <= 1 && most >= 1 ? 'noise: the rounds disagree' : median(ratios) > 1 ? 'SLOWER' : 'faster';
  const figures = `${median(ratios).toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
  console.log(`${name.padEnd(9)} ${unit.padEnd(40)} ${columns.join(' ')}   ${figures} ${verdict}`);
}
