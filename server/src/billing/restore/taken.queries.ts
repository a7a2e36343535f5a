import type { Tx } from '../../platform/database/database.ts';

/** Adds up what the lines of an invoice take for usage of each billed month, net in major units. `month`: its own. */
export async function selectLineSums(
  tx: Tx,
  companyId: string,
  { invoiceId, month }: { invoiceId: string; month: string },
): Promise<[string, string][]> {
  const rows = await tx<{ period: string; sum: string }[]>`
    SELECT coalesce(billed_periods.period, ${month}) AS period, sum((line ->> 'amount')::numeric)::text AS sum
    FROM invoices CROSS JOIN LATERAL json_array_elements(details) AS line
    LEFT JOIN billed_periods
      ON billed_periods.company_id = ${companyId} AND billed_periods.start_at = (line #>> '{period,startAt}')::timestamptz
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}
      AND (line ->> 'kind' = 'usage' OR line ->> 'kind' = 'adjustment' AND billed_periods.period IS NOT NULL)
    GROUP BY 1`;
  return rows.map(({ period, sum }) => [period, sum]);
}

/** A billed period, and what its invoices took as far as that was noted. */
export type PeriodTaken = {
  period: string;
  startAt: Date;
  endAt: Date;
  /** What was noted last, as of which cutoff; null if nothing was. */
  taken: { amount: string; cutoff: number } | null;
  /** Up to which cutoff a run has billed its usage, without those that are written again now; 0 if none has. */
  billedUpTo: number;
};

/** Reads those of the months that the company was billed for. */
export async function selectPeriodsTaken(
  tx: Tx,
  companyId: string,
  { months, openCutoff }: { months: readonly string[]; openCutoff: number },
): Promise<PeriodTaken[]> {
  return tx<PeriodTaken[]>`
    SELECT period, start_at AS "startAt", end_at AS "endAt", (
             SELECT json_build_object('amount', taken::text, 'cutoff', cutoff) FROM usage_taken
             WHERE company_id = ${companyId} AND usage_taken.period = billed_periods.period ORDER BY cutoff DESC LIMIT 1
           ) AS taken, (
             SELECT coalesce(max(cutoff), 0) FROM billed_periods WHERE company_id = ${companyId} AND cutoff < ${openCutoff}
           ) AS "billedUpTo"
    FROM billed_periods
    WHERE company_id = ${companyId} AND period IN (SELECT json_array_elements_text(${JSON.stringify(months)}::text::json))
    ORDER BY period`;
}

/** Notes what the invoices of a period took, as of a cutoff. */
export async function upsertTaken(
  tx: Tx,
  companyId: string,
  { period, cutoff, taken, isExact }: { period: string; cutoff: number; taken: string; isExact: boolean },
): Promise<void> {
  await tx`
    INSERT INTO usage_taken (company_id, period, cutoff, taken, is_exact)
    VALUES (${companyId}, ${period}, ${cutoff}, ${taken}, ${isExact})
    ON CONFLICT (company_id, period, cutoff)
      DO UPDATE SET taken = excluded.taken, is_exact = usage_taken.is_exact AND excluded.is_exact`;
}
