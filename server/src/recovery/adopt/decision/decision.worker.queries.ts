import type { Tx } from '../../../platform/database/database.ts';

/** Writes what was decided about a case that was in this state. False when the case is in another state by now. */
export async function markDecided(
  tx: Tx,
  { id, state: from }: { id: string; state: string },
  { state, note, reviewOf = null }: { state: 'done' | 'person'; note: string; reviewOf?: string | null },
): Promise<boolean> {
  const rows = await tx`
    UPDATE recovery_cases
    SET state = ${state}, note = ${note}, decided_at = now(), review_of = ${reviewOf},
        content = CASE WHEN ${state} = 'done' THEN NULL ELSE content END
    WHERE id = ${id} AND state = ${from} RETURNING 1`;
  return rows.length === 1;
}

/** Names the alert of the decision that left the case to a person. */
export async function noteAlert(tx: Tx, id: string, alert: string): Promise<void> {
  await tx`UPDATE recovery_cases SET alert = ${alert} WHERE id = ${id}`;
}

/** Whether the database has the company. */
export async function isCompanyHere(tx: Tx, companyId: string): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM companies WHERE id = ${companyId}`;
  return rows.length === 1;
}
