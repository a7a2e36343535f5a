/**
 * What time it is for billing: which month is over, what is due, what lies in the future. Handed in, so that a story of a year can
 * be told in seconds. Leases, sessions and the moments at which rows were written go by the database's clock and never by this one.
 */
export type Clock = () => Date;

/**
 * What was written later than now, and a lease that ends later than its length from now, by more than this, is from before the database's
 * clock was set back. Any less may be another transaction, which began a moment after this one and came first.
 */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** The machine's. */
export const systemClock: Clock = () => new Date();
