import { ApiError } from './errors.ts';

/** Why and since when this service holds charges: it charges, refunds, corrects and bills nothing. */
export type ChargesHold = { reason: string; since: Date };

/** Retry-After: people lift a hold. */
const RETRY_AFTER_SECONDS = 60;

/** The hold that the configuration sets; null without one. */
export function openChargesHold({ charges }: { charges: 'on' | 'held' }, now: Date): ChargesHold | null {
  return charges === 'held' ? { reason: 'The service was started with CHARGES=held.', since: now } : null;
}

/** @throws ApiError charges_held while charges are held */
export function refuseWhileHeld(hold: ChargesHold | null): void {
  if (hold === null) return;
  const message = 'Charges, refunds, billing runs, credit notes and voids are on hold; nothing was done.';
  throw new ApiError('charges_held', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
