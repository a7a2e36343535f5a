import type { ChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import type { Journal } from '../../continuity/journal/journal.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db, Queryable } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { isCurrency } from '../../platform/money/currencies.ts';
import { formatDecimal, parseDecimal } from '../../platform/money/decimal.ts';
import { formatAmount, toMinor } from '../../platform/money/money.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { readHold } from '../hold/hold.service.ts';
import { watchHold } from '../hold/hold.worker.ts';
import { makePass } from '../marks/pass.ts';
import type { CaseQuery, Recovery, RecoveryCaseList } from '../schema/recovery.schema.ts';
import { planOfEntry } from './entries.ts';
import { planOfObject } from './notes.ts';
import { type CaseRow, countCases, selectCases, selectJournalOverview } from './overview.operator.queries.ts';

/** Reads why and until when charges are held by the database, its journals, and how many cases there are. */
export async function readRecovery(
  db: Queryable,
  { gatewayLagSeconds }: { gatewayLagSeconds: number },
): Promise<Recovery> {
  const [hold, journals, cases] = await Promise.all([readHold(db), selectJournalOverview(db), countCases(db)]);
  if (hold === null) return { hold, journals, cases };
  const { id, reason, begunAt: since, comparedFrom, lastPassAt, lastPassFound: found } = hold;
  const until = new Date(since.getTime() + gatewayLagSeconds * 1_000);
  return { hold: { id, reason, since, until, comparedFrom, lastPassAt, found }, journals, cases };
}

/** Reads a page of the cases, in the order in which they happened. */
export async function listCases(db: Db, { page, perPage, state }: CaseQuery): Promise<RecoveryCaseList> {
  const range = { limit: perPage, offset: (page - 1) * perPage };
  const { total, data } = await selectCases(db, { state: state ?? null, ...range });
  return { total, page, perPage, data: data.map(describe) };
}

function describe(found: CaseRow): RecoveryCaseList['data'][number] {
  const { total: _total, minor: _minor, status: _status, hasCompany: _hasCompany, ...row } = found;
  return {
    ...row,
    companyId: row.companyId === OPERATOR_SCOPE ? null : row.companyId,
    amount: describeAmount(found),
    plan: row.state === 'open' ? describePlan(found) : null,
  };
}

/** Null also where a document says it in a way that none has, as after a fault of the disk. */
function describeAmount({ total, minor, currency }: CaseRow): string | null {
  const amount = parseDecimal(total ?? minor ?? '');
  if (amount === null || (currency !== null && !isCurrency(currency))) return null;
  if (currency === null) return total === null ? null : formatDecimal(amount);
  return formatAmount(total === null ? amount.coefficient : toMinor(amount, currency), currency);
}

function describePlan({ source, kind, companyId, hasCompany, status }: CaseRow): string {
  const needsCompany =
    source === 'journal' || (kind === 'payment' && status === 'captured' && companyId !== OPERATOR_SCOPE);
  if (needsCompany && !hasCompany)
    return `Company ${companyId} is not in the database. Name another company with --company, or the case is left to a person.`;
  return source === 'gateway' ? planOfObject(kind, status) : planOfEntry(kind);
}

export type PassDependencies = {
  db: Db;
  gateways: Gateways;
  chargesHold: ChargesHold;
  journal: Journal | null;
  config: { gatewayLagSeconds: number };
};

const NO_ANSWER_RETRY_SECONDS = 30;

/**
 * Compares the database now, which begins a hold if it went back; and during a hold makes a pass, which ends the hold where nothing is
 * left. @returns whether charges are held afterwards, and how many cases the pass has found
 * @throws ApiError service_unavailable when a gateway gives no answer
 */
export async function passNow(given: PassDependencies): Promise<{ held: boolean; found: number }> {
  const { db, gateways, chargesHold, journal } = given;
  const { gatewayLagSeconds } = given.config;
  if ((await readHold(db)) === null) await chargesHold.doubt();
  const pass = async (signal?: AbortSignal) => {
    if (journal === null) throw new RangeError('The recovery needs a service that keeps a journal.');
    return makePass({ db, gateways, journal, gatewayLagSeconds }, signal);
  };
  const watch = { db, chargesHold, makePass: pass, gatewayLagSeconds };
  const { found } = await watchHold(watch).catch((error: unknown) => {
    throw unanswered(error, 'A gateway does not answer the request for its list of payments and refunds.');
  });
  return { held: (await readHold(db)) !== null, found };
}

/** The error of a request for which a gateway gives no answer; any other error stays as it is. */
export function unanswered(error: unknown, message: string): unknown {
  if (!(error instanceof GatewayError)) return error;
  return new ApiError('service_unavailable', message, { retryAfterSeconds: NO_ANSWER_RETRY_SECONDS, cause: error });
}
