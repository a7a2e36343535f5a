import { transactionWhileHeld } from '../../../continuity/hold/charges-hold.service.ts';
import type { Gateway, GatewayPaymentObject } from '../../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { failpoint } from '../../../platform/failpoints.ts';
import { type RecoveryCase, readObject } from '../../marks/cases.ts';
import { type Decision, decide } from '../decision/decide.ts';

export type AdoptDependencies = {
  db: Db;
  gateways: Gateways;
  /** To which companies those are booked that the database does not have, by their old ids. */
  companies?: ReadonlyMap<string, string>;
};

/** The gateway of a case, and the object's id there. */
export function placeOf({ gateways }: AdoptDependencies, found: RecoveryCase): { gateway: Gateway; id: string } {
  const { gateway, objectId } = found;
  if (gateway === null || objectId === null) throw new RangeError('The case of an object names its gateway.');
  return { gateway: gateways.of(gateway), id: objectId };
}

/** Reads the payment of a case as the gateway listed it. Its details never change; its state may have. */
export function readPayment({ content }: RecoveryCase): GatewayPaymentObject {
  const object = content === null ? null : readObject(content);
  if (object?.kind !== 'payment') throw new RangeError('The case of a payment has its object.');
  return object;
}

/** Does what a case needs, and writes the decision, in one transaction. */
export async function conclude(
  { db }: AdoptDependencies,
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

/** A decision that needs nothing else. */
export async function concludeWith(
  dependencies: AdoptDependencies,
  found: RecoveryCase,
  decision: Decision,
): Promise<Decision> {
  return conclude(dependencies, found, async () => decision);
}
