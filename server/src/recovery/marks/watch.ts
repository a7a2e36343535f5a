import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import { forgetLaterJournal, type Journal, nameLaterJournal } from '../../continuity/journal/journal.service.ts';
import type { Gateway } from '../../gateways/gateway/gateway.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import { type Db, isDatabaseUnavailable } from '../../platform/database/database.ts';
import { watchMarks } from '../../platform/database/driver/marks-watch.ts';
import { beginHold, type MailsOfHold, readHold } from '../hold/hold.service.ts';
import { startHoldWatcher, watchHold } from '../hold/hold.worker.ts';
import { type MarkOf, selectNewestMarks } from './compare.worker.queries.ts';
import { deleteJournalUnlessKept } from './journals.worker.queries.ts';
import { createLossFinder, isCopy } from './lost-journals.ts';
import { checkGateway, checkJournals, type JournalsChecked, MISSING_MARK } from './notice.ts';
import { makePass, readJournals } from './pass.ts';

export type NoticingDependencies = MailsOfHold & {
  db: Db;
  /** Nobody else logs their failures. */
  gateways: readonly Gateway[];
  journal: Journal;
  chargesHold: ChargesHold;
  config: { marksCheckSeconds: number; gatewayLagSeconds: number };
  logger: Logger;
};

/** How long the start waits for the gateways, for journals of other machines, and for the first pass of a hold. */
const START_PATIENCE_MS = 5_000;
/** As many as one statement of a new connection compares. */
const MARKS_A_CONNECTION = 32;
const RETRY_MS = 1_000;
/** A process compares again a little early rather than leaving it to the next time. */
const OF_INTERVAL = 0.9;
const DOUBTS_SECONDS = 10;

/**
 * Compares the database with this machine's journals and with the gateways: now, each `marksCheckSeconds`, with each new connection, and
 * in doubt. Holds charges if the database went back, makes passes during a hold, and ends it. Resolves when the journals were compared, and
 * the gateways too unless they are slow. The first pass of a hold does not keep the start waiting for longer either.
 */
export async function startNoticing(
  noticing: NoticingDependencies,
  startPatienceMs = START_PATIENCE_MS,
): Promise<Worker> {
  const { db, journal, chargesHold, config, logger } = noticing;
  const { marksCheckSeconds } = config;
  const everyMs = marksCheckSeconds * 1_000;
  const holdWatch = createHoldWatch(noticing);
  const journals = createJournalRounds(noticing);
  const gateways = createGatewayRounds(noticing);
  const stopping = new AbortController();
  const pass = () => watchHold(holdWatch, stopping.signal);
  const holder = createHolder(noticing, { compare: journals.compare, pass });
  const losses = createLossFinder(noticing);
  let isWaiting = false;
  /** @param isPatient - whether other machines still have time to bring a journal: until then only this process is held */
  const compareJournals = async ({ isPatient }: { isPatient: boolean }) => {
    const hold = await readHold(db);
    const missing = await journals.compare();
    const loss = await losses.find(journals.checked());
    isWaiting = isPatient && hold === null && missing === null && loss?.mayCome === true;
    if (isWaiting) chargesHold.suspect('journals', loss?.reason ?? null);
    const reasons = [missing ?? [], loss?.reason ?? []].flat();
    if (isWaiting) return false;
    if (reasons.length > 0 && hold === null) await holder.hold(reasons.join(' '));
    await losses.forget();
    chargesHold.suspect('journals', null);
    if (losses.isJudged()) journal.begin();
    const isSound = hold === null && reasons.length === 0;
    if (isSound) await journals.separate();
    await journals.keep();
    return isSound;
  };
  const awaitJournals = async () => {
    if (isWaiting) await compareJournals({ isPatient: true });
  };
  const compareGateways = async (everySeconds: number, signal?: AbortSignal) => {
    const reason = await gateways.compare(everySeconds, signal);
    if (reason !== null) await holder.hold(reason);
  };
  const compare = async (everySeconds: number, signal?: AbortSignal) => {
    if (await compareJournals({ isPatient: false })) await compareGateways(everySeconds, signal);
  };

  const logFailure = (error: unknown) => {
    if (isDatabaseUnavailable(error)) return;
    logger.warn({ err: error }, 'the database could not be compared; it will be retried');
  };
  const onOtherServer = () => void chargesHold.doubt().catch(logFailure);
  watchMarks(db, { expected: journals.expected, onMissing: holder.suspect, onOtherServer });
  chargesHold.compareWith(atMostEach(Math.min(DOUBTS_SECONDS, marksCheckSeconds), () => compare(0)));
  const isSound = await compareJournals({ isPatient: true });
  const first = isSound ? compareGateways(0, stopping.signal).catch(logFailure) : Promise.resolve();
  const compared = first.then(holder.firstPass);
  await Promise.race([compared, sleep(startPatienceMs, undefined, { ref: false })]);
  const workers = [
    repeatEvery({
      work: (signal) => compare(marksCheckSeconds * OF_INTERVAL, signal),
      ...{ logFailure, everyMs, firstAfterMs: everyMs },
    }),
    repeatEvery({ work: holder.retry, logFailure, everyMs: RETRY_MS, firstAfterMs: RETRY_MS }),
    repeatEvery({ work: awaitJournals, logFailure, everyMs: RETRY_MS, firstAfterMs: RETRY_MS }),
    startHoldWatcher(holdWatch, logger),
  ];
  return {
    stop: async () => {
      watchMarks(db, null);
      chargesHold.compareWith(null);
      stopping.abort();
      await Promise.all([compared, ...workers.map(({ stop }) => stop())]);
      await holder.firstPass();
      if (!isWaiting)
        await journals
          .compare()
          .then(journals.keep)
          .catch(() => undefined);
    },
  };
}

