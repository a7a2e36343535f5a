import type { KnownJournal } from './hold.worker.queries.ts';

/** What a pass over the gateways and the journals has found. */
export type Pass = {
  /** By the database's clock. */
  begunAt: Date;
  /** How many differences there are that nobody has dealt with. */
  found: number;
  /** The ids of the journals that it has read. */
  journalsRead: readonly string[];
};

/**
 * Whether a pass ends a hold: it found nothing, it began when the gateways showed all that was requested before the hold, and each
 * journal was read or is declared lost.
 */
export function mayEnd(
  { begunAt }: { begunAt: Date },
  pass: Pass,
  journals: readonly KnownJournal[],
  gatewayLagSeconds: number,
): boolean {
  const isLagOver = pass.begunAt.getTime() >= begunAt.getTime() + gatewayLagSeconds * 1_000;
  const areJournalsRead = journals.every(({ id, lostAt }) => lostAt !== null || pass.journalsRead.includes(id));
  return pass.found === 0 && isLagOver && areJournalsRead;
}
