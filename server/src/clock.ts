/**
 * What time it is for billing: which month is over, what is due, what lies in the future. Handed in, so that a story of a year can
 * be told in seconds. Leases, sessions and the moments at which rows were written go by the database's clock and never by this one.
 */
export type Clock = () => Date;

/** The machine's. */
export const systemClock: Clock = () => new Date();
