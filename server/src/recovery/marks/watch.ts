import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import type { Journal } from '../../continuity/journal/journal.service.ts';
import { hasMarks } from '../../continuity/journal/marks.parts.queries.ts';
import { type Gateway, GatewayError } from '../../gateways/gateway/gateway.ts';
import { repeatEvery, type Worker } from '../../platform/background/background.ts';
import { type Db, isDatabaseUnavailable } from '../../platform/database/database.ts';
import { watchMarks } from '../../platform/database/driver/marks-watch.ts';
import { beginHold, type MailsOfHold, readHold } from '../hold/hold.service.ts';
import { startHoldWatcher, watchHold } from '../hold/hold.worker.ts';
import { checkGateway, MISSING_MARK } from './check.ts';
import { createJournalRounds } from './journals.ts';
import { type Finding, findingOf, HOLDS_ITSELF, type State, TRANSITIONS } from './noticing.ts';
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
  const journals = createJournalRounds(noticing);
  const gateways = createGatewayRounds(noticing);
  const stopping = new AbortController();
  const holdWatch = createHoldWatch(noticing);
  const noticed = createNoticed(noticing, () => watchHold(holdWatch, stopping.signal));

  /** @returns whether the gateways are to be compared too */
  const compareJournals = async ({ isPatient }: { isPatient: boolean }) => {
    const isHeld = (await readHold(db)) !== null;
    // Before this process stops holding itself.
    if (isHeld) await chargesHold.refresh();
    const missing = await journals.compare();
    const loss = await journals.findLoss();
    const finding = findingOf({ isHeld, isMissing: missing !== null, loss, isPatient });
    noticed.observe(finding, [missing ?? [], loss?.reason ?? []].flat().join(' '));
    if (finding === 'journal absent') return false;
    await noticed.writeHold();
    if (journals.endLoss()) journal.begin();
    await journals.keep();
    return finding === 'nothing missing';
  };
  const compareGateways = async (everySeconds: number, signal?: AbortSignal) => {
    const reason = await gateways.compare(everySeconds, signal);
    if (reason === null) return;
    noticed.observe('something missing', reason);
    await noticed.writeHold();
  };
  const compare = async (everySeconds: number, signal?: AbortSignal) => {
    if (await compareJournals({ isPatient: false })) await compareGateways(everySeconds, signal);
  };
  const retry = async () => {
    const state = noticed.state();
    if (state === 'waiting') await compareJournals({ isPatient: true });
    if (state === 'doubting')
      noticed.observe((await journals.compare()) === null ? 'nothing missing' : 'something missing', MISSING_MARK);
    await noticed.writeHold();
  };

  const logFailure = (error: unknown) => {
    if (isDatabaseUnavailable(error)) return;
    logger.warn({ err: error }, 'the database could not be compared; it will be retried');
  };
  watchMarks(db, {
    hasMarks: () => hasMarks(journals.expected()),
    onMissing: noticed.lacksMark,
    onOtherServer: () => void chargesHold.doubt().catch(logFailure),
  });
  chargesHold.compareWith(atMostEach(Math.min(DOUBTS_SECONDS, marksCheckSeconds), () => compare(0)));
  const isSound = await compareJournals({ isPatient: true });
  const first = isSound ? compareGateways(0, stopping.signal).catch(logFailure) : Promise.resolve();
  const compared = first.then(noticed.firstPass);
  await Promise.race([compared, sleep(startPatienceMs, undefined, { ref: false })]);
  const check = (signal: AbortSignal) => compare(marksCheckSeconds * OF_INTERVAL, signal);
  const workers = [
    repeatEvery({ work: check, logFailure, everyMs, firstAfterMs: everyMs }),
    repeatEvery({ work: retry, logFailure, everyMs: RETRY_MS, firstAfterMs: RETRY_MS }),
    startHoldWatcher(holdWatch, logger),
  ];
  return {
    stop: async () => {
      watchMarks(db, null);
      chargesHold.compareWith(null);
      stopping.abort();
      await Promise.all([compared, ...workers.map(({ stop }) => stop())]);
      await noticed.firstPass();
      if (noticed.state() === 'waiting') return;
      await journals
        .compare()
        .then(journals.keep)
        .catch(() => undefined);
    },
  };
}

/** What this process knows of its database. It holds itself at once, and all others as soon as the database can be written. */
function createNoticed({ db, chargesHold, mails, logger }: NoticingDependencies, pass: () => Promise<unknown>) {
  let state: State = 'starting';
  let reason = '';
  let findings = 0;
  let firstPass = Promise.resolve<unknown>(undefined);
  const observe = (finding: Finding, why: string) => {
    findings += 1;
    state = TRANSITIONS[state][finding];
    if (why !== '') reason = why;
    chargesHold.suspect('marks', HOLDS_ITSELF.has(state) ? reason : null);
  };
  return {
    state: () => state,
    observe,
    /** A new connection lacks a mark. During a hold, that was so before, and may end before the next hold could begin. */
    lacksMark: () => {
      if (chargesHold.current()?.by === 'database') observe('held', '');
      observe('mark lacking', MISSING_MARK);
    },
    /** Writes the hold if something is missing. What is found meanwhile has it written once more. */
    writeHold: async () => {
      if (state !== 'suspecting') return;
      const known = findings;
      const isNew = await beginHold({ db, chargesHold, mails }, reason);
      if (findings === known) observe('held', reason);
      // The first pass shows at once what is missing. The hold's watcher makes the next ones.
      if (isNew)
        firstPass = pass()
          .then(chargesHold.refresh)
          .catch((error) => logger.warn({ err: error }, 'a pass during the hold failed; it will be retried'));
    },
    /** Resolves when the first pass of the last hold that began here has ended, which may take minutes. */
    firstPass: () => firstPass,
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

/** Compares each gateway. One that can't be asked holds nothing, and is logged once until it answers. */
function createGatewayRounds({ db, gateways, config, logger }: NoticingDependencies) {
  const silent = new Set<string>();
  const lagSeconds = config.gatewayLagSeconds;
  return {
    compare: async (everySeconds: number, signal?: AbortSignal): Promise<string | null> => {
      for (const gateway of gateways) {
        try {
          const reason = await checkGateway(db, gateway, { everySeconds, lagSeconds }, signal);
          silent.delete(gateway.name);
          if (reason !== null) return reason;
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          if (!silent.has(gateway.name))
            logger.warn({ err: error, gateway: gateway.name }, 'a gateway cannot be compared with the database');
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
