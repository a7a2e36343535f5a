import type { Logger } from 'pino';
import { NIL } from 'uuid';
import { appendToLastAlert } from '../../alerts/alerts.service.ts';
import { WENT_BACK } from '../../continuity/hold/charges-hold.service.ts';
import type { DamagedLine, Journal, JournalEntry, JournalReader } from '../../continuity/journal/journal.service.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { readHold, whileHoldLasts } from '../hold/hold.service.ts';
import {
  countOpenCases,
  endPresentCases,
  keepEntries,
  keepObjects,
  lowerComparedFrom,
  settleUnjournaled,
} from './cases.worker.queries.ts';
import { BEFORE_NEWEST_MS, beforeWithLag } from './check.ts';
import { findMissingObjects } from './compare.ts';
import { selectMissingMarks, selectNewestMark, selectOldestComparison } from './compare.worker.queries.ts';
import { findOtherJournals } from './journals.ts';
import { JOURNAL_LOSS, markLostBefore, noteJournalRead, selectSettled } from './journals.worker.queries.ts';

/** What comparing needs. */
export type Comparing = {
  db: Db;
  gateways: { configured: readonly Gateway[] };
  journal: Journal;
  /** How late a gateway may list what it has made. */
  gatewayLagSeconds: number;
  logger?: Pick<Logger, 'error'>;
};

/** What a pass has found: how many open cases there are, and the journals that were read or given up before it asked the gateways. */
export type Pass = { found: number; settled: readonly string[] };

const ENTRIES_A_BATCH = 500;
/** Of their documents: each is in memory several times. An invoice may have thousands of lines. */
const CHARACTERS_A_BATCH = 2_000_000;
/** As many as one statement compares in a fraction of the time that it may take. */
const CASES_A_BATCH = 2_000;

/**
 * Compares the database with the journals of this machine and with the gateways during a hold, and keeps what it lacks as cases. It changes
 * nothing else, and may be made by several processes at once. Without a hold it does nothing.
 * @throws GatewayError when a gateway can't be asked
 */
export async function makePass(comparing: Comparing, signal?: AbortSignal): Promise<Pass> {
  const { db } = comparing;
  const hold = await readHold(db);
  if (hold === null) return { found: 0, settled: [] };
  if (hold.comparedFrom === null) await settleComparedFrom(comparing, hold.id);
  await readJournals(comparing, signal);
  // Those that others read during this pass may name what it has passed over.
  const settled = await selectSettled(db, hold.id);
  const since = (await readHold(db))?.comparedFrom;
  if (since) {
    for await (const objects of findMissingObjects(comparing, { since, signal }))
      await whileHoldLasts(db, hold.id, (tx) => keepObjects(tx, hold.id, objects));
    // A journal has the mark of an object before that is made: what it has got since it was read counts too.
    await readJournals(comparing, signal);
  }
  signal?.throwIfAborted();
  await noteUnjournaled(db, hold.id);
  for (let after: string | null = NIL; after !== null; ) after = await endPresentBatch(db, hold.id, after);
  return { found: await countOpenCases(db, hold.id), settled };
}

/**
 * A mark is in a journal before its object is made at a gateway. So an object of this database whose mark neither the database nor a
 * journal has shows that a journal is not whole: it went back with the database, as on a virtual machine that was rolled back, or the
 * database does not know it. Which one, the object does not say.
 */
async function noteUnjournaled(db: Db, holdId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const found = await settleUnjournaled(tx, holdId);
    if (found === null) return;
    await appendToLastAlert(tx, OPERATOR_SCOPE, { kind: 'charges_held', sentence: `${WENT_BACK}${found}.` });
  });
}

/** @returns the last case of the batch, after which the next one begins; null when there is no more */
async function endPresentBatch(db: Db, holdId: string, after: string): Promise<string | null> {
  let last: string | null = null;
  await whileHoldLasts(db, holdId, async (tx) => {
    last = await endPresentCases(tx, holdId, { after, limit: CASES_A_BATCH });
  });
  return last;
}

