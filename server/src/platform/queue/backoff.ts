/** Delays vary by up to this fraction, so that what failed together is not retried together. */
const JITTER = 0.1;

/**
 * The delay before the next attempt, in seconds.
 * @param delaysSeconds - the delay after each attempt
 * @param attempts - how many attempts were made before the one that has just failed
 * @returns undefined after the last delay
 */
export function delayAfter(delaysSeconds: readonly number[], attempts: number): number | undefined {
  const seconds = delaysSeconds[attempts];
  return seconds === undefined ? undefined : seconds * (1 + JITTER * (2 * Math.random() - 1));
}

/** The longest delay after each number of attempts, in seconds: none before the first one. */
export function longestDelays(delaysSeconds: readonly number[]): number[] {
  return [0, ...delaysSeconds.map((seconds) => seconds * (1 + JITTER))];
}
