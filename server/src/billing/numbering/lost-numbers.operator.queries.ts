import type { Queryable, Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { type DocumentType, writeNumber } from './numbering.operator.queries.ts';

export type LostNumberRow = {
  number: string;
  type: DocumentType;
  companyId: string;
  total: string;
  currency: string | null;
  reason: string;
  recordedAt: Date;
};

/** Records a lost number; one that is recorded already for its company stays as it is. */
export async function insertLostNumber(tx: Tx, lost: Omit<LostNumberRow, 'recordedAt'>): Promise<void> {
  await tx`DELETE FROM lost_numbers WHERE company_id = ${OPERATOR_SCOPE} AND number = ${lost.number} AND ${lost.companyId} <> company_id`;
  await tx`
    INSERT INTO lost_numbers (company_id, type, number, total, currency, reason)
    VALUES (${lost.companyId}, ${lost.type}, ${lost.number}, ${lost.total}::text::numeric, ${lost.currency}, ${lost.reason})
    ON CONFLICT DO NOTHING`;
}

/** Whether an invoice or a credit note has this number. An older number is unique only in its company. */
export async function isNumberTaken(tx: Tx, companyId: string, number: string): Promise<boolean> {
  const hasIt = tx`number = ${number} AND (number_series IS NOT NULL OR company_id = ${companyId})`;
  const rows = await tx`SELECT FROM invoices WHERE ${hasIt} UNION ALL SELECT FROM credit_notes WHERE ${hasIt} LIMIT 1`;
  return rows.length === 1;
}

/** Records numbers of a series between two others, if no document has them: of an unknown company, at most so many before the second. */
export async function insertSkippedNumbers(
  tx: Tx,
  {
    prefix,
    afterNumber,
    beforeNumber,
    limit,
  }: { prefix: string; afterNumber: string; beforeNumber: string; limit: number },
  reason: string,
): Promise<void> {
  await tx`
    INSERT INTO lost_numbers (company_id, type, number, total, reason)
    SELECT ${OPERATOR_SCOPE}, CASE WHEN starts_with(${prefix}, credit_note_prefix) THEN 'credit_note' ELSE 'invoice' END, skipped.number,
           0, ${reason}
    FROM numbering
    CROSS JOIN generate_series(
      greatest(${afterNumber}::text::bigint + 1, ${beforeNumber}::text::bigint - ${limit}::int), ${beforeNumber}::text::bigint - 1
    ) AS place
    CROSS JOIN LATERAL (SELECT ${writeNumber(tx, tx`${prefix}::text`, tx`place`)} AS number) AS skipped
    WHERE NOT EXISTS (SELECT FROM invoices WHERE invoices.number = skipped.number AND number_series = ${prefix})
      AND NOT EXISTS (SELECT FROM credit_notes WHERE credit_notes.number = skipped.number AND number_series = ${prefix})
      AND NOT EXISTS (SELECT FROM lost_numbers WHERE lost_numbers.number = skipped.number)`;
}

/** Deletes the record of a number, also the one of an unknown company. */
export async function deleteLostNumber(
  tx: Tx,
  { companyId, type, number }: Pick<LostNumberRow, 'companyId' | 'type' | 'number'>,
): Promise<void> {
  await tx`
    DELETE FROM lost_numbers WHERE company_id IN (${companyId}, ${OPERATOR_SCOPE}) AND type = ${type} AND number = ${number}`;
}

/** Reads a page of the lost numbers of all companies, the last recorded first, and counts them all. */
export async function selectLostNumbers(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: LostNumberRow[] }> {
  const [[count], data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM lost_numbers`,
    db<LostNumberRow[]>`
      SELECT number, type, company_id AS "companyId", trim_scale(total)::text AS total, currency, reason, recorded_at AS "recordedAt"
      FROM lost_numbers ORDER BY recorded_at DESC, number DESC, type, company_id LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: count.total, data };
}

/** Locks a series until the transaction ends. @returns its last number; null if there is none yet */
export async function lockSeries(tx: Tx, prefix: string): Promise<string | null> {
  const [row] = await tx<{ lastNumber: string }[]>`
    SELECT last_number::text AS "lastNumber" FROM number_series WHERE prefix = ${prefix} FOR UPDATE`;
  return row?.lastNumber ?? null;
}

/** Makes a series continue after a number, unless it is further already. */
export async function advanceSeries(
  tx: Tx,
  { prefix, lastNumber }: { prefix: string; lastNumber: string },
): Promise<void> {
  await tx`
    INSERT INTO number_series AS series (prefix, last_number) VALUES (${prefix}, ${lastNumber}::text::bigint)
    ON CONFLICT (prefix) DO UPDATE SET last_number = greatest(series.last_number, excluded.last_number)`;
}
