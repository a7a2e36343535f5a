import { alertCardTesting } from '../../methods/card-testing/card-testing.service.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { RefusalLimits } from '../../platform/config/config.ts';
import { transaction } from '../../platform/database/database.ts';
import { failpoint } from '../../platform/failpoints.ts';
import { type Collected, collectInvoice, type PaymentDependencies } from '../charge/charge.service.ts';
import { findOutlook, isHeld, isWorthTrying } from './collection.outlook.ts';
import { type DueCollection, lockCollection, selectFacts, updateCollection } from './collection.queries.ts';

/** `limits` say how many charges may be refused in an hour before the next one waits. */
export type CollectionDependencies = PaymentDependencies & { clock: Clock; limits: RefusalLimits };

/** What an attempt has heard from a gateway. `silence`: nothing was sent, or no answer came. `nothing`: it was not asked. */
export type Heard = 'answer' | 'silence' | 'nothing';

/**
 * Makes the attempt that is due, unless it was made before, and notes what comes next.
 * @returns what it has heard from the gateway that it was claimed for
 */
export async function collect(dependencies: CollectionDependencies, due: DueCollection): Promise<Heard> {
  const { db, limits } = dependencies;
  const before = await selectFacts(db, due.companyId, due);
  const isWorth = before.payment === null && isWorthTrying(before);
  const mustTry = isWorth && !isHeld(before, limits);
  if (isWorth && !mustTry) {
    const newest = { companyId: due.companyId, paymentId: before.refusedLately.paymentId };
    await alertCardTesting(db, newest, 'Charges of new default cards were refused one after the other.');
  }
  failpoint('before_collection_attempt');
  const collected = mustTry ? await collectInvoice(dependencies, due.companyId, due) : null;
  failpoint('before_collection_note');
  if (collected?.kind !== 'charged') {
    await note(dependencies, due);
    return 'nothing';
  }
  await note(dependencies, { ...due, foundPaymentId: collected.payment.id });
  return hearFrom(due.gateway, collected);
}

/** The payment may be at another gateway: the card was changed a moment ago, or somebody had begun it before that. */
function hearFrom(name: string, { payment }: Extract<Collected, { kind: 'charged' }>): Heard {
  const { gateway, state, failureReason } = payment;
  if (gateway !== name || state === 'created' || state === 'sending') return 'nothing';
  return state === 'unknown' || failureReason === 'not_sent' ? 'silence' : 'answer';
}

/** Under the lock everything is read anew: a card or an account that was changed, or a payment that ended in the meantime counts. */
async function note({ db, clock, limits }: CollectionDependencies, due: DueCollection): Promise<void> {
  const { companyId } = due;
  await transaction(db, async (tx) => {
    // Sent at once, done one after the other: what is read after the lock says what holds under it.
    const [noted, facts] = await Promise.all([lockCollection(tx, companyId, due), selectFacts(tx, companyId, due)]);
    if (noted === null) return; // Somebody else did.
    await updateCollection(tx, companyId, due, findOutlook(noted, facts, clock(), limits));
  });
  failpoint('after_collection_note');
}
