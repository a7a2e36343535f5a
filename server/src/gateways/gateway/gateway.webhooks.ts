/**
 * An event that a gateway sends to our webhook. It is a hint to check, never an outcome. `payment`: a payment has
 * changed. `refund`: money of a captured payment is refunded. `refund_failed`: a refund failed after all. `dispute`: a
 * customer disputes a payment. `payout`: money leaves for the bank, or came back. `other`: irrelevant.
 */
export type GatewayEvent = {
  /** The same when the gateway repeats the event. */
  id: string;
  /** The gateway's own term for the event. */
  type: string;
  kind: 'payment' | 'refund' | 'refund_failed' | 'dispute' | 'payout' | 'other';
  gatewayPaymentId: string | null;
  /** Our refund's id, where the event is about a refund that we requested. */
  refundReference: string | null;
  /** The gateway's id of the dispute that it is about. */
  disputeId?: string | null;
};

/** The event as received: the signature covers these bytes. */
export type SignedGatewayEvent = { body: Buffer; headers: Record<string, string | string[] | undefined> };
