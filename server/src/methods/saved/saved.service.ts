import { lockCompany } from '../../customers/companies/companies.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import {
  type ChargeableMethod,
  clearDefault,
  countSaved,
  markDeleted,
  type SavedColumns,
  selectMethodToCharge,
} from './saved.queries.ts';

/** A kind of payment method that companies save: cards, PayPal accounts. `Row` is what is read, `Saved` what the API shows. */
export type SavedKind<Row extends object, Saved extends object> = SavedColumns & {
  /** As messages call it. */
  name: string;
  /** The list has no pages, so it has a bound. */
  most: number;
  show: (row: Row) => Saved;
  recordUpdated: (tx: Tx, companyId: string, saved: readonly Saved[]) => Promise<void>;
};

/** Refuses one more than a company may have. @throws ApiError limit_reached */
export async function requireRoom<Row extends object, Saved extends object>(
  db: Queryable,
  companyId: string,
  { table, name, most }: SavedKind<Row, Saved>,
): Promise<void> {
  if ((await countSaved(db, companyId, table)) < most) return;
  throw new ApiError('limit_reached', `A company can have at most ${most} ${name}s.`);
}

/**
 * Hands the default over to the one of this id: takes it from the one that has it. Two requests take turns on the company's row; the
 * unique index of the table is the last word.
 */
export async function takeDefault<Row extends object, Saved extends object>(
  tx: Tx,
  companyId: string,
  kind: SavedKind<Row, Saved>,
  id: string,
): Promise<void> {
  await lockCompany(tx, companyId);
  const cleared = await clearDefault<Row>(tx, companyId, kind, id);
  await kind.recordUpdated(tx, companyId, cleared.map(kind.show));
}

/** Takes one off the list; no other becomes the default. @returns it as it was. @throws ApiError not_found */
export async function removeSaved<Row extends object, Saved extends object>(
  tx: Tx,
  companyId: string,
  kind: SavedKind<Row, Saved>,
  id: string,
): Promise<Saved> {
  const row = await markDeleted<Row>(tx, companyId, kind, id);
  if (row === null) throw notFound(kind.name);
  return kind.show(row);
}

/** The one that a charge takes: the default, or else the only one. @throws ApiError payment_method_required */
export async function chooseToCharge<Row extends object, Saved extends object>(
  tx: Tx,
  companyId: string,
  { table, name }: SavedKind<Row, Saved>,
): Promise<ChargeableMethod> {
  const method = await selectMethodToCharge(tx, companyId, table);
  if (method !== null) return method;
  throw new ApiError('payment_method_required', `There is no ${name} to charge: save one, or make one the default.`);
}

/** What the client hears when the gateway did not take what was to be saved; `field` is what it refused. Other errors stay as they are. */
export function saveRefused(error: unknown, field: string): unknown {
  if (!(error instanceof GatewayError)) return error;
  if (error.kind === 'rejected') return invalidField(field, 'was refused by the payment gateway');
  return new ApiError('service_unavailable', 'The payment gateway can not be reached; nothing was saved.', {
    retryAfterSeconds: 5,
    cause: error,
  });
}
