import { quote } from '../../platform/database/driver/marks-watch.ts';

/** Housekeeping deletes marks after 40 days. */
const MARKS_LAST = '39 days';

export type ExpectedMark = { companyId: string; mark: string; at: string };

/** SQL for whether the database has all of these marks; null when there are none. */
export function hasMarks(expected: readonly ExpectedMark[]): string | null {
  if (expected.length === 0) return null;
  const rows = expected.map(
    ({ companyId, mark, at }) => `(${quote(companyId)}::uuid, ${quote(mark)}::uuid, ${quote(at)}::timestamptz)`,
  );
  return `NOT EXISTS (
    SELECT FROM (VALUES ${rows.join()}) AS expected (company_id, mark, at)
    WHERE at > now() - interval '${MARKS_LAST}' AND NOT EXISTS (
      SELECT FROM marks WHERE marks.company_id = expected.company_id AND marks.mark = expected.mark))`;
}
