/** A movement of a dispute's money: positive was taken from us, negative was returned. */
export type GatewayDisputeMovement = { id: string; amountMinor: bigint; createdAt: Date };
/**
 * A dispute. `won` and `lost` are from our point of view; `closed` ended without either. A dispute about several
 * payments is one of these for each, with its share of the amount and the movements.
 */
export type GatewayDispute = {
  id: string;
  gatewayPaymentId: string;
  status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'closed';
  amountMinor: bigint;
  currency: string;
  /** The gateway's own term. */
  reason: string;
  /**
   * Null when the gateway does not attribute its movements to payments; `amountMinor` is then the whole disputed
   * amount.
   */
  movements: GatewayDisputeMovement[] | null;
  createdAt: Date;
};
/** What some gateways list of a dispute, which has to be read by its id. */
export type GatewayDisputeId = { id: string };
