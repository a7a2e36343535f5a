import type { ChargesHold } from '../../continuity/hold/charges-hold.service.ts';
import type { Journal } from '../../continuity/journal/journal.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import type { Db } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { readHold } from '../hold/hold.service.ts';
import { watchHold } from '../hold/hold.worker.ts';
import { makePass } from '../marks/pass.ts';

export type PassDependencies = {
  db: Db;
  gateways: Gateways;
  chargesHold: ChargesHold;
  journal: Journal | null;
  config: { marksCheckSeconds: number; gatewayLagSeconds: number };
};

const NO_ANSWER_RETRY_SECONDS = 30;

/**
 * Compares the database now, which begins a hold if it went back; and during a hold makes a pass, which ends the hold where nothing is
 * left. @returns whether charges are held afterwards, and how many cases the pass has found
 * @throws ApiError service_unavailable when a gateway gives no answer
 */
export async function passNow({
  db,
  gateways,
  chargesHold,
  journal,
  config: { marksCheckSeconds, gatewayLagSeconds },
}: PassDependencies): Promise<{ held: boolean; found: number }> {
  if ((await readHold(db)) === null) await chargesHold.doubt();
  if ((await readHold(db)) === null) return { held: false, found: 0 };
  if (journal === null) throw new RangeError('The recovery needs a service that keeps a journal.');
  let found = 0;
  const pass = async (signal?: AbortSignal) => {
    const made = await makePass({ db, gateways, journal, gatewayLagSeconds }, signal);
    found = made.found;
    return made;
  };
  try {
    await watchHold({ db, chargesHold, makePass: pass, marksCheckSeconds, gatewayLagSeconds });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const options = { retryAfterSeconds: NO_ANSWER_RETRY_SECONDS, cause: error };
    throw new ApiError(
      'service_unavailable',
      'A gateway does not answer the request for its list of payments and refunds.',
      options,
    );
  }
  return { held: (await readHold(db)) !== null, found };
}
