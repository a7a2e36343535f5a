import type { Db } from '../../src/platform/database/database.ts';

export type SeriesRecord = { prefix: string; lastNumber: number; numbers: string[] };

/**
 * Checks that a series has each number once, from the first to the last issued, over invoices and credit notes
 * together. A number whose document was lost counts as issued.
 */
export async function findNumberViolations(owner: Db): Promise<string[]> {
  const rows = await owner<(Omit<SeriesRecord, 'numbers'> & { numbers: string })[]>`
    SELECT coalesce(prefix, number_series) AS prefix, coalesce(last_number, 0)::int AS "lastNumber",
           coalesce(string_agg(number, ',' ORDER BY number), '') AS numbers
    FROM number_series
    FULL JOIN (
      SELECT number_series, number FROM invoices WHERE number_series IS NOT NULL
      UNION ALL SELECT number_series, number FROM credit_notes WHERE number_series IS NOT NULL
      UNION ALL (
        SELECT regexp_replace(number, '\\d+$', ''), number FROM lost_numbers
        EXCEPT (SELECT number_series, number FROM invoices UNION ALL SELECT number_series, number FROM credit_notes)
      )
    ) AS issued ON number_series = prefix
    GROUP BY coalesce(prefix, number_series), last_number`;
  return rows.flatMap(({ numbers, ...series }) =>
    checkNumbers({ ...series, numbers: numbers === '' ? [] : numbers.split(',') }),
  );
}

/** Returns what is wrong in this series. */
export function checkNumbers({ prefix, lastNumber, numbers }: SeriesRecord): string[] {
  const expected = Array.from({ length: lastNumber }, (_, index) => `${prefix}${String(index + 1).padStart(6, '0')}`);
  if (numbers.toSorted().join() === expected.toSorted().join()) return [];
  const given = new Set(numbers);
  const repeated = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  const missing = expected.filter((number) => !given.has(number));
  return [`I19 series ${prefix} up to ${lastNumber} repeats ${repeated.join()} and lacks ${missing.join()}`];
}
