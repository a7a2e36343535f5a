import type { Queryable } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { selectSeller } from './seller.operator.queries.ts';

/** Whether the operator has said who issues the invoices: an invoice without a seller is none by law. */
export async function hasSeller(db: Queryable): Promise<boolean> {
  return (await selectSeller(db)).name !== '';
}

/** @throws ApiError seller_required */
export async function requireSeller(db: Queryable): Promise<void> {
  if (await hasSeller(db)) return;
  throw sellerRequired();
}

/** No invoice is issued before somebody has said who issues it. */
export function sellerRequired(): ApiError {
  return new ApiError('seller_required', 'Say who issues the invoices first: PUT /operator/seller with a name.');
}
