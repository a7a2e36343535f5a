import type { Part, Tx } from '../../platform/database/database.ts';

/** `taken` and `billedUpTo` of a row of `billed_periods`. */
export function takenOf(tx: Tx, openCutoff: number): Part {
  return tx`(
    SELECT json_build_object('amount', taken::text, 'cutoff', cutoff) FROM usage_taken
    WHERE usage_taken.company_id = billed_periods.company_id AND usage_taken.period = billed_periods.period
    ORDER BY cutoff DESC LIMIT 1
  ) AS taken, (
    SELECT coalesce(max(cutoff), 0) FROM billed_periods AS billed
    WHERE billed.company_id = billed_periods.company_id AND billed.cutoff < ${openCutoff}
  ) AS "billedUpTo"`;
}