function createHoldWatch({ db, gateways, journal, chargesHold, config, logger }: NoticingDependencies) {
  const { marksCheckSeconds, gatewayLagSeconds } = config;
  const comparing = { db, gateways: { configured: gateways }, journal, gatewayLagSeconds, logger };
  return {
    ...{ db, chargesHold, marksCheckSeconds, gatewayLagSeconds },
    readJournals: (signal?: AbortSignal) => readJournals(comparing, signal),
    makePass: (signal?: AbortSignal) => makePass(comparing, signal),
  };
}

/** Holds this process at once, and all of them as soon as the database can be written. */
function createHolder(
  { db, chargesHold, mails, logger }: NoticingDependencies,
  { compare, pass }: { compare: () => Promise<string | null>; pass: () => Promise<unknown> },
) {
  let suspicion: { reason: string; isSure: boolean } | null = null;
  let firstPass = Promise.resolve<unknown>(undefined);
  const suspect = (reason: string, isSure: boolean) => {
    suspicion = { reason, isSure: isSure || suspicion?.isSure === true };
    chargesHold.suspect('marks', reason);
  };
  const retry = async () => {
    const known = suspicion;
    if (known === null) return;
    const isHeld = known.isSure || (await compare()) !== null;
    const isNew = isHeld && (await beginHold({ db, chargesHold, mails }, known.reason));
    if (suspicion === known) suspicion = null;
    if (suspicion === null) chargesHold.suspect('marks', null);
    // The first pass shows at once what is missing. The hold's watcher makes the next ones.
    if (isNew)
      firstPass = pass()
        .then(chargesHold.refresh)
        .catch((error) => logger.warn({ err: error }, 'a pass during the hold failed; it will be retried'));
  };
  return {
    /** A new connection lacks a mark. During a hold, that was so before, and may end before the next hold could begin. */
    suspect: () => suspect(MISSING_MARK, chargesHold.current()?.by !== 'database'),
    retry,
    /** Resolves when the first pass of the last hold that began here has ended, which may take minutes. */
    firstPass: () => firstPass,
    hold: async (reason: string) => {
      suspect(reason, true);
      await retry();
    },
  };
}

/** Compares the journals, and keeps this machine's able to show the next time that the database goes back. */
function createJournalRounds({ db, journal, logger }: NoticingDependencies) {
  let checked: JournalsChecked = { readable: [], others: [], own: [], marks: [], reason: null };
  let remembered: MarkOf[] = [];
  let keptId: string | null = null;

  const compare = async (): Promise<string | null> => {
    checked = await checkJournals(db, journal, remembered);
    remembered = newestOf(checked.marks);
    return checked.reason;
  };
  /**
   * A journal knows the newest mark of the database, whoever wrote it: a new one from its beginning on, and that of an idle machine too.
   * The other journals on this machine learn that this one is kept later. Once the database was seen to have all of a journal whose
   * folder was deleted, the one that replaces it makes that forgotten.
   */
  const keep = async () => {
    const id = journal.id();
    if (checked.reason === MISSING_MARK || id === null) return;
    const newest = await selectNewestMarks(db);
    const has = ({ mark }: { mark: string }) => checked.own.some((own) => own.mark === mark);
    try {
      for (const mark of newest.filter((one) => !has(one))) await journal.note(mark);
      await forgetLaterJournal(journal.directory);
      const others = journal.hasRecorded() ? checked.readable : [];
      for (const { directory } of others) await nameLaterJournal(directory, id).catch(() => undefined);
    } catch (error) {
      logger.debug({ err: error }, 'the journal could not get the newest mark; it will be retried');
      return;
    }
    if (checked.reason === null && keptId !== null && id !== keptId) await deleteJournalUnlessKept(db, keptId);
    keptId = id;
  };
  /** Two journals with one name would count as read when one of them was. */
  const separate = async () => {
    if (!(await isCopy(db, journal, checked.own))) return;
    logger.warn(
      { directory: journal.directory },
      'the journal is a copy of one that is kept elsewhere; it gets an id of its own',
    );
    await journal.replace();
  };
  /** Also what other processes of this machine have written a moment ago. */
  const expected = () => newestOf([...remembered, ...journal.newestMarks(), ...journal.readNewest()]);
  return { compare, checked: () => checked, separate, keep, expected };
}

function newestOf(marks: readonly MarkOf[]): MarkOf[] {
  const byMark = new Map(marks.map((mark) => [mark.mark, mark]));
  return [...byMark.values()].sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MARKS_A_CONNECTION);
}

/** Compares each gateway. One that can't be asked holds nothing, and is logged once until it answers. */
function createGatewayRounds({
  db,
  gateways,
  config: { gatewayLagSeconds: lagSeconds },
  logger,
}: NoticingDependencies) {
  const silent = new Set<string>();
  return {
    compare: async (everySeconds: number, signal?: AbortSignal): Promise<string | null> => {
      for (const gateway of gateways) {
        try {
          const reason = await checkGateway(db, gateway, { everySeconds, lagSeconds }, signal);
          silent.delete(gateway.name);
          if (reason !== null) return reason;
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          if (!silent.has(gateway.name)) {
            logger.warn({ err: error, gateway: gateway.name }, 'a gateway cannot be compared with the database');
          }
          silent.add(gateway.name);
        }
      }
      return null;
    },
  };
}

/** Calls that come while it works, or soon after, are one with the last. */
function atMostEach(seconds: number, work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() > notBeforeMs) {
      notBeforeMs = performance.now() + seconds * 1_000;
      last = work();
    }
    return last;
  };
}
