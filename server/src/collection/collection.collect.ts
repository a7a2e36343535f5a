import type { Clock } from '../clock.ts';
import { transaction } from '../database/database.ts';
import { failpoint } from '../failpoints.ts';
import { collectInvoice, type PaymentDependencies } from '../payments/payments.service.ts';
import { findOutlook, isWorthTrying } from './collection.outlook.ts';
import { type DueCollection, lockCollection, selectFacts, updateCollection } from './collection.queries.ts';

export type CollectionDependencies = PaymentDependencies & { clock: Clock };

/**
 * Makes the attempt that is due, unless it was made before, and notes what comes next.
 * @returns whether the gateway was silent: nothing was sent, or no answer came
 */
export async function collect(dependencies: CollectionDependencies, due: DueCollection): Promise<{ isAway: boolean }> {
  const { db } = dependencies;
  const before = await selectFacts(db, due.companyId, due);
  const mustTry = before.payment === null && isWorthTrying(before);
  failpoint('before_collection_attempt');
  const collected = mustTry ? await collectInvoice(dependencies, due.companyId, due) : null;
  failpoint('before_collection_note');
  if (collected?.kind !== 'charged') {
    await note(dependencies, due);
    return { isAway: false };
  }
  const { id, state, failureReason } = collected.payment;
  await note(dependencies, { ...due, foundPaymentId: id });
  return { isAway: state === 'unknown' || failureReason === 'not_sent' };
}

/** Under the lock everything is read anew: a card or an account that was changed, or a payment that ended in the meantime counts. */
async function note({ db, clock }: CollectionDependencies, due: DueCollection): Promise<void> {
  const { companyId } = due;
  await transaction(db, async (tx) => {
    // Sent at once, done one after the other: what is read after the lock says what holds under it.
    const [noted, facts] = await Promise.all([lockCollection(tx, companyId, due), selectFacts(tx, companyId, due)]);
    if (noted === null) return; // Somebody else did.
    await updateCollection(tx, companyId, due, findOutlook(noted, facts, clock()));
  });
  failpoint('after_collection_note');
}
