import type { Gateway } from '../../gateways/gateway/gateway.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Journal, JournalEntry, JournalReader } from '../../platform/journal/journal.service.ts';
import { readHold } from '../hold/hold.service.ts';
import type { Pass } from '../hold/may-end.ts';
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

/** What comparing needs. */
export type Comparing = { db: Db; gateways: { configured: readonly Gateway[] }; journal: Journal };

/** What is made later at a gateway than its mark here was written, at most. */
export const BEFORE_NEWEST_MS = 900_000;
const ENTRIES_A_BATCH = 500;

/**
 * Compares the database with the journals of this machine and with the gateways during a hold, and keeps what it lacks as cases. It changes
 * nothing else, and may be made by several processes at once. Without a hold it does nothing.
 * @returns how many cases nobody has dealt with, and the journals that were read since the hold began
 * @throws GatewayError when a gateway can't be asked
 */
export async function makePass(comparing: Comparing, signal?: AbortSignal): Promise<Omit<Pass, 'begunAt'>> {
  const { db } = comparing;
  const hold = await readHold(db);
  if (hold === null) return { found: 0, journalsRead: [] };
  await settleComparedFrom(comparing, hold.id);
  await readJournalsHere(comparing, hold.id);
  const since = await selectComparedFrom(db, hold.id);
  if (since !== null) {
    for await (const objects of findMissingObjects(comparing, { since, signal }))
      await keepObjects(db, hold.id, objects);
  }
  signal?.throwIfAborted();
  await endPresentCases(db, hold.id);
  const [found, journalsRead] = [await countOpenCases(db, hold.id), await selectJournalsRead(db, hold.id)];
  return { found, journalsRead };
}

/**
 * Compares from a quarter of an hour before the newest mark, or before the last comparison: after the database went back, newer marks may
 * have been written before that was noticed.
 */
async function settleComparedFrom({ db, gateways }: Comparing, holdId: string): Promise<void> {
  if ((await selectComparedFrom(db, holdId)) !== null) return;
  const newest = await selectNewestMark(db);
  if (newest === null) return;
  const names = gateways.configured.map(({ name }) => name);
  const comparedAt = (await selectOldestComparison(db, names)) ?? newest.writtenAt;
  const fromMs = Math.min(newest.writtenAt.getTime(), comparedAt.getTime()) - BEFORE_NEWEST_MS;
  await lowerComparedFrom(db, holdId, new Date(fromMs));
}

/** Reads each journal that this machine can read once in a hold. What is appended later is in the database before. */
async function readJournalsHere({ db, journal }: Pick<Comparing, 'db' | 'journal'>, holdId: string): Promise<void> {
  const own = journal.id();
  const readable = own === null ? [] : [{ id: own, read: journal.read }];
  for (const reader of [...readable, ...(await findOtherJournals(db, journal)).readable]) {
    if ((await selectJournalsRead(db, holdId)).includes(reader.id)) continue;
    await keepJournal(db, holdId, reader);
    await noteJournalRead(db, holdId, reader.id);
  }
}

async function keepJournal(db: Db, holdId: string, reader: Pick<JournalReader, 'read'>): Promise<void> {
  let batch: JournalEntry[] = [];
  for await (const entry of reader.read(new Date(0))) {
    batch.push(entry);
    if (batch.length < ENTRIES_A_BATCH) continue;
    await keepMissingEntries(db, holdId, batch);
    batch = [];
  }
  await keepMissingEntries(db, holdId, batch);
}

/** Keeps those of a journal's entries that the database lacks. A charge or a refund at a gateway is a case only if the gateway has it. */
export async function keepMissingEntries(db: Db, holdId: string, entries: readonly JournalEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const marks = new Set(await selectMissingMarks(db, entries));
  const missing = entries.filter(({ mark }) => marks.has(mark));
  if (missing.length === 0) return;
  await keepMarks(db, missing);
  const earliestMs = Math.min(...missing.map(({ at }) => Date.parse(at)));
  await lowerComparedFrom(db, holdId, new Date(earliestMs - BEFORE_NEWEST_MS));
  await keepEntries(db, holdId, missing.filter(isKnownToNoGateway));
}

function isKnownToNoGateway({ kind, document }: JournalEntry): boolean {
  if (kind !== 'payment' && kind !== 'refund') return true;
  const content = JSON.parse(document) as { gateway?: unknown; amount_minor?: unknown } | null;
  return kind === 'payment' ? content?.gateway === 'none' : content?.amount_minor === 0;
}
