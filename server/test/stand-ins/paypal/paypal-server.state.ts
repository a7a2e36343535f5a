/** The data of the stand-in for PayPal: accounts, orders, captures, refunds and events. They are kept in memory. */
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

/** The result of charging an account: it pays, with a capture that may be pending or declined, or PayPal refuses with this issue. */
export type AccountBehaviour = 'pays' | 'pending' | 'declined_capture' | (string & {});
export type Account = { email: string; customerId: string; behaviour: AccountBehaviour };
export type PayPalBooks = {
  /** Setup tokens that a payer approved; null for one that was exchanged. */
  setups: Map<string, Account | null>;
  /** Saved accounts by the id of their payment token; null for one that was deleted. */
  accounts: Map<string, Account | null>;
  orders: Map<string, Order>;
  /** The amount with which each order was requested, and the account and issue of its last charge. */
  asked: Map<string, { amount: Money; vaultId: string; lastIssue: string | null }>;
  captures: { id: string; orderId: string; amount: Money }[];
  refunds: { id: string; orderId: string; amount: Money; customId: string }[];
  /** The invoice ids of the refunds. */
  refundInvoiceIds: Map<string, true>;
  disputes: Dispute[];
  transactions: Transaction[];
  /** How long the search takes to show a transaction. PayPal takes up to three hours. */
  searchLagMs: number;
  events: PayPalEvent[];
  requestIds: RequestIds;
};

/** Creates empty books. */
export function createPayPalBooks(): PayPalBooks {
  const orders = new Map<string, Order>();
  const maps = { setups: new Map(), accounts: new Map(), orders, asked: new Map(), refundInvoiceIds: new Map() };
  const requestIds = createRequestIds((work) => answerWith(orders, work));
  return { ...maps, searchLagMs: 0, captures: [], refunds: [], disputes: [], transactions: [], events: [], requestIds };
}

/** Returns the collections that a journal stores. */
export function collectionsOf(books: PayPalBooks): Collections {
  const { setups, accounts, orders, asked, requestIds, captures, refunds, disputes, transactions, events } = books;
  const { refundInvoiceIds } = books;
  const maps = { setups, accounts, orders, asked, refundInvoiceIds, requestIds: requestIds.kept };
  return { maps, lists: { captures, refunds, disputes, transactions, events } };
}

/** Answers with the current state of an order, in the short form unless the full one was requested. */
function answerWith(orders: ReadonlyMap<string, Order>, work: Work): Answer {
  if (!('orderId' in work)) return work;
  const order = orders.get(work.orderId);
  if (order === undefined) return missing().answer;
  const { id, status, links } = order;
  return { status: work.status, body: structuredClone(work.isFull ? order : { id, status, links }) };
}
