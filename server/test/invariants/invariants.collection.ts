/** The oracle of the automatic collection: what was noted of each invoice against the payments that its attempts began. */
import type { Db } from '../../src/platform/database/database.ts';

export type CollectedInvoice = {
  invoiceId: string;
  /** Noted ones, which are those that were refused or not sent. */
  attempts: number;
  /** Its payments, however begun, that have failed. */
  failedPayments: number;
  /** The numbers of the attempts that began its payments, one for each payment. */
  numbers: number[];
};

/** What is broken about the collection, at rest. */
export async function findCollectionViolations(owner: Db): Promise<string[]> {
  const rows = await owner<(Omit<CollectedInvoice, 'numbers'> & { numbers: string })[]>`
    SELECT collections.invoice_id AS "invoiceId", attempts,
           (count(*) FILTER (WHERE payments.state = 'failed'))::int AS "failedPayments",
           coalesce(string_agg(collection_attempt::text, ',' ORDER BY collection_attempt), '') AS numbers
    FROM collections
    LEFT JOIN payments ON payments.company_id = collections.company_id AND payments.invoice_id = collections.invoice_id
    GROUP BY collections.company_id, collections.invoice_id, attempts`;
  return rows.flatMap((row) =>
    judgeCollection({ ...row, numbers: row.numbers === '' ? [] : row.numbers.split(',').map(Number) }),
  );
}

/** I16: each attempt began one payment at most, each that was noted has one, and the next one is the only one that is not noted yet. */
export function judgeCollection({ invoiceId, attempts, failedPayments, numbers }: CollectedInvoice): string[] {
  const found: string[] = [];
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
