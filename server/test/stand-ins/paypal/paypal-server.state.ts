/** What the stand-in for PayPal knows: accounts, orders, captures, refunds, events. It holds it in memory. */
import type { Answer } from '../gateway-faults.ts';
import type { Collections } from '../stand-in.journal.ts';
import { createRequestIds, type RequestIds, type Work } from './paypal-server.keys.ts';
import {
  type Dispute,
  type Money,
  missing,
  type Order,
  type PayPalEvent,
  type Transaction,
} from './paypal-server.objects.ts';

/** What comes of charging an account: it pays, by a capture that may be pending or declined, or else PayPal refuses with this issue. */
export type AccountBehaviour = 'pays' | 'pending' | 'declined_capture' | (string & {});
export type Account = { email: string; customerId: string; behaviour: AccountBehaviour };
export type PayPalBooks = {
  /** Setup tokens that a payer has approved; null for one that was swapped. */
  setups: Map<string, Account | null>;
  /** Vaulted accounts, by the id of their payment token; null for one that was deleted. */
  accounts: Map<string, Account | null>;
  orders: Map<string, Order>;
  /** What each order was asked for with, and what it was last charged to. */
  asked: Map<string, { amount: Money; vaultId: string; lastIssue: string | null }>;
  captures: { id: string; orderId: string; amount: Money }[];
  refunds: { id: string; orderId: string; amount: Money; customId: string }[];
  /** With which money was given back. */
  refundInvoiceIds: Map<string, true>;
  disputes: Dispute[];
  transactions: Transaction[];
  /** How long the search takes to show a transaction. PayPal's takes up to three hours. */
  searchLagMs: number;
  events: PayPalEvent[];
  requestIds: RequestIds;
};

/** Empty ones. */
export function createPayPalBooks(): PayPalBooks {
  const orders = new Map<string, Order>();
  const maps = { setups: new Map(), accounts: new Map(), orders, asked: new Map(), refundInvoiceIds: new Map() };
  const requestIds = createRequestIds((work) => answerWith(orders, work));
  return { ...maps, searchLagMs: 0, captures: [], refunds: [], disputes: [], transactions: [], events: [], requestIds };
}

/** What a journal keeps of them. */
export function collectionsOf(books: PayPalBooks): Collections {
  const { setups, accounts, orders, asked, requestIds, captures, refunds, disputes, transactions, events } = books;
  const { refundInvoiceIds } = books;
  const maps = { setups, accounts, orders, asked, refundInvoiceIds, requestIds: requestIds.kept };
  return { maps, lists: { captures, refunds, disputes, transactions, events } };
}

/** An order as it is now; in few words unless more was asked for. */
function answerWith(orders: ReadonlyMap<string, Order>, work: Work): Answer {
  if (!('orderId' in work)) return work;
  const order = orders.get(work.orderId);
  if (order === undefined) return missing().answer;
  const { id, status, links } = order;
  return { status: work.status, body: structuredClone(work.isFull ? order : { id, status, links }) };
}
