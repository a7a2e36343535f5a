import type { TString } from 'typebox';
import type { ExternalIds } from '../company-ids/external-ids.ts';
import { writeCsvLines } from '../schema/csv.ts';
import type { JsonParts } from '../schema/json.ts';

/** The cells of a row, by column. Null is an empty cell. */
export type CsvRow = Readonly<Record<string, string | number | boolean | null>>;

type CsvFile<Row extends CsvRow> = {
  columns: readonly string[];
  /** Reads some of the rows after the last one that was read, or the first ones. None: the file ends. */
  readAfter: (last: Row | null) => Promise<readonly Row[]>;
  /** For the column `companyExternalId`, which follows from `companyId`. */
  externalIds?: ExternalIds;
};

/** A list as a CSV file in parts, which are read as the client takes them, so that only a part is in memory. */
export async function* writeCsvFile<Row extends CsvRow>({
  columns,
  readAfter,
  externalIds,
}: CsvFile<Row>): JsonParts<TString> {
  let lines = writeCsvLines([columns]);
  for (let last: Row | null = null; ; ) {
    const rows: readonly Row[] = await readAfter(last);
    const known = await externalIds?.of([...new Set(rows.flatMap(({ companyId }) => companyIdOf(companyId)))]);
    const toCells = (row: CsvRow) => {
      const all: CsvRow = { companyExternalId: known?.get(String(row.companyId)) ?? null, ...row };
      return columns.map((column) => String(all[column] ?? ''));
    };
    lines += writeCsvLines(rows.map(toCells));
    if (lines !== '') yield lines;
    lines = '';
    last = rows.at(-1) ?? null;
    if (last === null) return;
  }
}

function companyIdOf(cell: CsvRow[string] | undefined): string[] {
  return typeof cell === 'string' && cell !== '' ? [cell] : [];
}
