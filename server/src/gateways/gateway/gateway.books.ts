/** An interval of the gateway's books: from `from`, before `to`. */
export type GatewayBookRequest = {
  from: Date;
  to: Date;
  /** Of the page before; null for the first. */
  cursor: string | null;
};
/** `nextCursor` is null on the last page. */
export type GatewayBookPage<Entry> = { entries: Entry[]; nextCursor: string | null };

/**
 * A movement of the balance that a gateway keeps for us. Amounts are minor units of the balance's currency, which may not be the payment's.
 */
export type GatewayMovement = {
  id: string;
  /** The payment that it is about, also by a refund or a dispute; null for anything else. */
  gatewayPaymentId: string | null;
  /** The payout whose money it returns, because that failed or was canceled; else null. */
  returnedPayoutId: string | null;
  /** By what the balance grew after the fee; negative when it shrank. */
  netMinor: bigint;
  /** What the gateway took; negative when it gave back. */
  feeMinor: bigint;
  currency: string;
  createdAt: Date;
};

/** Money that left the balance for the bank, or is about to. A canceled one has `failed`. */
export type GatewayPayout = {
  id: string;
  status: 'pending' | 'paid' | 'failed';
  /** Whether the gateway tells which movements it pays out. */
  isDivided: boolean;
  amountMinor: bigint;
  currency: string;
  createdAt: Date;
};

/** The balance that a gateway keeps for us. Absent, all of it, where its fees and payouts are not read. */
export type GatewayBalance = {
  /** A page of the movements of this interval, each once. */
  listMovements(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayMovement>>;
  /** Reads a movement by its id; null when the gateway knows none. */
  findMovement(gatewayMovementId: string): Promise<GatewayMovement | null>;
  /** A page of the movements that a payout pays out. */
  listMovementsOfPayout(gatewayPayoutId: string, cursor: string | null): Promise<GatewayBookPage<GatewayMovement>>;
  /** A page of the payouts that were created in this interval, each once. */
  listPayouts(request: GatewayBookRequest): Promise<GatewayBookPage<GatewayPayout>>;
  /** Reads a payout by its id; null when the gateway knows none. */
  findPayout(gatewayPayoutId: string): Promise<GatewayPayout | null>;
};
