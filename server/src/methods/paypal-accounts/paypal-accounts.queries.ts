import { constantPart, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { PaypalAccount } from './paypal-accounts.schema.ts';

export const columns = constantPart(
  (db) => db`
    id, company_id AS "companyId", 'paypal' AS method, email, is_default AS "isDefault", metadata,
    created_at AS "createdAt", updated_at AS "updatedAt"`,
);

export type NewPaypalAccount = { id: string; isDefault: boolean; email: string; gateway: string; gatewayToken: string };

/** Inserts an account. The database refuses a second default account, and an account that the company has already. */
export async function insertAccount(tx: Tx, companyId: string, account: NewPaypalAccount): Promise<PaypalAccount> {
  const [row] = await tx<[PaypalAccount]>`
    INSERT INTO paypal_accounts (company_id, id, is_default, email, gateway, gateway_token)
    VALUES (${companyId}, ${account.id}, ${account.isDefault}, ${account.email}, ${account.gateway}, ${account.gatewayToken})
    RETURNING ${columns(tx)}`;
  return row;
}

/** Reads the company's accounts, newest first. */
export async function selectAccounts(db: Queryable, companyId: string): Promise<PaypalAccount[]> {
  return db<PaypalAccount[]>`
    SELECT ${columns(db)} FROM paypal_accounts
    WHERE company_id = ${companyId} AND deleted_at IS NULL
    ORDER BY id DESC`;
}

/** Reads the company's account with this token of a gateway, or null. */
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

/** Updates whether the account is the default; null when the company has no such account. */
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
