import type { Logger } from 'pino';
import { type ChargesHold, isChargesHeld } from '../../../continuity/hold/charges-hold.service.ts';
import type { Gateways } from '../../../gateways/gateways.ts';
import type { Clock } from '../../../platform/calendar/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { hasSeller } from '../../../seller/seller.service.ts';
import { advanceDueRuns } from './passes.ts';

type ScheduleContext = { db: Db; gateways: Gateways; clock: Clock; logger: Logger; chargesHold: ChargesHold };

/** Starts the billing runs that are due. None starts while charges are held, nor with a real gateway before there is a seller. */
export async function scheduleRuns({ db, gateways, clock, logger, chargesHold }: ScheduleContext): Promise<void> {
  if (chargesHold.current() !== null) return;
  if (gateways.isReal && !(await hasSeller(db))) {
    logger.warn('no invoices are issued until PUT /operator/seller sets the seller');
  } else await advanceDueRuns(db, clock()).catch(endWhenHeld);
}

function endWhenHeld(error: unknown): void {
  if (!isChargesHeld(error)) throw error;
}
