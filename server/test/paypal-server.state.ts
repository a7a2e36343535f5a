/** What the stand-in for PayPal knows: accounts, orders, captures, refunds, events. It holds it in memory. */
import { createRequestIds, type RequestIds } from './paypal-server.keys.ts';
import type { Dispute, Money, Order, PayPalEvent, Transaction } from './paypal-server.objects.ts';

/** What comes of charging an account: it pays, by a capture that may be pending or declined, or else PayPal refuses with this issue. */
export type AccountBehaviour = 'pays' | 'pending' | 'declined_capture' | (string & {});
export type Account = { email: string; customerId: string; behaviour: AccountBehaviour };
export type PayPalBooks = {
  /** Setup tokens that a payer has approved. */
  setups: Map<string, Account>;
  /** Vaulted accounts, by the id of their payment token. */
  accounts: Map<string, Account>;
  orders: Map<string, Order>;
  /** What each order was asked for with, and what it was last charged to. */
  asked: Map<string, { amount: Money; vaultId: string; lastIssue: string | null }>;
  captures: { id: string; orderId: string; amount: Money }[];
  refunds: { id: string; orderId: string; amount: Money; customId: string }[];
  disputes: Dispute[];
  transactions: Transaction[];
  events: PayPalEvent[];
  requestIds: RequestIds;
};

/** Empty ones. */
export function createPayPalBooks(): PayPalBooks {
  const maps = { setups: new Map(), accounts: new Map(), orders: new Map(), asked: new Map() };
  return {
    ...maps,
    captures: [],
    refunds: [],
    disputes: [],
    transactions: [],
    events: [],
    requestIds: createRequestIds(),
  };
}
