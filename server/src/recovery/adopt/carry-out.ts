import type { Logger } from 'pino';
import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { type Db, isConflict, isDatabaseUnavailable } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { acceptForeign, moveCase } from './adopt.worker.queries.ts';
import { AlreadyDecidedError, type Decision, decide } from './decision/decide.ts';
import { nameEntry } from './entries/describe-entry.ts';
import { keepFromCharging } from './entries/keep-from-charging.ts';
import { restoreEntry } from './entries/restore-entry.ts';
import { adoptObject } from './objects/adopt-object.ts';

export type AdoptDependencies = {
  db: Db;
  gateways: Gateways;
  logger: Pick<Logger, 'error'>;
  /** By the id of a company that the database lacks, the one that gets what belonged to it. */
  companies: ReadonlyMap<string, string>;
  /** Whose entries belong to this database, although they wrote to another one. */
  writers: readonly string[];
};

/**
 * Deals with one case, in a transaction of its own.
 * @returns null when another process has done so meanwhile
 * @throws GatewayError, ApiError and errors of the database after which the same can be tried again
 */
export async function carryOut(dependencies: AdoptDependencies, found: RecoveryCase): Promise<Decision | null> {
  const { db, logger, companies, writers } = dependencies;
  try {
    if (found.isForeign && !writers.includes(found.writer ?? ''))
      return await leaveToPerson(db, found, describeForeign(found));
    const companyId = companies.get(found.companyId);
    const isObject = found.source === 'gateway';
    const decision = await (isObject ? adoptObject(dependencies, found) : restoreEntry(db, found, companyId));
    if (companyId !== undefined) await moveCase(db, found.id, companyId);
    if (found.isForeign) await acceptForeign(db, found.id);
    return decision;
  } catch (error) {
    if (error instanceof AlreadyDecidedError) return null;
    if (isTemporary(error)) throw error;
    logger.error({ err: error, case: found.id }, 'a case of the recovery could not be carried out');
    return leaveToPerson(db, found, describeFailure(found), companies.get(found.companyId));
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500;
  if (error instanceof GatewayError) return error.kind !== 'rejected' && error.kind !== 'not_configured';
  return isDatabaseUnavailable(error) || isConflict(error);
}

/** One case that can't be carried out does not keep the others waiting. */
function describeFailure(found: RecoveryCase): string {
  const { id, kind, companyId, happenedAt } = found;
  const what = `The ${kind} of ${happenedAt.toISOString()} of company ${companyId}`;
  return `${what} could not be carried out; the log says why (case ${id}). Compare it with what the company has now.`;
}

/** A copy of the database is not this one, and an old primary that lived on may have told its customers something. */
function describeForeign(found: RecoveryCase): string {
  return (
    `${nameEntry(found, null)} of company ${found.companyId} was written to the journal by another database while this one was at work: ` +
    'a copy of it, or an old primary that lived on. It is not booked. If customers were told of it, book it with ' +
    `\`npm run paydesk -- reconcile --adopt --yes --writer ${found.writer}\`.`
  );
}

async function leaveToPerson(
  db: Db,
  found: RecoveryCase,
  note: string,
  companyId = found.companyId,
): Promise<Decision> {
  return transactionWhileHeld(db, async (tx) => {
    const decision = await keepFromCharging(tx, companyId, found, { state: 'person', note });
    await decide(tx, found, decision);
    return decision;
  });
}
