import { insertAlert } from '../../../alerts/alerts.service.ts';
import { recordMark } from '../../../continuity/journal/journal.service.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import type { RecoveryCase } from '../../marks/cases.ts';
import { isCompanyHere, markDecided, noteAlert } from './decision.worker.queries.ts';

/**
 * What was done about a case, or that a person has to decide. `note` is a text for people: what was done; or what is known, what can be
 * done, and by which command. `reviewOf`: the payment under review that is all of what a person has to decide.
 */
export type Decision = { state: 'done' | 'person'; note: string; reviewOf?: string };

/** Another process has dealt with the case meanwhile; the transaction is rolled back. */
export class AlreadyDecidedError extends Error {}

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
  const concerned = (await isCompanyHere(tx, companyId)) ? companyId : OPERATOR_SCOPE;
  const alert = await insertAlert(tx, concerned, { kind: 'recovery_review', payment: null, message: decision.note });
  await noteAlert(tx, found.id, alert);
}
