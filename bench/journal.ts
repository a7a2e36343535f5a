import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournalFiles } from '../server/src/continuity/journal/journal.files.ts';
import { CONNECTIONS, rateOf } from './load.ts';
import { type Pays, payAll, preparePayers } from './pay.ts';
import { median, type Row } from './report.ts';
import { type Setting, startSetting } from './setting.ts';

const ENTRIES = 2_000;
/** About as long as the entry of a charge. */
const LINE = JSON.stringify({ entry: 'x'.repeat(600) });

/** What the journal costs: pays with and without it, in turn, and entries against lines that are each written and synchronized alone. */
export async function benchJournal(setting: Setting): Promise<Row[]> {
  const without = await startSetting({ ...setting, imports: ['./without-journal.ts'] });
  try {
    return [
      await comparePays(setting, without),
      await compareAppends(setting, 1),
      await compareAppends(setting, CONNECTIONS),
    ];
  } finally {
    await without.stop();
  }
}

async function comparePays(setting: Setting, without: Setting): Promise<Row> {
  const [payers, payersWithout] = [await preparePayers(setting), await preparePayers(without)];
  const rounds: { ours: Pays; floor: Pays }[] = [];
  for (let round = 0; round < setting.rounds; round += 1) {
    rounds.push({ ours: await payAll(setting, payers), floor: await payAll(without, payersWithout) });
  }
  const middle = (side: 'ours' | 'floor', what: keyof Pays) => median(rounds.map((round) => round[side][what]));
  return {
    name: 'pays, against those without a journal',
    ratio: median(rounds.map(({ ours, floor }) => ours.rate / floor.rate)),
    bound: '≥',
    limit: 0.8,
    detail:
      `${middle('ours', 'rate').toFixed(0)} pays/s; ${middle('floor', 'rate').toFixed(0)}/s without; ` +
      `${middle('ours', 'processorMs').toFixed(2)} and ${middle('floor', 'processorMs').toFixed(2)} ms of processor time each`,
  };
}

async function compareAppends(setting: Setting, callers: number): Promise<Row> {
  const directory = await mkdtemp(join(setting.directory, 'journal-'));
  const journal = await openJournalFiles(directory, 'bench');
  const bare = await open(join(directory, 'bare'), 'a');
  const lines = Array.from({ length: ENTRIES }, () => LINE);
  const ratios: { ours: number; floor: number }[] = [];
  for (let round = 0; round < setting.rounds; round += 1) {
    const floor = await rateOf(lines, 1, async (line) => {
      await bare.appendFile(`${line}\n`);
      await bare.datasync();
    });
    ratios.push({ floor, ours: await rateOf(lines, callers, (line) => journal.append([line])) });
  }
  await journal.close();
  await bare.close();
  await rm(directory, { recursive: true });
  return {
    name: `entries of a journal, ${callers === 1 ? '1 caller' : `${callers} callers`}`,
    ratio: median(ratios.map(({ ours, floor }) => ours / floor)),
    bound: '≥',
    limit: callers === 1 ? 0.8 : CONNECTIONS / 8,
    detail: `${median(ratios.map(({ ours }) => ours)).toFixed(0)}/s; ${median(ratios.map(({ floor }) => floor)).toFixed(0)}/s one by one`,
  };
}
