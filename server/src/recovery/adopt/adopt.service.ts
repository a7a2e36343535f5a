import { isDocumentNumber, reserveUpTo } from '../../billing/numbering/numbering.service.ts';
import { alertUncounted } from '../../billing/restore/restore.service.ts';
import { transactionWhileHeld, WENT_BACK } from '../../continuity/hold/charges-hold.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { closeUsageCutoff } from '../../metering/usage/usage.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { whileLocked } from '../../platform/database/locks.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { NO_COMPANY } from '../../platform/http/company-ids/company-id.ts';
import { readHold } from '../hold/hold.service.ts';
import { beginSeriesWithoutJournal } from '../hold/lost-journal.ts';
import {
  countCasesLeft,
  selectCompaniesHere,
  selectComparison,
  selectFirstCase,
  selectHighestNumbers,
  selectMissingJournals,
  selectUnjournaled,
} from './adopt.worker.queries.ts';
import { type AdoptDependencies, carryOut } from './carry-out.ts';
import { requireSameGateways } from './objects/same-gateways.ts';
import { bookRunning, bookUnasked } from './objects/unasked.ts';

/** How long one request deals with cases: clients wait for its answer. */
const WITHIN_MS = 20_000;
const NO_ANSWER_RETRY_SECONDS = 30;

type Given = Omit<AdoptDependencies, 'companies'>;

/** A case that was dealt with. */
export type Decided = { id: string; state: 'done' | 'person'; note: string };

/**
 * Deals with open cases in the order in which they happened, each in a transaction of its own, for some seconds. It can be stopped at any
 * moment and called again. Before the first case it books what running payments have captured. After the last one it books what happened
 * at the gateways without a request from here, and usage that arrives is late again: until then, what was sent again counted as billed, and
 * a person is alerted where that is more than invoices took.
 * @param asked.companies - by the id of a company that the database lacks, the one that gets what belonged to it; cases that were left to a
 * person for that reason are dealt with again
 * @returns what was decided, and how many cases are left
 * @throws ApiError 400; gateway_differs, journal_missing, recovery_running, service_unavailable
 */
export async function adoptCases(
  given: Given,
  asked: { companies: Readonly<Record<string, string>>; limit: number },
): Promise<{ decided: Decided[]; remaining: number }> {
  const { db } = given;
  const companies = await readCompanies(db, asked.companies);
  const again = [...companies.keys()];
  return alone(db, async () => {
    // Before anybody gives a journal up because of it: with the wrong account the database may not have gone back at all.
    await requireSameGateways(db, given.gateways);
    await requireJournals(db);
    await begin(given);
    const decided = await carryOutAll({ ...given, companies }, again, asked.limit);
    const remaining = await countCasesLeft(db, again);
    if (remaining === 0) await conclude(given);
    return { decided, remaining };
  }).catch((error: unknown) => {
    throw explain(error);
  });
}

/** The comparison of which this process has booked the running payments. */
const booked = new WeakMap<Db, string>();

/** Before the first case. What is issued meanwhile gets none of the numbers that lost documents have, known or not. */
async function begin({ db, gateways }: Given): Promise<void> {
  await transactionWhileHeld(db, async (tx) => {
    for (const number of await selectHighestNumbers(tx)) if (isDocumentNumber(number)) await reserveUpTo(tx, number);
    const hold = await readHold(tx);
    if (hold !== null) await beginSeriesWithoutJournal(tx, hold.id);
  });
  const comparison = await selectComparison(db);
  const name = JSON.stringify(comparison);
  // Not with each request: a gateway's list may take longer than all cases of one.
  if (comparison === null || booked.get(db) === name) return;
  await bookRunning({ db, gateways }, comparison.since);
  booked.set(db, name);
}

/** After the last case. What left before the hold may have been captured during it. */
async function conclude({ db, gateways }: Given): Promise<void> {
  const comparison = await selectComparison(db);
  if (comparison !== null) {
    await bookRunning({ db, gateways }, comparison.since);
    await bookUnasked({ db, gateways }, comparison.since);
  }
  await transactionWhileHeld(db, alertUncounted);
  await closeUsageCutoff(db);
}

/** @throws ApiError journal_missing during a hold that lacks a journal: its entries may have happened before the others */
async function requireJournals(db: Db): Promise<void> {
  const unjournaled = await selectUnjournaled(db);
  if (unjournaled !== null) {
    const message = `${WENT_BACK}${unjournaled}. Read the newest copy of it, or declare it lost.`;
    throw new ApiError('journal_missing', message);
  }
  const missing = await selectMissingJournals(db);
  if (missing.length === 0) return;
  const names = missing.map(({ id, host, directory, damage }) =>
    damage === null ? `${id} (${directory} on ${host})` : `${id} on ${host}, which is damaged: ${damage}`,
  );
  const message = `These journals were not read: ${names.join(', ')}. Read them, or declare them lost.`;
  throw new ApiError('journal_missing', message);
}

/** What fails for a reason that passes ends this, unless something was done before: then the next call finds the reason. */
async function carryOutAll(
  dependencies: AdoptDependencies,
  again: readonly string[],
  limit: number,
): Promise<Decided[]> {
  const { db } = dependencies;
  const decided: Decided[] = [];
  const endMs = performance.now() + WITHIN_MS;
  while (decided.length < limit && performance.now() < endMs) {
    const found = await selectFirstCase(db, again);
    if (found === null) break;
    try {
      const decision = await carryOut(dependencies, found);
      if (decision !== null) decided.push({ id: found.id, ...decision });
    } catch (error) {
      if (decided.length === 0) throw error;
      break;
    }
  }
  return decided;
}

function explain(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  const options = { retryAfterSeconds: NO_ANSWER_RETRY_SECONDS, cause: error };
  return new ApiError(
    'service_unavailable',
    'A gateway gives no answer. The finished cases stay finished; send the request again.',
    options,
  );
}

/** @throws ApiError 400 */
async function readCompanies(db: Db, byOldId: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const companies = new Map(Object.entries(byOldId).map(([old, now]) => [old.toLowerCase(), now.toLowerCase()]));
  const here = new Set(await selectCompaniesHere(db, [...companies.keys(), ...companies.values()]));
  for (const [old, now] of companies) {
    if (old === NO_COMPANY)
      throw invalidField('companies', 'must have the UUID of a lost company: nobody has its external id');
    if (here.has(old)) throw invalidField('companies', `must not have ${old}, which is in the database`);
    if (!here.has(now)) {
      const named = now === NO_COMPANY ? 'an external id that nobody has' : `${now}, which is not in the database`;
      throw invalidField('companies', `must not name ${named}`);
    }
  }
  return companies;
}

/** One process at a time. */
async function alone<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const result = await whileLocked(db, 'recovery_cases', work);
  if (result !== 'taken') return result;
  throw new ApiError('recovery_running', 'Another request is processing the cases right now.');
}
