/**
 * Reads PayPal's list of disputes (https://developer.paypal.com/docs/api/customer-disputes/v1/#disputes_list), the newest first. The list
 * contains neither the payments nor the movements, so the caller reads each dispute separately.
 */

import type { Static } from 'typebox';
import { Type } from '../../platform/http/schema/type.ts';
import type { GatewayDisputeId } from '../gateway/gateway.disputes.ts';
import { type GatewayBookPage, type GatewayBookRequest, GatewayError } from '../gateway/gateway.ts';
import { id, instant, links, read, toDate, unreadable } from './answers/answers.ts';
import type { AskPayPal } from './answers/connection.ts';

const PAGE_SIZE = 50;
/** PayPal lists the last 180 days. The minute allows for a difference between the clocks. */
const LIST_PERIOD_MS = 180 * 86_400_000 - 60_000;
/** PayPal does not document whether the range includes its ends, so a slightly wider one is asked for. */
const SEARCH_MARGIN_MS = 1_000;

const DisputePage = Type.Object({
  items: Type.Optional(Type.Array(Type.Object({ dispute_id: id, create_time: instant }))),
  links,
});

/** Lists the ids of the disputes that were opened in this time, if PayPal still lists them. A cursor is PayPal's name of the next page. */
export async function listDisputes(
  ask: AskPayPal,
  { from, to, cursor }: GatewayBookRequest,
): Promise<GatewayBookPage<GatewayDisputeId>> {
  const [, name = '', value = ''] = /^(next_page_token|page)=([\w+/=-]{1,255})$/.exec(cursor ?? '') ?? [];
  if (cursor !== null && name === '') throw new GatewayError('rejected', 'The cursor is not one of PayPal.');
  const after = new Date(Math.max(from.getTime() - SEARCH_MARGIN_MS, Date.now() - LIST_PERIOD_MS));
  if (after >= to) return { entries: [], nextCursor: null };
  const query = new URLSearchParams({
    create_time_after: after.toISOString(),
    create_time_before: new Date(to.getTime() + SEARCH_MARGIN_MS).toISOString(),
    page_size: String(PAGE_SIZE),
    ...(cursor === null ? {} : { [name]: value }),
  });
  const page = read(DisputePage, await ask(({ get }) => get(`/v1/customer/disputes?${query}`)));
  const entries = (page.items ?? []).filter(({ create_time: time }) => toDate(time) >= from && toDate(time) < to);
  const nextCursor = readNext(page);
  // A page that names itself as the next one would never end.
  if (nextCursor !== null && nextCursor === cursor) throw unreadable();
  return { entries: entries.map(({ dispute_id: disputeId }) => ({ id: disputeId })), nextCursor };
}

/** Reads the name of the next page from PayPal's link; null on the last page. The rest of the link is not trusted. */
function readNext({ links: all = [] }: Static<typeof DisputePage>): string | null {
  const next = all.find(({ rel }) => rel === 'next');
  if (next === undefined) return null;
  // A plus in the link may mean a plus, not a space.
  const query = new URLSearchParams(next.href.replace(/^[^?]*\??/, '').replaceAll('+', '%2B'));
  const [token, number] = [query.get('next_page_token'), query.get('page')];
  const cursor = token === null ? `page=${number}` : `next_page_token=${token}`;
  if (!/^(next_page_token=[\w+/=-]{1,255}|page=\d{1,9})$/.test(cursor)) throw unreadable();
  return cursor;
}
