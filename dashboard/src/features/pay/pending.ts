/** A payment that this browser has begun, and whose outcome it has not read yet. */
export type Pending = {
  /** The idempotency key of the request: asked again, it has no further effect. */
  key: string;
  /** The latest payment of the invoice before this one; null if there was none. */
  before: string | null;
};

const PREFIX = 'paydesk.pay.';

/** Kept for a reload; it holds ids only. */
export function rememberPending(invoiceId: string, pending: Pending): void {
  sessionStorage.setItem(PREFIX + invoiceId, JSON.stringify(pending));
}

export function readPending(invoiceId: string): Pending | null {
  const text = sessionStorage.getItem(PREFIX + invoiceId);
  return text === null ? null : (JSON.parse(text) as Pending);
}

export function forgetPending(invoiceId: string): void {
  sessionStorage.removeItem(PREFIX + invoiceId);
}
