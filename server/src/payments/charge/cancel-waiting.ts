import type { Gateways } from '../../gateways/gateways.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { OutsideFirst } from '../../platform/outside-first.ts';
import { selectLivePayment, selectWaitingOf } from '../payment/payment.queries.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelWaiting, isWaiting } from './waiting.ts';

/*
 * What earlier domains ask before they change what is due, or delete a card: a payment that waits for its customer is canceled first,
 * outside of their transaction, and then they judge anew.
 */

type Dependencies = { db: Db; gateways: Gateways };

/** Makes the function that reads the state of an invoice's live payment for a change of what is due, which cancels one that waits. */
export function prepareFindingLivePayment(dependencies: Dependencies) {
  return async (tx: Tx, companyId: string, invoiceId: string): Promise<string | null> => {
    const live = await selectLivePayment(tx, companyId, invoiceId);
    if (live !== null && isWaiting(live)) throw cancelFirst(dependencies, [live]);
    return live?.state ?? null;
  };
}

/** Makes the function that cancels the payments that wait with a card, for its deletion. */
export function prepareReleasingSource(dependencies: Dependencies) {
  return async (tx: Tx, companyId: string, sourceId: string): Promise<void> => {
    const waiting = await selectWaitingOf(tx, companyId, sourceId);
    if (waiting.length > 0) throw cancelFirst(dependencies, waiting);
  };
}

function cancelFirst({ db, gateways }: Dependencies, payments: readonly Payment[]): OutsideFirst {
  return new OutsideFirst(async () => {
    for (const payment of payments) await cancelWaiting(db, gateways, payment);
  });
}
