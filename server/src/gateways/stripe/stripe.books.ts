/** Reads Stripe's lists of everything in the account, the newest first. They show a new object at once, as its search does not. */

import type { GatewayDispute } from '../gateway/gateway.disputes.ts';
import { readTogether } from '../gateway/gateway.objects.ts';
import type {
  GatewayBookPage,
  GatewayBookRequest,
  GatewayPaymentObject,
  GatewayRefundObject,
} from '../gateway/gateway.ts';
import * as answers from './answers/stripe.answers.ts';
import type { AskStripe } from './answers/stripe.connection.ts';
import { readDispute } from './answers/stripe.disputes.ts';
import { sumRefundsOf } from './stripe.refunds.ts';

const pageSize = 100;

type Begin = () => AskStripe;

/** Implements `Gateway.listPayments`. */
export async function listPayments(
  begin: Begin,
  request: GatewayBookRequest,
): Promise<GatewayBookPage<GatewayPaymentObject>> {
  const expand = ['data.latest_charge'];
  const page = await readPage(request, answers.readPaymentObject, (query) =>
    begin()((stripe, options) => stripe.paymentIntents.list({ ...query, expand }, options)),
  );
  const entries = await readTogether(page.entries, async (payment) => {
    if (payment.refundedMinor === 0n) return payment;
    return { ...payment, refundedMinor: await sumRefundsOf(begin(), payment.id) };
  });
  return { ...page, entries };
}

/** Implements `Gateway.listRefunds`. */
export function listRefunds(begin: Begin, request: GatewayBookRequest): Promise<GatewayBookPage<GatewayRefundObject>> {
  return readPage(request, answers.readRefundObject, (query) =>
    begin()((stripe, options) => stripe.refunds.list(query, options)),
  );
}

/** Implements `Gateway.listDisputes`. */
export function listDisputes(begin: Begin, request: GatewayBookRequest): Promise<GatewayBookPage<GatewayDispute>> {
  return readPage(request, readDispute, (query) => begin()((stripe, options) => stripe.disputes.list(query, options)));
}

/** How an interval is asked for. */
export type BookQuery = { created: { gte: number; lt: number }; limit: number; starting_after?: string };

/** Reads one page of a list. Stripe's times are whole seconds. */
export async function readPage<Entry>(
  { from, to, cursor }: GatewayBookRequest,
  readEntry: (answer: unknown) => Entry | null,
  list: (query: BookQuery) => Promise<{ data: { id: string }[]; has_more: boolean }>,
): Promise<GatewayBookPage<Entry>> {
  const created = { gte: Math.ceil(from.getTime() / 1_000), lt: Math.ceil(to.getTime() / 1_000) };
  const page = await list({ created, limit: pageSize, ...(cursor === null ? {} : { starting_after: cursor }) });
  if (!Array.isArray(page.data)) throw answers.unreadable();
  const entries = page.data.flatMap((answer) => readEntry(answer) ?? []);
  return { entries, nextCursor: answers.readLastId(page) ?? null };
}
