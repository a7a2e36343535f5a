import { randomUUID } from 'node:crypto';
import { expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

/** A valid body for a new price with two tiers, on a path of its own, in force from 2099 on. */
export function priceBody(changes: object = {}) {
  return {
    path: `/v1/${randomUUID()}`,
    title: 'Speech to text',
    currency: 'USD',
    effectiveFrom: '2099-01-01T00:00:00Z',
    model: 'graduated',
    tiers: [
      { upTo: 100, unitAmount: '0.05', flatAmount: '1.00' },
      { upTo: null, unitAmount: '0.02' },
    ],
    ...changes,
  };
}

/** A valid body for a price without tiers, flat by default. */
export function flatPriceBody(changes: object = {}) {
  const { tiers, ...body } = priceBody();
  return { ...body, model: 'flat', unitAmount: '0.004', ...changes };
}

/** A body that ends such a price. */
export function endPriceBody(): object {
  return { effectiveTo: '2099-06-01T00:00:00Z' };
}

/** Sets a price as the operator. @returns the price */
export async function createPrice(service: TestService, changes: object = {}) {
  const body = priceBody(changes);
  return expectStatus(await service.call('POST', '/operator/prices', { token: service.operatorKey, body }), 201).body;
}
