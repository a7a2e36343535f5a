/**
 * PayPal's list of disputes (https://developer.paypal.com/docs/api/customer-disputes/v1/#disputes_list), the newest first. It says
 * neither of which payments they are nor what money moved, so each has to be read by itself.
 */

import * as guard from '../gateway/gateway.guards.ts';
import {
  type GatewayBookPage,
  type GatewayBookRequest,
  type GatewayDisputeId,
  GatewayError,
} from '../gateway/gateway.ts';
import { id, instant, links, read, toDate, unreadable } from './answers/answers.ts';
import type { AskPayPal } from './answers/connection.ts';

const PAGE_SIZE = 50;
/** PayPal lists those of the last 180 days; the minute is for its clock and ours. */
const LISTED_MS = 180 * 86_400_000 - 60_000;
/** Whether PayPal counts an end of the time in, it does not say. */
const AROUND_MS = 1_000;

const isDisputePage = guard.openObject({
  items: guard.optional(guard.listOf(guard.openObject({ dispute_id: id, create_time: instant }))),
  links,
});

/** The ids of the disputes that were opened in this time, as far as PayPal lists them. A cursor names the next page as PayPal does. */
export async function listDisputes(
  ask: AskPayPal,
  { from, to, cursor }: GatewayBookRequest,
): Promise<GatewayBookPage<GatewayDisputeId>> {
  const [, name = '', value = ''] = /^(next_page_token|page)=([\w+/=-]{1,255})$/.exec(cursor ?? '') ?? [];
  if (cursor !== null && name === '') throw new GatewayError('rejected', 'This is no cursor of PayPal.');
  const after = new Date(Math.max(from.getTime() - AROUND_MS, Date.now() - LISTED_MS));
  if (after >= to) return { entries: [], nextCursor: null };
  const query = new URLSearchParams({
    create_time_after: after.toISOString(),
    create_time_before: new Date(to.getTime() + AROUND_MS).toISOString(),
    page_size: String(PAGE_SIZE),
    ...(cursor === null ? {} : { [name]: value }),
  });
  const page = read(isDisputePage, await ask(({ get }) => get(`/v1/customer/disputes?${query}`)));
  const entries = (page.items ?? []).filter(({ create_time: time }) => toDate(time) >= from && toDate(time) < to);
  const nextCursor = readNext(page);
  // The same page for ever is no list.
  if (nextCursor !== null && nextCursor === cursor) throw unreadable();
  return { entries: entries.map(({ dispute_id: disputeId }) => ({ id: disputeId })), nextCursor };
}

/** What names the next page in PayPal's link to it; null on the last one. The link's address is not believed. */
function readNext({ links: all = [] }: guard.Guarded<typeof isDisputePage>): string | null {
  const next = all.find(({ rel }) => rel === 'next');
  if (next === undefined) return null;
  // A plus may stand for itself there.
  const query = new URLSearchParams(next.href.replace(/^[^?]*\??/, '').replaceAll('+', '%2B'));
  const [token, number] = [query.get('next_page_token'), query.get('page')];
  const cursor = token === null ? `page=${number}` : `next_page_token=${token}`;
  if (!/^(next_page_token=[\w+/=-]{1,255}|page=\d{1,9})$/.test(cursor)) throw unreadable();
  return cursor;
}
