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
  let cursor: string | null = null;
  do {
    const page: GatewayBookPage<Entry> = await list({ ...range, cursor });
    yield* page.entries;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
