import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { PaypalAccount } from './paypal-accounts.schema.ts';

const columns = constantPart(
  (db) => db`
    id, company_id AS "companyId", 'paypal' AS method, email, is_default AS "isDefault", metadata,
    created_at AS "createdAt", updated_at AS "updatedAt"`,
);

export type NewPaypalAccount = { id: string; isDefault: boolean; email: string; gateway: string; gatewayToken: string };

/** Inserts an account. The database refuses a second default one, and an account that the company has already. */
export async function insertAccount(tx: Tx, companyId: string, account: NewPaypalAccount): Promise<PaypalAccount> {
  const [row] = await tx<[PaypalAccount]>`
    INSERT INTO paypal_accounts (company_id, id, is_default, email, gateway, gateway_token)
    VALUES (${companyId}, ${account.id}, ${account.isDefault}, ${account.email}, ${account.gateway}, ${account.gatewayToken})
    RETURNING ${columns(tx)}`;
  return row;
}

/** The company's accounts, newest first. */
export async function selectAccounts(db: Queryable, companyId: string): Promise<PaypalAccount[]> {
  return db<PaypalAccount[]>`
    SELECT ${columns(db)} FROM paypal_accounts
    WHERE company_id = ${companyId} AND deleted_at IS NULL
    ORDER BY id DESC`;
}

/** The company's account with this token of a gateway, or null. */
export async function selectVaultedAccount(
  db: Queryable,
  companyId: string,
  { gateway, gatewayToken }: Pick<NewPaypalAccount, 'gateway' | 'gatewayToken'>,
): Promise<PaypalAccount | null> {
  const [row] = await db<PaypalAccount[]>`
    SELECT ${columns(db)} FROM paypal_accounts
    WHERE company_id = ${companyId} AND gateway = ${gateway} AND gateway_token = ${gatewayToken} AND deleted_at IS NULL`;
  return row ?? null;
}

/** How many accounts the company has. */
export async function countAccounts(db: Queryable, companyId: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM paypal_accounts WHERE company_id = ${companyId} AND deleted_at IS NULL`;
  return row.count;
}

/** Takes the default away from whichever account has it, but for the one excepted. @returns the accounts that had it */
export async function clearDefault(tx: Tx, companyId: string, exceptId: string): Promise<PaypalAccount[]> {
  return tx<PaypalAccount[]>`
    UPDATE paypal_accounts SET is_default = false, updated_at = now()
    WHERE company_id = ${companyId} AND is_default AND deleted_at IS NULL AND id <> ${exceptId}
    RETURNING ${columns(tx)}`;
}

/** Writes whether it is the default; null when the company has no such account. */
export async function updateAccount(
  tx: Tx,
  companyId: string,
  id: string,
  isDefault: boolean,
): Promise<PaypalAccount | null> {
  const [row] = await tx<PaypalAccount[]>`
    UPDATE paypal_accounts SET is_default = ${isDefault}, updated_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
    RETURNING ${columns(tx)}`;
  return row ?? null;
}

/** Takes the account off the list and answers with it; null when it was not there. Payments made with it keep naming it. */
export async function markAccountDeleted(tx: Tx, companyId: string, id: string): Promise<PaypalAccount | null> {
  const [row] = await tx<PaypalAccount[]>`
    UPDATE paypal_accounts SET deleted_at = now(), detach_at = now()
    WHERE company_id = ${companyId} AND id = ${id} AND deleted_at IS NULL
    RETURNING ${columns(tx)}`;
  return row ?? null;
}

export type ChargeableAccount = { id: string; gateway: string; gatewayToken: string };

/** The default account, or else the only one; null when there is neither. Locked against deletion until the transaction ends. */
export async function selectAccountToCharge(tx: Tx, companyId: string): Promise<ChargeableAccount | null> {
  const rows = await tx<(ChargeableAccount & { isDefault: boolean })[]>`
    SELECT id, gateway, gateway_token AS "gatewayToken", is_default AS "isDefault"
    FROM paypal_accounts
    WHERE company_id = ${companyId} AND deleted_at IS NULL
    ORDER BY is_default DESC
    LIMIT 2
    FOR SHARE`;
  const [first, second] = rows;
  return first !== undefined && (first.isDefault || second === undefined) ? first : null;
}
