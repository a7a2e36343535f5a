import type { Logger } from 'pino';
import type { ChargesHold } from '../charges-hold.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import type { Gateways } from '../gateways/gateways.ts';
import { hasSeller } from '../seller/seller.service.ts';
import { advanceDueRuns } from './billing-runs.passes.ts';

type ScheduleContext = { db: Db; gateways: Gateways; clock: Clock; logger: Logger; chargesHold: ChargesHold | null };

/** Starts the billing runs that are due. None starts while charges are held, nor with a real gateway before there is a seller. */
export async function scheduleRuns({ db, gateways, clock, logger, chargesHold }: ScheduleContext): Promise<void> {
  if (chargesHold !== null) return;
  if (gateways.isReal && !(await hasSeller(db))) {
    logger.warn('no invoices are made before PUT /operator/seller says who issues them');
  } else await advanceDueRuns(db, clock());
}
