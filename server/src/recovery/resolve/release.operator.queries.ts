import { amountLeft, isInvoiceOpen } from '../../billing/invoices/record/state.parts.queries.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import type { WaitingInvoice } from './resolve.schema.ts';

/** Reads a page of the open invoices that wait, company by company, and counts them all. */
export async function selectWaiting(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: WaitingInvoice[] }> {
  const from = db`FROM collections JOIN invoices ON invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id`;
  const isWaiting = db`awaits_release AND ${isInvoiceOpen(db)}`;
  const [[counted], data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total ${from} WHERE ${isWaiting}`,
    db<WaitingInvoice[]>`
      SELECT invoices.id, invoices.company_id AS "companyId", number,
             coalesce(
               nullif(buyer ->> 'organization', ''), nullif(trim(concat_ws(' ', buyer ->> 'firstName', buyer ->> 'lastName')), ''),
               buyer ->> 'email', ''
             ) AS buyer,
             money_text(${amountLeft(db)}, minor_unit_digits) AS "amountDue", invoices.currency,
             invoices.due_at AS "dueAt", reviewed.id AS "paymentUnderReview",
             money_text((
               SELECT (content::json ->> 'capturedAmountMinor')::numeric FROM recovery_cases
               WHERE source = 'gateway' AND kind = 'payment' AND recovery_cases.gateway = reviewed.gateway
                 AND object_id = reviewed.gateway_payment_id AND content IS NOT NULL
               ORDER BY found_at DESC LIMIT 1
             ) / 10::numeric ^ minor_unit_digits, minor_unit_digits) AS "amountUnderReview"
      ${from}
      LEFT JOIN LATERAL (
        SELECT id, gateway, gateway_payment_id FROM payments
        WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id AND payments.state = 'needs_review'
        ORDER BY id DESC LIMIT 1
      ) AS reviewed ON true
      WHERE ${isWaiting}
      ORDER BY collections.company_id, collections.invoice_id LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: counted.total, data };
}

export type ReleasedInvoice = { number: string; isOpen: boolean };

/**
 * Lets invoices be charged again: those with these numbers, or any if `numbers` is null, up to a limit. What somebody else releases at the
 * same time is passed over. @returns those that waited
 */
export async function releaseWaiting(
  tx: Tx,
  numbers: readonly string[] | null,
  limit: number,
): Promise<ReleasedInvoice[]> {
  const isNamed =
    numbers === null
      ? tx``
      : tx`AND invoices.number IN (SELECT json_array_elements_text(${JSON.stringify(numbers)}::text::json))`;
  return tx<ReleasedInvoice[]>`
    UPDATE collections SET awaits_release = false, updated_at = now()
    FROM (
      SELECT invoices.* FROM invoices JOIN collections AS waiting ON waiting.company_id = invoices.company_id AND invoice_id = invoices.id
      WHERE awaits_release ${isNamed}
      ORDER BY waiting.company_id, waiting.invoice_id LIMIT ${limit} FOR NO KEY UPDATE OF waiting
    ) AS invoices
    WHERE collections.company_id = invoices.company_id AND collections.invoice_id = invoices.id
    RETURNING invoices.number, ${isInvoiceOpen(tx)} AS "isOpen"`;
}
