import { appendToLastAlert } from '../../alerts/alerts.service.ts';
import { WENT_BACK } from '../../continuity/hold/charges-hold.service.ts';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import type { GatewayObject } from '../../gateways/gateway/gateway.objects.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { markUnjournaled, markUnjournaledLostBefore, selectFirstUnjournaled } from './unjournaled.worker.queries.ts';

/*
 * A mark is in a journal before its object is made at a gateway. So an object of this database whose mark neither the database nor a
 * journal has shows that a journal is not whole: it went back with the database, as on a virtual machine that was rolled back, or the
 * database does not know it. Which one, the object does not say.
 */

/** The kind of the journal's entry that remembers that a person has given up what no journal has. */
export const JOURNAL_LOSS = 'journal_loss';

/** What a gateway has made and the database lacks; `reference` is its mark. */
type LackingObject = { gateway: string; companyId: string; reference: string; object: GatewayObject };

/** Notes in the hold, and in its alert, the first of these objects whose mark is nowhere, unless one is known or was given up. */
export async function noteUnjournaled(db: Db, holdId: string, objects: readonly LackingObject[]): Promise<void> {
  // A payment that names no installation may be another one's.
  const own = objects.filter(({ object }) => object.kind === 'refund' || object.details.installation !== undefined);
  const first = await selectFirstUnjournaled(
    db,
    own.map(({ companyId, reference, object }) => ({
      ...{ companyId, mark: reference, objectId: object.id, createdAt: object.createdAt },
    })),
  );
  const found = own.find(({ object }) => object.id === first);
  if (found === undefined) return;
  const { gateway, object } = found;
  const unjournaled = `${object.kind} ${object.id} of the gateway ${gateway}`;
  await transaction(db, async (tx) => {
    if (!(await markUnjournaled(tx, holdId, unjournaled))) return;
    const sentence = `${WENT_BACK}${unjournaled}.`;
    await appendToLastAlert(tx, OPERATOR_SCOPE, { kind: 'charges_held', sentence });
  });
}

/** Gives up again what a person gave up before the database went back once more, as these entries say: it is still lost. */
export async function noteEarlierLoss(db: Db, holdId: string, entries: readonly JournalEntry[]): Promise<void> {
  const entry = entries.find(({ kind }) => kind === JOURNAL_LOSS);
  if (entry === undefined) return;
  const { unjournaled } = (JSON.parse(entry.document) ?? {}) as { unjournaled?: unknown };
  await markUnjournaledLostBefore(db, holdId, typeof unjournaled === 'string' ? unjournaled : 'what was given up');
}
