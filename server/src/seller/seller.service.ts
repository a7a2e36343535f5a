import type { Queryable } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { selectSeller } from './seller.operator.queries.ts';
import type { Seller } from './seller.schema.ts';

/** Reads who issues the invoices. */
export async function readSeller(db: Queryable): Promise<Seller> {
  return selectSeller(db);
}

/** Whether a seller is set. Without one, an invoice is not legally valid. */
export async function hasSeller(db: Queryable): Promise<boolean> {
  return (await selectSeller(db)).name !== '';
}

/** Requires that a seller is set. @throws ApiError seller_required */
export async function requireSeller(db: Queryable): Promise<void> {
  if (await hasSeller(db)) return;
  throw sellerRequired();
}

/** The error when an invoice can't be issued because no seller is set. */
export function sellerRequired(): ApiError {
  return new ApiError('seller_required', 'Set the seller first: PUT /operator/seller with a name.');
}
