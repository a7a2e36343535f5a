/** Helpers for the tests of gateways. */

import { randomUUID } from 'node:crypto';
import { listObjects, readPages } from './gateway.objects.ts';
import type { Gateway, GatewayBookPage, GatewayBookRequest, PaymentDetails } from './gateway.ts';

/** The beginning of the time that tests look at. */
export const anHourAgo = () => new Date(Date.now() - 3_600_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** Reads all entries of one kind; by default those around now. */
export const readAll = <Entry>(
  list: (request: GatewayBookRequest) => Promise<GatewayBookPage<Entry>>,
  range = { from: anHourAgo(), to: inAnHour() },
) => toArray(readPages(list, range));

/** Reads everything that the gateway has created in the last hour. */
export const readObjects = (gateway: Gateway) => toArray(listObjects(gateway, anHourAgo()));

async function toArray<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

/** Details as long as they may be. */
export const LONG_DETAILS: PaymentDetails = {
  ...{ installation: randomUUID(), invoiceId: randomUUID(), sourceId: randomUUID(), invoiceNumber: 'INV-B-00000042' },
  ...{
    total: '9'.repeat(20),
    taxRate: '12.3456,'.repeat(250),
    creditMinor: '9'.repeat(18),
    usage: '2026-09:1234567.50,'.repeat(105),
  },
};
