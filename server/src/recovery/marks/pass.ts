import { basename } from 'node:path';
import type { Logger } from 'pino';
import { NIL } from 'uuid';
import type { DamagedLine, Journal, JournalEntry, JournalReader } from '../../continuity/journal/journal.service.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import type { Db } from '../../platform/database/database.ts';
import { readHold, restartHold, whileHoldLasts } from '../hold/hold.service.ts';
import type { Pass } from '../hold/may-end.ts';
import { JOURNAL_LOSS, noteEarlierLoss, noteUnjournaled } from '../unjournaled/unjournaled.ts';
import { forgetUnjournaled } from '../unjournaled/unjournaled.worker.queries.ts';
import {
  countOpenCases,
  endPresentCases,
  keepEntries,
  keepMarks,
  keepObjects,
  lowerComparedFrom,
  noteJournalRead,
  selectComparedFrom,
  selectJournalsRead,
} from './cases.worker.queries.ts';
import { findMissingObjects } from './compare.ts';
import { selectMissingMarks, selectNewestMark, selectOldestComparison } from './compare.worker.queries.ts';
import { findOtherJournals } from './journals.ts';
import { selectLastEntries } from './journals.worker.queries.ts';
import {
  extendToWriters,
  isWriter,
  noteOtherDatabase,
  selectForeignMarks,
  selectNewMarks,
} from './writers.worker.queries.ts';

/** What comparing needs. */
export type Comparing = {
  db: Db;
  gateways: { configured: readonly Gateway[] };
  journal: Journal;
  /** How late a gateway may list what it has made. */
  gatewayLagSeconds: number;
  logger?: Pick<Logger, 'error'>;
};

/** What is made later at a gateway than its mark here was written, at most. */
export const BEFORE_NEWEST_MS = 900_000;

/**
 * How much earlier a comparison begins that also finds what a gateway lists late: such comparisons are a quarter of an hour apart, and the
 * ones in between did not see it.
 */
export function beforeWithLag(lagSeconds: number): number {
  return 2 * BEFORE_NEWEST_MS + lagSeconds * 1_000;
}

const ENTRIES_A_BATCH = 500;
/** Of their documents: each is in memory several times. An invoice may have thousands of lines. */
const CHARACTERS_A_BATCH = 2_000_000;
/** As many as one statement compares in a fraction of the time that it may take. */
const CASES_A_BATCH = 2_000;
const PLACES_NAMED = 10;

/**
 * Compares the database with the journals of this machine and with the gateways during a hold, and keeps what it lacks as cases. It changes
 * nothing else, and may be made by several processes at once. Without a hold it does nothing.
 * @returns how many cases nobody has dealt with, and the journals that were read since the hold began, and before the gateways were asked
 * @throws GatewayError when a gateway can't be asked
 */
export async function makePass(comparing: Comparing, signal?: AbortSignal): Promise<Omit<Pass, 'isLagOver'>> {
  const { db } = comparing;
  const hold = await readHold(db);
  if (hold === null) return { found: 0, journalsRead: [] };
  await settleComparedFrom(comparing, hold.id);
  await readJournals(comparing, signal);
  // Those that others read during this pass may name what it has passed over.
  const journalsRead = await selectJournalsRead(db, hold.id);
  const since = await selectComparedFrom(db, hold.id);
  if (since !== null) {
    for await (const objects of findMissingObjects(comparing, { since, signal })) {
      // A journal has the mark of an object before that is made: what it has got since it was read counts too.
      await readJournals(comparing, signal);
      await noteUnjournaled(db, hold.id, objects);
      await whileHoldLasts(db, hold.id, (tx) => keepObjects(tx, hold.id, objects));
    }
  }
  signal?.throwIfAborted();
  await forgetUnjournaled(db, hold.id);
  let after: string | null = NIL;
  while (after !== null) after = await endPresentBatch(db, hold.id, after);
  return { found: await countOpenCases(db, hold.id), journalsRead };
}

/** @returns the last case of the batch, after which the next one begins; null when there is no more */
async function endPresentBatch(db: Db, holdId: string, after: string): Promise<string | null> {
  let last: string | null = null;
  await whileHoldLasts(db, holdId, async (tx) => {
    last = await endPresentCases(tx, holdId, { after, limit: CASES_A_BATCH });
  });
  return last;
}

/** The last reading of this process, by its journal. */
const readings = new WeakMap<Journal, Promise<void>>();

/**
 * Reads what this process can read of the journals, during a hold. Those of another machine are read by a process there. One reading
 * begins when the last one has ended, and finds that most was read: a journal may have gigabytes.
 */
export async function readJournals(comparing: Omit<Comparing, 'gateways'>, signal?: AbortSignal): Promise<void> {
  const read = async () => {
    const hold = await readHold(comparing.db);
    if (hold !== null) await readJournalsHere(comparing, hold.id, signal);
  };
  const reading = (readings.get(comparing.journal) ?? Promise.resolve()).then(read);
  readings.set(
    comparing.journal,
    reading.catch(() => undefined),
  );
  await reading;
}

/**
 * Compares from a quarter of an hour before the newest mark, or before the last comparison: after the database went back, newer marks may
 * have been written before that was noticed, and gateways compared that did not list everything yet.
 */
async function settleComparedFrom({ db, gateways, gatewayLagSeconds }: Comparing, holdId: string): Promise<void> {
  if ((await selectComparedFrom(db, holdId)) !== null) return;
  const newest = await selectNewestMark(db);
  if (newest === null) return;
  const names = gateways.configured.map(({ name }) => name);
  const comparedAt = (await selectOldestComparison(db, names)) ?? newest.writtenAt;
  const fromMs = Math.min(
    newest.writtenAt.getTime() - BEFORE_NEWEST_MS,
    comparedAt.getTime() - beforeWithLag(gatewayLagSeconds),
  );
  await lowerComparedFrom(db, holdId, new Date(fromMs));
}

