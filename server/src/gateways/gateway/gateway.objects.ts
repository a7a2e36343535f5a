import type {
  Gateway,
  GatewayBookPage,
  GatewayBookRequest,
  GatewayPaymentObject,
  GatewayRefundObject,
} from './gateway.ts';

/** How far ahead of ours a gateway's clock may be. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/** What a gateway has created: a payment in any state, or a refund. */
export type GatewayObject = GatewayPaymentObject | GatewayRefundObject;

/**
 * Lists everything that the gateway has created since an instant, by Paydesk or not: all payments, then all refunds. A refund that is
 * made of a listed payment meanwhile is listed too. @throws GatewayError
 */
export async function* listObjects(gateway: Gateway, since: Date): AsyncGenerator<GatewayObject> {
  const range = { from: since, to: new Date(Date.now() + CLOCK_TOLERANCE_MS) };
  yield* readPages((request) => gateway.listPayments(request), range);
  yield* readPages((request) => gateway.listRefunds(request), range);
}

/** Reads all pages of a list. @throws GatewayError */
export async function* readPages<Entry>(
  list: (request: GatewayBookRequest) => Promise<GatewayBookPage<Entry>>,
  range: { from: Date; to: Date },
): AsyncGenerator<Entry> {
  for await (const page of readPageByPage((cursor) => list({ ...range, cursor }))) yield* page;
}

/** Reads all pages of a list, each as a whole. @throws GatewayError */
export async function* readPageByPage<Entry>(
  list: (cursor: string | null) => Promise<GatewayBookPage<Entry>>,
): AsyncGenerator<Entry[]> {
  let cursor: string | null = null;
  do {
    const page: GatewayBookPage<Entry> = await list(cursor);
    yield page.entries;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Enough that many objects are read within a call's time limit, and few enough for a gateway's rate limit. */
const READ_CONCURRENCY = 10;

/** Reads something about each item, several at once. @returns what was read, in the order of the items */
export async function readTogether<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): Promise<Read[]> {
  const found: Read[] = [];
  for (let first = 0; first < items.length; first += READ_CONCURRENCY) {
    found.push(...(await Promise.all(items.slice(first, first + READ_CONCURRENCY).map(read))));
  }
  return found;
}
