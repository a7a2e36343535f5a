import type { Tx } from '../../platform/database/database.ts';

/** Makes the next look at the gateway's balance read from this instant on, and soon, because the books have got an older payment. */
export async function lookBack(tx: Tx, gateway: string, from: Date): Promise<void> {
  await tx`
    UPDATE gateway_looks SET looked_up_to = least(looked_up_to, ${from}), look_at = now() WHERE gateway = ${gateway}`;
}
