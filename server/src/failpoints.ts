/**
 * Named places in the charge protocol where a test can kill the process, so that every crash in the fault matrix is
 * exact, not timed. Armed by `FAILPOINTS` alone, which a production start refuses.
 */
export type Failpoint =
  | 'before_intent_commit'
  | 'after_intent'
  | 'after_gateway_create'
  | 'after_sending'
  | 'after_confirm'
  | 'after_decline'
  | 'after_cancel'
  | 'before_settle_commit'
  | 'after_settle';

let armed: ReadonlySet<string> = new Set();

/** Arms the named failpoints for the rest of the process's life. */
export function armFailpoints(names: readonly string[]): void {
  armed = new Set(names);
}

/** Ends the process as `kill -9` would, if this failpoint is armed. */
export function failpoint(name: Failpoint): void {
  if (armed.has(name)) process.kill(process.pid, 'SIGKILL');
}
