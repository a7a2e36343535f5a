import { afterEach, beforeEach, expect, test } from 'vitest';
import { captureThere, startPayPalSides } from '../../../test/payments/paypal-gateway.ts';
import { openDispute } from '../../../test/stand-ins/paypal/paypal-server.disputes.ts';
import type { PayPalServer } from '../../../test/stand-ins/paypal/paypal-server.ts';
import { expectGatewayError } from '../gateway/gateway.contract.ts';
import type { Gateway, GatewayBookPage } from '../gateway/gateway.ts';

const DAY_MS = 86_400_000;
let paypal: PayPalServer;
let gateway: Gateway;
let orderId: string;
beforeEach(async () => {
  ({ paypal, gateway } = await startPayPalSides());
  orderId = await captureThere({ paypal, gateway });
});
afterEach(() => paypal.close());

/** Opens a dispute at this time. @returns its id */
function openAt(time: Date): string {
  const { shown } = openDispute(paypal.books, orderId, { isInquiry: true });
  shown.create_time = `${time.toISOString().slice(0, 19)}Z`;
  return shown.dispute_id;
}

/** Returns the ids on each page. */
async function readPages(range: { from: Date; to: Date }): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = null, isLast = false; !isLast; ) {
    const page: GatewayBookPage<{ id: string }> | undefined = await gateway.listDisputes?.({ ...range, cursor });
    if (page === undefined) throw new Error('there is no list');
    pages.push(page.entries.map(({ id }) => id));
    cursor = page.nextCursor;
    isLast = cursor === null;
  }
  return pages;
}

const ago = (ms: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 - ms);

test('disputes are listed from the beginning of an interval, inclusive, to its end, exclusive, the newest first', async () => {
  const [from, to] = [ago(10 * DAY_MS), ago(5 * DAY_MS)];
  openAt(new Date(from.getTime() - 1_000));
  const first = openAt(from);
  const last = openAt(new Date(to.getTime() - 1_000));
  openAt(to);
  expect(await readPages({ from, to })).toEqual([[last, first]]);
  expect(await readPages({ from: to, to: from })).toEqual([[]]);
});

test('more than the fifty of a page are read, each once', async () => {
  const ids = Array.from({ length: 120 }, (_, index) => openAt(ago((index + 1) * 60_000)));
  const pages = await readPages({ from: ago(DAY_MS), to: ago(0) });
  expect(pages.map((page) => page.length)).toEqual([50, 50, 20]);
  expect(pages.flat()).toEqual(ids);
});

test('PayPal is not asked for disputes of more than 180 days ago, which it does not list', async () => {
  openAt(ago(200 * DAY_MS));
  const listed = openAt(ago(170 * DAY_MS));
  expect(await readPages({ from: ago(300 * DAY_MS), to: ago(0) })).toEqual([[listed]]);
  expect(await readPages({ from: ago(300 * DAY_MS), to: ago(190 * DAY_MS) })).toEqual([[]]);
});

test('an invalid cursor is rejected', async () => {
  const range = { from: ago(DAY_MS), to: ago(0) };
  for (const cursor of ['', 'next_page_token=', 'next_page_token=a&page_size=1', 'page_size=1', 'page=../1']) {
    await expectGatewayError(gateway.listDisputes?.({ ...range, cursor }) ?? Promise.resolve(), 'rejected');
  }
});
