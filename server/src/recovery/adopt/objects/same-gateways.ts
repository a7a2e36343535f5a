import { v7 as uuidv7 } from 'uuid';
import { transactionWhileHeld } from '../../../continuity/hold/charges-hold.service.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import type { Db, Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { decide } from '../decision/decide.ts';
import * as notes from './notes.ts';
import { insertFormerAccount, selectNewestCaptures } from './objects.operator.queries.ts';

/** How many captures of each gateway are asked for. */
const CAPTURES_ASKED = 5;

/**
 * Refuses to go on with a gateway that does not know what the database has captured there: it is another account, its other mode (test or
 * live), or another file of the sandbox, and no database that went back.
 * @param otherAccounts - the gateways that have another account on purpose
 * @returns for each of them the newest capture of its former account
 * @throws ApiError gateway_differs; GatewayError
 */
export async function requireSameGateways(
  db: Queryable,
  gateways: Pick<Gateways, 'configured'>,
  otherAccounts: readonly string[],
): Promise<notes.FormerCapture[]> {
  const former: notes.FormerCapture[] = [];
  for (const gateway of gateways.configured) {
    for (const { id, gatewayPaymentId } of await selectNewestCaptures(db, gateway.name, CAPTURES_ASKED)) {
      if ((await gateway.findPayment(gatewayPaymentId)) !== null) continue;
      if (otherAccounts.includes(gateway.name)) {
        former.push({ gateway: gateway.name, paymentId: id, gatewayPaymentId });
        break;
      }
      const message =
        `The gateway ${gateway.name} does not know ${gatewayPaymentId}, which payment ${id} captured there. The database did not go ` +
        'back: this is another account, the other mode (test or live), or another file of the sandbox. Correct the configuration ' +
        'first; or if the account was replaced on purpose, name the gateway in `otherAccounts`.';
      throw new ApiError('gateway_differs', message);
    }
  }
  return former;
}

/** Leaves to a person, once in a hold, what former accounts may have and the database lacks: nobody can ask them any more. */
export async function leaveFormerAccounts(db: Db, former: readonly notes.FormerCapture[]): Promise<void> {
  for (const capture of former) {
    await transactionWhileHeld(db, async (tx) => {
      const found = await insertFormerAccount(tx, uuidv7(), capture.gateway);
      if (found !== null) await decide(tx, found, notes.formerAccount(capture, found.happenedAt));
    });
  }
}
