import type { Logger } from 'pino';
import { isDocumentNumber, reserveUpTo } from '../../billing/numbering/numbering.service.ts';
import { transactionWhileHeld, WENT_BACK } from '../../continuity/hold/charges-hold.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { closeUsageCutoff } from '../../metering/usage/usage.service.ts';
import { type Db, isConflict, isDatabaseUnavailable } from '../../platform/database/database.ts';
import { whileLocked } from '../../platform/database/locks.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { NO_COMPANY } from '../../platform/http/company-ids/company-id.ts';
import { findCompanyOf } from '../companies/lost-companies.ts';
import { readHold } from '../hold/hold.service.ts';
import { beginSeriesWithoutJournal } from '../hold/lost-journal.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import {
  countCasesLeft,
  moveCase,
  selectCompaniesHere,
  selectFirstCase,
  selectHighestNumbers,
} from './adopt.worker.queries.ts';
import { type AdoptDependencies, AlreadyDecidedError, conclude, type Decision } from './decide.ts';
import { keepFromCharging, restoreEntry } from './entries.ts';
import { selectJournalOverview } from './overview.operator.queries.ts';
import { unanswered } from './overview.ts';
import { adoptPayment } from './payments.ts';
import { adoptRefund } from './refunds.ts';
import { bookRunning, bookUnasked, requireSameGateways } from './unasked.ts';

/** How long one request deals with cases: clients wait for its answer. */
const WITHIN_MS = 20_000;

type Given = AdoptDependencies & { logger: Pick<Logger, 'error'> };
/** `companies`: by the id of a company that the database lacks, the one that gets what belonged to it. */
type Adopting = Given & { companies: ReadonlyMap<string, string> };

/** A case that was dealt with. */
export type Decided = { id: string; state: 'done' | 'person'; note: string };

/**
 * Deals with open cases in the order in which they happened, each in a transaction of its own, for some seconds. It can be stopped at any
 * moment and called again. Before the first case it books what running payments have captured. After the last one it books what happened
 * at the gateways without a request from here, and usage that arrives is late again: until then, what was sent again counted as billed.
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
    if (remaining === 0) await end(given);
    return { decided, remaining };
  }).catch((error: unknown) => {
    throw unanswered(error, 'A gateway gives no answer. The finished cases stay finished; send the request again.');
  });
}

/** Before the first case. What is issued meanwhile gets none of the numbers that lost documents have, known or not. */
async function begin({ db, gateways }: Given): Promise<void> {
  await transactionWhileHeld(db, async (tx) => {
    for (const number of await selectHighestNumbers(tx)) if (isDocumentNumber(number)) await reserveUpTo(tx, number);
    const hold = await readHold(tx);
    if (hold !== null) await beginSeriesWithoutJournal(tx, hold.id);
  });
  const hold = await readHold(db);
  if (hold?.comparedFrom) await bookRunning({ db, gateways }, hold.comparedFrom);
}

/** After the last case. What left before the hold may have been captured during it. */
async function end({ db, gateways }: Given): Promise<void> {
  const since = (await readHold(db))?.comparedFrom;
  if (since) {
    await bookRunning({ db, gateways }, since);
    await bookUnasked({ db, gateways }, since);
  }
  await closeUsageCutoff(db);
}

/** @throws ApiError journal_missing during a hold that lacks a journal: its entries may have happened before the others */
async function requireJournals(db: Db): Promise<void> {
  const missing = (await selectJournalOverview(db)).filter((journal) => journal.missing);
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ id, host, directory }) => `${id} (${directory} on ${host})`).join(', ');
  const message =
    first.lacks === null
      ? `These journals were not read: ${names}. Read them, or declare them lost.`
      : `${WENT_BACK}${first.lacks}. Read the newest copy of it, or declare it lost.`;
  throw new ApiError('journal_missing', message);
}

/** What fails for a reason that passes ends this, unless something was done before: then the next call finds the reason. */
async function carryOutAll(dependencies: Adopting, again: readonly string[], limit: number): Promise<Decided[]> {
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

/**
 * Deals with one case, in a transaction of its own. One that can't be carried out does not keep the others waiting.
 * @returns null when another process has done so meanwhile
 * @throws GatewayError, ApiError and errors of the database after which the same can be tried again
 */
async function carryOut(dependencies: Adopting, found: RecoveryCase): Promise<Decision | null> {
  const { db, logger, companies } = dependencies;
  const { id, source, kind, happenedAt, companyId: oldId } = found;
  let companyId = companies.get(oldId) ?? oldId;
  const adopt = source === 'journal' ? restoreEntry : kind === 'refund' ? adoptRefund : adoptPayment;
  try {
    if (!companies.has(oldId)) companyId = await findCompanyOf(dependencies, found);
    const decision = await adopt(dependencies, found, companyId);
    if (companyId !== oldId) await moveCase(db, id, companyId);
    return decision;
  } catch (error) {
    if (error instanceof AlreadyDecidedError) return null;
    if (isTemporary(error)) throw error;
    logger.error({ err: error, case: id }, 'a recovery case could not be processed');
    const note =
      `The ${kind} of ${happenedAt.toISOString()} of company ${oldId} could not be carried out; the log says why (case ${id}). ` +
      'Compare it with what the company has now.';
    return conclude({ db }, found, (tx) => keepFromCharging(tx, companyId, found, { state: 'person', note }));
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  if (error instanceof GatewayError) return error.kind !== 'rejected' && error.kind !== 'not_configured';
  return isDatabaseUnavailable(error) || isConflict(error);
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
