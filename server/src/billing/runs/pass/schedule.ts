import type { Logger } from 'pino';
import type { Gateways } from '../../../gateways/gateways.ts';
import type { Clock } from '../../../platform/calendar/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { hasCode } from '../../../platform/errors.ts';
import { hasSeller } from '../../../seller/seller.service.ts';
import { advanceDueRuns } from './passes.ts';

type ScheduleContext = {
  db: Db;
  gateways: Gateways;
  clock: Clock;
  logger: Logger;
  chargesHold: { isHeld: () => boolean };
};

/** Starts the billing runs that are due. None starts while charges are held, nor with a real gateway before there is a seller. */
export async function scheduleRuns({ db, gateways, clock, logger, chargesHold }: ScheduleContext): Promise<void> {
  if (chargesHold.isHeld()) return;
  if (gateways.isReal && !(await hasSeller(db))) {
    logger.warn('no invoices are issued until PUT /operator/seller sets the seller');
  } else await advanceDueRuns(db, clock()).catch(endWhenHeld);
}

function endWhenHeld(error: unknown): void {
  if (!hasCode(error, 'charges_held')) throw error;
}
