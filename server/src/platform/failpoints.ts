/**
 * Named places in the charge protocol where a test can kill the process, so that every crash in the fault matrix is
 * exact, not timed. Armed by `FAILPOINTS` alone, which a production start refuses. In the order in which a charge
 * passes them; `after_closing` is passed where the gateway had open objects of the debt, and `after_decline` and `after_cancel` stand on
 * the way of one that is declined.
 */
export const FAILPOINTS = [
  'before_intent_commit',
  'after_intent',
  'after_closing',
  'after_asking',
  'after_gateway_create',
  'after_sending',
  'after_confirm',
  'after_decline',
  'after_cancel',
  'before_settle_commit',
  'after_settle',
] as const;
type Failpoint = (typeof FAILPOINTS)[number];
/** The same in the automatic collection: of what is claimed, before its attempt; then before and after its outcome is noted. */
export const COLLECTION_FAILPOINTS = [
  'before_collection_attempt',
  'before_collection_note',
  'after_collection_note',
] as const;
/** The same in a refund, in the order in which it passes them; the two of the look stand on the way of the reconciler. */
export const REFUND_FAILPOINTS = [
  'before_refund_intent_commit',
  'after_refund_intent',
  'before_refund_look',
  'after_refund_look',
  'after_gateway_refund',
  'before_refund_settle_commit',
  'after_refund_settle',
] as const;
/** The same while a gateway event is dealt with: before its effect, and after it. */
export const NOTICE_FAILPOINTS = ['after_notice', 'after_notice_effect'] as const;
/** The same between the delivery of an event and its note. */
const WEBHOOK_FAILPOINTS = ['after_webhook_sent'] as const;
export type AnyFailpoint =
  | Failpoint
  | (typeof COLLECTION_FAILPOINTS)[number]
  | (typeof REFUND_FAILPOINTS)[number]
  | (typeof NOTICE_FAILPOINTS)[number]
  | (typeof WEBHOOK_FAILPOINTS)[number];
const ALL: readonly AnyFailpoint[] = [
  ...FAILPOINTS,
  ...COLLECTION_FAILPOINTS,
  ...REFUND_FAILPOINTS,
  ...NOTICE_FAILPOINTS,
  ...WEBHOOK_FAILPOINTS,
];

let armed: ReadonlySet<string> = new Set();

/** Arms the named failpoints for the rest of the process's life. @throws Error for a name that is none */
export function armFailpoints(names: readonly string[]): void {
  const unknown = names.find((name) => !ALL.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`FAILPOINTS: there is no ${unknown}; there are ${ALL.join(', ')}.`);
  armed = new Set(names);
}

/** Ends the process as `kill -9` would, if this failpoint is armed. */
export function failpoint(name: AnyFailpoint): void {
  if (armed.has(name)) process.kill(process.pid, 'SIGKILL');
}
