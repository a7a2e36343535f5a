/**
 * Named points in the charge protocol where a test can kill the process, so that every crash in the fault matrix is
 * exact. `FAILPOINTS` arms them, which a production start refuses. They are in the order of a charge; `after_closing`
 * is passed when the gateway had open objects of the debt, `after_decline` and `after_cancel` when the charge is
 * declined.
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
/**
 * In a payment that waits for its customer or its bank: in the transaction with which it begins to wait, and after it; before and after a
 * look at the gateway's object; before and after the object is canceled because the payment's time has passed or something takes its place;
 * in the transaction with which a payment fails, and after it.
 */
export const WAITING_FAILPOINTS = [
  'before_wait_commit',
  'after_wait',
  'before_look',
  'after_look',
  'before_waiting_cancel',
  'after_waiting_cancel',
  'before_fail_commit',
  'after_fail',
] as const;
/** In the automatic collection: after the claim and before the attempt; before and after its outcome is recorded. */
export const COLLECTION_FAILPOINTS = [
  'before_collection_attempt',
  'before_collection_record',
  'after_collection_record',
] as const;
/** In a refund, in its order; the last two are in the reconciler's check. */
export const REFUND_FAILPOINTS = [
  'before_refund_intent_commit',
  'after_refund_intent',
  'before_refund_check',
  'after_refund_check',
  'after_gateway_refund',
  'before_refund_settle_commit',
  'after_refund_settle',
] as const;
/** While a gateway event is processed: before its effect, and after it. */
export const GATEWAY_EVENT_FAILPOINTS = ['after_gateway_event', 'after_gateway_event_effect'] as const;
/** While a case of a database that went back is dealt with, and a second capture is accepted: before the transaction commits. */
const ADOPT_FAILPOINTS = ['before_adopt_commit', 'before_accept_commit'] as const;
/** Between a webhook delivery and its record. */
const WEBHOOK_FAILPOINTS = ['after_webhook_sent'] as const;
/** Between a mail and its record. */
const MAIL_FAILPOINTS = ['after_mail_sent'] as const;
export type AnyFailpoint =
  | Failpoint
  | (typeof WAITING_FAILPOINTS)[number]
  | (typeof COLLECTION_FAILPOINTS)[number]
  | (typeof REFUND_FAILPOINTS)[number]
  | (typeof GATEWAY_EVENT_FAILPOINTS)[number]
  | (typeof ADOPT_FAILPOINTS)[number]
  | (typeof WEBHOOK_FAILPOINTS)[number]
  | (typeof MAIL_FAILPOINTS)[number];
const ALL: readonly AnyFailpoint[] = [
  ...FAILPOINTS,
  ...WAITING_FAILPOINTS,
  ...COLLECTION_FAILPOINTS,
  ...REFUND_FAILPOINTS,
  ...GATEWAY_EVENT_FAILPOINTS,
  ...ADOPT_FAILPOINTS,
  ...WEBHOOK_FAILPOINTS,
  ...MAIL_FAILPOINTS,
];

let armed: ReadonlySet<string> = new Set();

/** Arms the named failpoints until the process ends. @throws Error for an unknown name */
export function armFailpoints(names: readonly string[]): void {
  const unknown = names.find((name) => !ALL.some((known) => known === name));
  if (unknown !== undefined)
    throw new Error(`FAILPOINTS: ${unknown} is unknown; the failpoints are ${ALL.join(', ')}.`);
  armed = new Set(names);
}

/** Ends the process as `kill -9` would, if this failpoint is armed. */
export function failpoint(name: AnyFailpoint): void {
  if (armed.has(name)) process.kill(process.pid, 'SIGKILL');
}
