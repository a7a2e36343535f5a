import type { Gateways } from '../../../gateways/gateways.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { selectNewestCapture } from './objects.operator.queries.ts';

/**
 * Refuses to go on with a gateway that does not know what the database has captured there last: it is another account, its other mode (test
 * or live), or another file of the sandbox, and no database that went back.
 * @throws ApiError gateway_differs; GatewayError
 */
export async function requireSameGateways(db: Queryable, gateways: Pick<Gateways, 'configured'>): Promise<void> {
  for (const gateway of gateways.configured) {
    const newest = await selectNewestCapture(db, gateway.name);
    if (newest === null || (await gateway.findPayment(newest.gatewayPaymentId)) !== null) continue;
    const message =
      `The gateway ${gateway.name} does not know ${newest.gatewayPaymentId}, which payment ${newest.id} captured there. The database did ` +
      'not go back: this is another account, the other mode (test or live), or another file of the sandbox. Correct the configuration. ' +
      'If the account was replaced since the backup, take the gateway out of the configuration until the hold has ended.';
    throw new ApiError('gateway_differs', message);
  }
}