/**
 * Compares from a quarter of an hour before the newest mark, or before the last comparison: after the database went back, newer marks may
 * have been written before that was noticed, and gateways compared that did not list everything yet.
 */
async function settleComparedFrom({ db, gateways, gatewayLagSeconds }: Comparing, holdId: string): Promise<void> {
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

/** Reads each journal here once in a hold, and from then on its last entries. One with damaged lines does not count as read. */
async function readJournalsHere(
  { db, journal, logger }: Omit<Comparing, 'gateways'>,
  holdId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const id = journal.id();
  const { readable } = await findOtherJournals(db, journal);
  for (const reader of [...(id === null ? [] : [{ ...journal, id }]), ...readable]) {
    if ((await selectSettled(db, holdId)).includes(reader.id)) {
      await keepMissingEntries(db, holdId, reader.readLast());
      continue;
    }
    const damaged = await keepJournal(db, holdId, reader, signal);
    if (damaged.length > 0) logger?.error({ journal: reader.id, damaged }, 'a journal has damaged lines');
    else await noteJournalRead(db, holdId, reader.id);
  }
}

/** @returns where lines are damaged, which are left out */
async function keepJournal(
  db: Db,
  holdId: string,
  reader: Pick<JournalReader, 'read'>,
  signal: AbortSignal | undefined,
): Promise<DamagedLine[]> {
  const damaged: DamagedLine[] = [];
  let batch: JournalEntry[] = [];
  let characters = 0;
  const keep = async () => {
    signal?.throwIfAborted();
    await keepMissingEntries(db, holdId, batch);
    [batch, characters] = [[], 0];
  };
  for await (const entry of reader.read((line) => void damaged.push(line))) {
    batch.push(entry);
    characters += entry.document.length;
    if (batch.length >= ENTRIES_A_BATCH || characters >= CHARACTERS_A_BATCH) await keep();
  }
  await keep();
  return damaged;
}

/**
 * Keeps those of a journal's entries that the database lacks. A charge or a refund at a gateway is a case only if the gateway has it.
 * @returns false when the hold has ended: then nothing was kept
 */
export async function keepMissingEntries(db: Db, holdId: string, entries: readonly JournalEntry[]): Promise<boolean> {
  const missing = entries.length === 0 ? [] : await selectMissingMarks(db, onlyOnce(entries));
  if (missing.length === 0) return true;
  const earliestMs = Math.min(...missing.map(({ at }) => Date.parse(at)));
  await lowerComparedFrom(db, holdId, new Date(earliestMs - BEFORE_NEWEST_MS));
  return whileHoldLasts(db, holdId, async (tx) => {
    await keepEntries(tx, holdId, { entries: missing, isCase });
    // Numbers that were lost with a journal stay lost.
    for (const { kind, subject } of missing) if (kind === JOURNAL_LOSS) await markLostBefore(tx, holdId, subject);
  });
}

/** A journal may have a mark twice: a note of another process lacks the request, and may lack the document. */
function onlyOnce(entries: readonly JournalEntry[]): JournalEntry[] {
  const byMark = new Map<string, JournalEntry>();
  for (const entry of entries) {
    const key = `${entry.companyId} ${entry.mark}`.toLowerCase();
    const known = byMark.get(key);
    if (known === undefined) byMark.set(key, entry);
    else
      byMark.set(key, {
        ...(known.request === undefined ? entry : known),
        at: known.at < entry.at ? known.at : entry.at,
      });
  }
  return [...byMark.values()];
}

/** Kinds of entries that only show that the database went back: a person decides again about what is under review again. */
const NO_CASES: ReadonlySet<string> = new Set([JOURNAL_LOSS, 'payment_decision', 'refund_decision']);

/** What a gateway knows is a case by that. */
function isCase({ kind, document }: JournalEntry): boolean {
  if (NO_CASES.has(kind)) return false;
  if (kind !== 'payment' && kind !== 'refund') return true;
  const content = JSON.parse(document) as { gateway?: unknown; amount_minor?: unknown } | null;
  return kind === 'payment' ? content?.gateway === 'none' : content?.amount_minor === 0;
}