/**
 * Reads each journal that this machine can read once in a hold, and again if it has got what the database lacks since then. What is
 * appended during a hold is in the database before, unless it is in another database, or the database has gone back to a time of this hold.
 * One that lacks its last entry is an older copy and counts as not read, and so does one with damaged lines until a person gives them up.
 */
async function readJournalsHere(
  { db, journal, logger }: Omit<Comparing, 'gateways'>,
  holdId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const own = journal.id();
  const { readable } = await findOtherJournals(db, journal);
  const readers = [...(own === null ? [] : [{ id: own, read: journal.read, readLast: journal.readLast }]), ...readable];
  const last = new Map((await selectLastEntries(db)).map(({ id, mark }) => [id, mark]));
  const { beat } = journal;
  for (const reader of readers) {
    if ((await selectJournalsRead(db, holdId)).includes(reader.id)) {
      if (await hasGrown(db, reader)) await keepJournal(db, holdId, reader, { isLate: true, beat, signal });
      continue;
    }
    const asked = { isLate: false, beat, signal, lastMark: last.get(reader.id) };
    const { damaged, isWhole } = await keepJournal(db, holdId, reader, asked);
    if (damaged.length > 0) logger?.error({ journal: reader.id, damaged }, 'a journal has damaged lines');
    if (isWhole) await noteJournalRead(db, holdId, { journalId: reader.id, damage: describeDamage(damaged) });
  }
}

async function hasGrown(db: Db, { readLast }: Pick<JournalReader, 'readLast'>): Promise<boolean> {
  const last = await readLast().catch(() => []);
  const missing = last.length === 0 ? [] : await selectMissingMarks(db, last);
  return missing.length > 0 && (await selectNewMarks(db, missing)).length > 0;
}

type Asked = {
  /** Whether the whole journal was read before in this hold: then what it got while a process was at work here is another database's. */
  isLate: boolean;
  /** Says in the database that this process works on it, after the entries were read: it may just have been, or have gone back. */
  beat?: Journal['beat'];
};

/** @returns where lines are damaged, and whether the last entry was there */
async function keepJournal(
  db: Db,
  holdId: string,
  reader: Pick<JournalReader, 'read'>,
  asked: Asked & { lastMark?: string | undefined; signal: AbortSignal | undefined },
): Promise<{ damaged: DamagedLine[]; isWhole: boolean }> {
  const damaged: DamagedLine[] = [];
  let isWhole = asked.lastMark === undefined;
  let batch: JournalEntry[] = [];
  let characters = 0;
  for await (const entry of reader.read(new Date(0), (line) => void damaged.push(line))) {
    isWhole ||= entry.mark === asked.lastMark;
    batch.push(entry);
    characters += entry.document.length;
    if (batch.length < ENTRIES_A_BATCH && characters < CHARACTERS_A_BATCH) continue;
    asked.signal?.throwIfAborted();
    await keepMissingEntries(db, holdId, batch, asked);
    [batch, characters] = [[], 0];
  }
  asked.signal?.throwIfAborted();
  await keepMissingEntries(db, holdId, batch, asked);
  return { damaged, isWhole: isWhole || damaged.length > 0 };
}

/** For people, also those who know no operator key; null where nothing is damaged. */
function describeDamage(damaged: readonly DamagedLine[]): string | null {
  if (damaged.length === 0) return null;
  const places = damaged.map(({ path, number }) => `${basename(path)}, line ${number}`);
  const named = places.slice(0, PLACES_NAMED).join('; ');
  return places.length > PLACES_NAMED ? `${named}; and ${places.length - PLACES_NAMED} more` : named;
}

/**
 * Keeps those of a journal's entries that the database lacks. A charge or a refund at a gateway is a case only if the gateway has it.
 * @returns false when the hold has ended: then nothing was kept
 */
export async function keepMissingEntries(
  db: Db,
  holdId: string,
  entries: readonly JournalEntry[],
  { isLate, beat }: Asked,
): Promise<boolean> {
  const missing = entries.length === 0 ? [] : await selectMissingMarks(db, entries);
  if (missing.length === 0) return true;
  await beat?.();
  const found = await selectNewMarks(db, missing);
  const foreign = new Set(await selectForeignMarks(db, missing, { isLate }));
  const isForeign = ({ mark, writer }: JournalEntry) => isWriter(writer) && foreign.has(mark);
  if (found.some(isForeign)) await noteOtherDatabase(db, holdId);
  if (isLate && !found.every(isForeign)) await restartHold(db, holdId);
  const earliestMs = Math.min(...missing.map(({ at }) => Date.parse(at)));
  await lowerComparedFrom(db, holdId, new Date(earliestMs - BEFORE_NEWEST_MS));
  await noteEarlierLoss(
    db,
    holdId,
    missing.filter((entry) => !isForeign(entry)),
  );
  const cases = missing.filter(isCase).map((entry) => ({ ...entry, isForeign: isForeign(entry) }));
  const isKept = await whileHoldLasts(db, holdId, async (tx) => {
    await keepMarks(tx, missing);
    await keepEntries(tx, holdId, cases);
    if (foreign.size > 0) await extendToWriters(tx, holdId);
  });
  return isKept;
}

/** What a gateway knows is a case by that, and what was given up is given up again at once. */
function isCase({ kind, document }: JournalEntry): boolean {
  if (kind === JOURNAL_LOSS) return false;
  if (kind !== 'payment' && kind !== 'refund') return true;
  const content = JSON.parse(document) as { gateway?: unknown; amount_minor?: unknown } | null;
  return kind === 'payment' ? content?.gateway === 'none' : content?.amount_minor === 0;
}
