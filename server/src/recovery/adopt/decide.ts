import { insertAlert } from '../../alerts/alerts.service.ts';
import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import { recordMark } from '../../continuity/journal/journal.service.ts';
import type { IdHandover } from '../../customers/companies/companies.fields.service.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { markDecided, noteAlert, selectCompaniesHere } from './adopt.worker.queries.ts';

export type AdoptDependencies = {
  db: Db;
  gateways: Gateways;
  /** What a company that is made again needs to get its external id. */
  handover: IdHandover;
};

/**
 * What was done about a case, or that a person has to decide. `note` is a text for people: what was done; or what is known, what can be
 * done, and by which command. `reviewOf`: the payment under review that is all of what a person has to decide.
 */
export type Decision = { state: 'done' | 'person'; note: string; reviewOf?: string };

/** Another process has dealt with the case meanwhile; the transaction is rolled back. */
export class AlreadyDecidedError extends Error {}

/** Does what a case needs, and writes the decision, in one transaction. */
export async function conclude(
  { db }: Pick<AdoptDependencies, 'db'>,
  found: RecoveryCase,
  work: (tx: Tx) => Promise<Decision>,
): Promise<Decision> {
  return transactionWhileHeld(db, async (tx) => {
    const decision = await work(tx);
    await decide(tx, found, decision);
    failpoint('before_adopt_commit');
    return decision;
  });
}

/**
 * Writes what was decided about a case, in the transaction that does it. From then on the database has the case's mark, so that it is not
 * found again, also by another copy of the database. What is left to a person raises an alert. @throws AlreadyDecidedError
 */
export async function decide(tx: Tx, found: RecoveryCase, decision: Decision): Promise<void> {
  const { source, kind, companyId, mark, subject, content } = found;
  if (!(await markDecided(tx, found, decision))) throw new AlreadyDecidedError();
  if (mark !== null) {
    // The row need not be there, and another restore may need the document again.
    const document = source === 'journal' && content !== null ? { document: content } : {};
    // The database has the case's mark since a person was told, so the loss of what is decided afterwards shows only by another one.
    const named = found.state === 'person' ? {} : { mark };
    await recordMark(tx, companyId, { ...named, kind, subject: subject ?? mark, ...document });
  }
  if (decision.state === 'done') return;
  const [concerned = OPERATOR_SCOPE] = await selectCompaniesHere(tx, [companyId]);
  const alert = await insertAlert(tx, concerned, { kind: 'recovery_review', payment: null, message: decision.note });
  await noteAlert(tx, found.id, alert);
}
