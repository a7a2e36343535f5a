/**
 * The billing clock: which month is over, what is due, what lies in the future. It is a parameter, so that a test can
 * run a year in seconds. The codes of authenticator apps follow it too. Leases, sessions and the times of rows use the
 * database's clock instead.
 */
export type Clock = () => Date;

/**
 * A row dated further in the future than this, or a lease that ends later than its length from now by more than this,
 * is from before the database's clock was set back. Smaller differences may come from a transaction that began later
 * and committed first.
 */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();
