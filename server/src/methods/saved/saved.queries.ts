import { emptyPart, type Part, type Queryable, type Tx } from '../../platform/database/database.ts';

/** The tables of saved payment methods. */
export type SavedTable = 'cards' | 'paypal_accounts';

/** A table, and the columns that are read of its rows. */
export type SavedColumns = { table: SavedTable; columns: (db: Queryable) => Part };

/** Counts the company's cards or accounts. */
export async function countSaved(db: Queryable, companyId: string, table: SavedTable): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM ${db(table)} WHERE company_id = ${companyId} AND deleted_at IS NULL`;
  return row.count;
}

/** Clears the default, except on the excepted row. @returns the rows that were the default */
export async function clearDefault<Row extends object>(
  tx: Tx,
  companyId: string,
  { table, columns }: SavedColumns,
  exceptId: string,
): Promise<Row[]> {
  return tx<Row[]>`
    UPDATE ${tx(table)} SET is_default = false, updated_at = now()
    WHERE company_id = ${companyId} AND is_default AND deleted_at IS NULL AND id <> ${exceptId}
    RETURNING ${columns(tx)}`;
}

/**
 * Deletes a card or account and returns it; null when there was none. Its payments keep its id. The worker detaches it at the gateway only
 * if the request does not do so within five seconds.
 */
export async function markDeleted<Row extends object>(
  tx: Tx,
  companyId: string,
  { table, columns }: SavedColumns,
  id: string,
): Promise<Row | null> {
  const [row] = await tx<Row[]>`
    UPDATE ${tx(table)} SET deleted_at = now(), detach_at = now() + interval '5 seconds'
    WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
    RETURNING ${columns(tx)}`;
  return row ?? null;
}

type ChargeableMethod = { id: string; gateway: string; gatewayToken: string };

/**
 * Reads the default card or account, or else the only one; null when there is neither. A mandate pays in EUR alone, and counts as not
 * there for any other currency. Locked against deletion until the transaction ends.
 */
export async function findToCharge(
  tx: Tx,
  companyId: string,
  { table, currency }: { table: SavedTable; currency: string },
): Promise<ChargeableMethod | null> {
  const rows = await tx<(ChargeableMethod & { isDefault: boolean })[]>`
    SELECT id, gateway, gateway_token AS "gatewayToken", is_default AS "isDefault"
    FROM ${tx(table)}
    WHERE company_id = ${companyId} AND deleted_at IS NULL
      ${table === 'cards' && currency !== 'EUR' ? tx`AND method <> 'sepa_debit'` : emptyPart(tx)}
    ORDER BY is_default DESC
    LIMIT 2
    FOR SHARE`;
  const [first, second] = rows;
  return first !== undefined && (first.isDefault || second === undefined) ? first : null;
}
