/** Checks the automatic collection: compares the recorded attempts of each invoice with the payments that they began. */
import type { Db } from '../../src/platform/database/database.ts';

export type CollectedInvoice = {
  invoiceId: string;
  /** The recorded attempts: those that were declined or not sent. */
  attempts: number;
  /** The failed payments of the invoice, and those of a part, whoever began them. */
  failedPayments: number;
  /** For each payment that an attempt began, the number of that attempt. */
  numbers: number[];
  /** Whether it waits for a payment that has ended. */
  waitsInVain: boolean;
};

/** Returns the broken invariants of the collection. No attempt may be running. */
export async function findCollectionViolations(owner: Db): Promise<string[]> {
  const rows = await owner<(Omit<CollectedInvoice, 'numbers'> & { numbers: string })[]>`
    SELECT collections.invoice_id AS "invoiceId", attempts,
           (count(*) FILTER (WHERE payments.state = 'failed' OR payments.is_part))::int AS "failedPayments",
           coalesce(string_agg(collection_attempt::text, ',' ORDER BY collection_attempt), '') AS numbers,
           coalesce(bool_or(collections.state = 'awaiting_outcome' AND payments.id = collections.payment_id
                            AND payments.state IN ('captured', 'failed')), false) AS "waitsInVain"
    FROM collections
    LEFT JOIN payments ON payments.company_id = collections.company_id AND payments.invoice_id = collections.invoice_id
    GROUP BY collections.company_id, collections.invoice_id, attempts`;
  return rows.flatMap((row) =>
    checkCollection({ ...row, numbers: row.numbers === '' ? [] : row.numbers.split(',').map(Number) }),
  );
}

/**
 * I16: each attempt began at most one payment, each recorded attempt has one, and only the next attempt is not recorded yet. What has ended
 * is waited for by nobody.
 */
export function checkCollection({
  invoiceId,
  attempts,
  failedPayments,
  numbers,
  waitsInVain,
}: CollectedInvoice): string[] {
  const found: string[] = [];
  if (waitsInVain) found.push(`I16 invoice ${invoiceId} waits for a payment that has ended`);
  for (const [number, payments] of Map.groupBy(numbers, (number) => number)) {
    if (payments.length > 1)
      found.push(`I16 attempt ${number} at invoice ${invoiceId} began ${payments.length} payments`);
  }
  if (attempts > failedPayments)
    found.push(`I16 invoice ${invoiceId} notes ${attempts} attempts, and ${failedPayments} payments of it have failed`);
  if (numbers.some((number) => number > attempts + 1))
    found.push(`I16 invoice ${invoiceId} notes ${attempts} attempts, and has payments of ${numbers.join(', ')}`);
  return found;
}
