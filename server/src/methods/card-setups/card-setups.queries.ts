import type { SetupMethod } from '../../gateways/gateway/gateway.cards.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';

export type SetupRow = {
  id: string;
  gateway: string;
  gatewaySetupId: string;
  method: SetupMethod;
  usedAt: Date | null;
  createdAt: Date;
  expiresAt: Date;
  isExpired: boolean;
};

function columns(db: Queryable) {
  return db`
    id, gateway, gateway_setup_id AS "gatewaySetupId", method, used_at AS "usedAt", created_at AS "createdAt",
    expires_at AS "expiresAt", used_at IS NULL AND expires_at <= now() AS "isExpired"`;
}

/** Inserts a setup. */
export async function insertSetup(
  tx: Tx,
  companyId: string,
  { id, gateway, gatewaySetupId, method }: Pick<SetupRow, 'id' | 'gateway' | 'gatewaySetupId' | 'method'>,
): Promise<SetupRow> {
  const [row] = await tx<[SetupRow]>`
    INSERT INTO card_setups (company_id, id, gateway, gateway_setup_id, method)
    VALUES (${companyId}, ${id}, ${gateway}, ${gatewaySetupId}, ${method})
    RETURNING ${columns(tx)}`;
  return row;
}

/** A setup of the company; null when it has none with this id. */
export async function selectSetup(db: Queryable, companyId: string, id: string): Promise<SetupRow | null> {
  const [row] = await db<SetupRow[]>`
    SELECT ${columns(db)} FROM card_setups WHERE company_id = ${companyId} AND id = ${id}`;
  return row ?? null;
}

/** Marks a setup as used. @returns false when it was used before */
export async function updateUsed(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx`
    UPDATE card_setups SET used_at = now() WHERE company_id = ${companyId} AND id = ${id} AND used_at IS NULL RETURNING 1`;
  return rows.length > 0;
}
