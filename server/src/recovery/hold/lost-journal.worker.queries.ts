import { isInvoiceOpen } from '../../billing/invoices/record/state.parts.queries.ts';
import type { Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';

/** The kind of the case of a hold about the open invoices that are not charged before a person releases them. */
export const OPEN_INVOICES = 'open_invoices';

/** Whether a person has given up a journal during this hold. */
export async function selectIsJournalLost(tx: Tx, holdId: string): Promise<boolean> {
  const rows = await tx`SELECT 1 FROM journals WHERE lost_in = ${holdId} LIMIT 1`;
  return rows.length === 1;
}

/** Notes that the hold begins new series of numbers, because it lacks a journal. False when it lacks none, or has begun them. */
export async function markSeriesBegun(tx: Tx, holdId: string): Promise<boolean> {
  const rows = await tx`
    UPDATE charges_holds SET has_new_series = true
    WHERE id = ${holdId} AND NOT has_new_series AND EXISTS (SELECT FROM journals WHERE lost_in = ${holdId}) RETURNING 1`;
  return rows.length === 1;
}

/**
 * Makes open invoices, of any company, wait for a release, up to a limit. An old invoice may have no collection yet. @returns how many
 * there were
 */
export async function markOpenInvoices(tx: Tx, limit: number): Promise<number> {
  const marked = await tx`
    INSERT INTO collections (company_id, invoice_id, due_at, state, awaits_release)
    SELECT company_id, id, due_at, 'manual', true FROM (
      SELECT company_id, id, due_at FROM invoices
      WHERE ${isInvoiceOpen(tx)} AND NOT EXISTS (
        SELECT FROM collections WHERE collections.company_id = invoices.company_id AND invoice_id = invoices.id AND awaits_release
      )
      LIMIT ${limit}
    ) AS open
    ORDER BY company_id, id
    ON CONFLICT (company_id, invoice_id) DO UPDATE SET awaits_release = true, updated_at = now()`;
  return marked.count;
}

/** Counts the invoices that wait. */
export async function countWaiting(tx: Tx): Promise<number> {
  const [row] = await tx<[{ waiting: number }]>`SELECT count(*)::int AS waiting FROM collections WHERE awaits_release`;
  return row.waiting;
}

/** Lets a person decide about the invoices that wait: one case of a hold, which is open again for each that is added. */
export async function insertOpenInvoices(
  tx: Tx,
  { id, holdId, note, alert }: { id: string; holdId: string; note: string; alert: string | null },
): Promise<void> {
  await tx`
    INSERT INTO recovery_cases (company_id, id, hold_id, source, kind, mark, subject, happened_at, state, note, alert)
    VALUES (${OPERATOR_SCOPE}, ${id}, ${holdId}, 'journal', ${OPEN_INVOICES}, ${holdId}, ${holdId}, now(), 'person', ${note}, ${alert})
    ON CONFLICT (company_id, mark, kind, hold_id) WHERE source = 'journal'
    DO UPDATE SET state = 'person', note = excluded.note, alert = coalesce(excluded.alert, recovery_cases.alert)`;
}

/** Ends these cases, once no invoice waits. */
export async function endOpenInvoices(tx: Tx): Promise<void> {
  await tx`
    UPDATE recovery_cases SET state = 'done', note = 'No invoice waits any more.', decided_at = now()
    WHERE company_id = ${OPERATOR_SCOPE} AND kind = ${OPEN_INVOICES} AND state = 'person'`;
}
