/**
 * Named places in the charge protocol where a test can kill the process, so that every crash in the fault matrix is
 * exact, not timed. Armed by `FAILPOINTS` alone, which a production start refuses. In the order in which a charge
 * passes them; `after_decline` and `after_cancel` stand on the way of one that is declined.
 */
export const FAILPOINTS = [
  'before_intent_commit',
  'after_intent',
  'after_gateway_create',
  'after_sending',
  'after_confirm',
  'after_decline',
  'after_cancel',
  'before_settle_commit',
  'after_settle',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

let armed: ReadonlySet<string> = new Set();

/** Arms the named failpoints for the rest of the process's life. @throws Error for a name that is none */
export function armFailpoints(names: readonly string[]): void {
  const unknown = names.find((name) => !FAILPOINTS.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`FAILPOINTS: there is no ${unknown}; there are ${FAILPOINTS.join(', ')}.`);
  armed = new Set(names);
}

/** Ends the process as `kill -9` would, if this failpoint is armed. */
export function failpoint(name: Failpoint): void {
  if (armed.has(name)) process.kill(process.pid, 'SIGKILL');
}
