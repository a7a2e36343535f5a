import type { Gateways } from '../../../gateways/gateways.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { selectNewestCaptures } from './objects.operator.queries.ts';

/** How many captures of each gateway are asked for. */
const CAPTURES_ASKED = 5;

/**
 * Refuses to go on with a gateway that does not know what the database has captured there: it is another account, its other mode (test or
 * live), or another file of the sandbox, and no database that went back.
 * @throws ApiError gateway_differs; GatewayError
 */
export async function requireSameGateways(db: Queryable, gateways: Pick<Gateways, 'configured'>): Promise<void> {
  for (const gateway of gateways.configured) {
    for (const { id, gatewayPaymentId } of await selectNewestCaptures(db, gateway.name, CAPTURES_ASKED)) {
      if ((await gateway.findPayment(gatewayPaymentId)) !== null) continue;
      const message =
        `The gateway ${gateway.name} does not know ${gatewayPaymentId}, which payment ${id} captured there. The database did not go ` +
        'back: this is another account, the other mode (test or live), or another file of the sandbox. Correct the configuration first.';
      throw new ApiError('gateway_differs', message);
    }
  }
}
