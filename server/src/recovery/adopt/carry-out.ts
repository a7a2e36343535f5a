import type { Logger } from 'pino';
import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { type Db, isConflict, isDatabaseUnavailable } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { moveCase } from './adopt.worker.queries.ts';
import { AlreadyDecidedError, type Decision, decide } from './decision/decide.ts';
import { keepFromCharging } from './entries/keep-from-charging.ts';
import { restoreEntry } from './entries/restore-entry.ts';
import { adoptPayment } from './objects/payments.ts';
import { adoptRefund } from './objects/refunds.ts';

export type AdoptDependencies = {
  db: Db;
  gateways: Gateways;
  logger: Pick<Logger, 'error'>;
  /** By the id of a company that the database lacks, the one that gets what belonged to it. */
  companies: ReadonlyMap<string, string>;
};

/**
 * Deals with one case, in a transaction of its own.
 * @returns null when another process has done so meanwhile
 * @throws GatewayError, ApiError and errors of the database after which the same can be tried again
 */
export async function carryOut(dependencies: AdoptDependencies, found: RecoveryCase): Promise<Decision | null> {
  const { db, logger, companies } = dependencies;
  try {
    const companyId = companies.get(found.companyId);
    const decision = await adoptCase(dependencies, found, companyId);
    if (companyId !== undefined) await moveCase(db, found.id, companyId);
    return decision;
  } catch (error) {
    if (error instanceof AlreadyDecidedError) return null;
    if (isTemporary(error)) throw error;
    logger.error({ err: error, case: found.id }, 'a recovery case could not be processed');
    return leaveToPerson(db, found, describeFailure(found), companies.get(found.companyId));
  }
}

function adoptCase(dependencies: AdoptDependencies, found: RecoveryCase, companyId: string | undefined) {
  if (found.source === 'journal') return restoreEntry(dependencies.db, found, companyId);
  return found.kind === 'refund' ? adoptRefund(dependencies, found) : adoptPayment(dependencies, found);
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
