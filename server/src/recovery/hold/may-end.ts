import type { KnownJournal } from './hold.worker.queries.ts';

/** What a pass over the gateways and the journals has found. */
export type Pass = {
  /** Whether it began when the gateways showed all that was requested before the hold. */
  isLagOver: boolean;
  /** How many differences there are that nobody has dealt with. */
  found: number;
  /** The ids of the journals that it has read. */
  journalsRead: readonly string[];
};

/** Whether a pass ends a hold: it found nothing, the gateways' lag was over, and each journal was read or is declared lost. */
export function mayEnd({ isLagOver, found, journalsRead }: Pass, journals: readonly KnownJournal[]): boolean {
  const areJournalsRead = journals.every(({ id, lostAt }) => lostAt !== null || journalsRead.includes(id));
  return found === 0 && isLagOver && areJournalsRead;
}
