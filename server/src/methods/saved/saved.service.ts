import { lockCompany } from '../../customers/companies/companies.service.ts';
import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { upsertGatewayCustomer } from '../../gateways/gateways.queries.ts';
import { afterCommit, type Queryable, type Tx } from '../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../platform/errors.ts';
import { clearDefault, countSaved, markDeleted, type SavedColumns, type SavedTable } from './saved.queries.ts';

export { findToCharge } from './saved.queries.ts';

/** A kind of payment method that companies save: cards, PayPal accounts. `Row` is what queries read, `Saved` what the API shows. */
export type SavedKind<Row extends object, Saved extends object> = SavedColumns & {
  /** The name of the kind in messages. */
  name: string;
  /** The limit for a company, since the list has no pages. */
  most: number;
  show: (row: Row) => Saved;
  recordUpdated: (tx: Tx, companyId: string, saved: readonly Saved[]) => Promise<void>;
};

/** A deleted card or account. */
export type DeletedRow = { table: SavedTable; id: string };

/** Detaches what a request has just deleted at its gateway; it resolves within about a second and never rejects. */
export type DetachDeleted = (companyId: string, row: DeletedRow) => Promise<void>;

/** Tells a gateway who the company's new customer there is; it resolves within about a second and never rejects. */
export type DescribeCustomer = (companyId: string, gateway: string) => Promise<void>;

/**
 * Stores the gateway's id of the company. A new one is described before the answer, so that nobody sees a customer without a name there.
 * The payments, a later domain, hand `describe` in.
 */
export async function keepCustomer(
  tx: Tx,
  companyId: string,
  { gateway, customer }: { gateway: string; customer: string | undefined },
  describe: DescribeCustomer,
): Promise<void> {
  if (customer === undefined || !(await upsertGatewayCustomer(tx, companyId, gateway, customer))) return;
  afterCommit(tx, () => describe(companyId, gateway));
}

/**
 * Cancels the payments that wait until the customer has confirmed a charge of this card or account. The payments, a later domain, hand it
 * in. @throws OutsideFirst
 */
export type ReleaseSource = (tx: Tx, companyId: string, id: string) => Promise<void>;

/** Refuses to save more than a company may have. @throws ApiError limit_reached */
export async function requireBelowLimit<Row extends object, Saved extends object>(
  db: Queryable,
  companyId: string,
  { table, name, most }: SavedKind<Row, Saved>,
): Promise<void> {
  if ((await countSaved(db, companyId, table)) < most) return;
  throw new ApiError('limit_reached', `A company can have at most ${most} ${name}s.`);
}

/**
 * Clears the default on the card or account that has it, unless that is the one with this id. The lock on the company's row
 * orders two requests, and the unique index of the table allows only one default in any case.
 */
export async function clearOtherDefault<Row extends object, Saved extends object>(
  tx: Tx,
  companyId: string,
  kind: SavedKind<Row, Saved>,
  id: string,
): Promise<void> {
  await lockCompany(tx, companyId);
  const cleared = await clearDefault<Row>(tx, companyId, kind, id);
  await kind.recordUpdated(tx, companyId, cleared.map(kind.show));
}

/**
 * Deletes a card or account; no other becomes the default. After the commit it is detached at its gateway.
 * @returns its state before @throws ApiError not_found
 */
export async function removeSaved<Row extends object, Saved extends object>(
  tx: Tx,
  companyId: string,
  kind: SavedKind<Row, Saved>,
  id: string,
  { detach, release }: { detach: DetachDeleted; release: ReleaseSource },
): Promise<Saved> {
  const row = await markDeleted<Row>(tx, companyId, kind, id);
  if (row === null) throw notFound(kind.name);
  await release(tx, companyId, id);
  afterCommit(tx, () => detach(companyId, { table: kind.table, id }));
  return kind.show(row);
}

/** Converts the gateway's refusal to save into the client's error; `field` is what it refused. Other errors do not change. */
export function toSaveError(error: unknown, field: string): unknown {
  if (!(error instanceof GatewayError)) return error;
  if (error.kind === 'rejected') return invalidField(field, 'was refused by the payment gateway');
  return new ApiError('service_unavailable', 'The payment gateway cannot be reached. Nothing was saved.', {
    retryAfterSeconds: 5,
    cause: error,
  });
}
