/**
 * Invoices as a reader would write them. Columns are separated by at least two spaces:
 *
 *   INV-000001  2025-12-31T23:00Z  2026-01-31T23:00Z  EUR
 *   Speech to text  /v1/transcriptions  120000  600.00  = 120000 × 0.005
 *   subtotal  600.00
 *   tax 19 %  114.00
 *   total  714.00
 *
 * What follows a `=` says how an amount is computed. These amounts, the sums and the tax are recomputed here, with arithmetic that is
 * independent of the service's. So a wrong table fails before it is compared with the service.
 */
import type { Answer } from '../harness/request.ts';

/** The scale of exact amounts in a table: whole numbers of 10^-12. */
const SCALE = 12;
const ONE = 10n ** BigInt(SCALE);

/** The number of decimals of the stories' currencies, where it is not two. */
const MINOR_UNIT_DIGITS: Record<string, number> = { JPY: 0, KWD: 3 };

type Answered = Answer['body'];

/** Returns a table without its `=` columns, with a bar between cells. @throws Error if it does not add up */
export function readTable(table: string): string {
  const rows = table.trim().split('\n').map(cellsOf);
  const currency = rows[0]?.find((cell) => /^[A-Z]{3}$/.test(cell)) ?? '';
  checkRows(rows, MINOR_UNIT_DIGITS[currency] ?? 2);
  return writeRows(rows.map((cells) => cells.filter((cell) => !cell.startsWith('= '))));
}

/** Returns the first cell of a table: the number of an invoice or a credit note. */
export function numberOf(table: string): string {
  return cellsOf(table.trim())[0] ?? '';
}

/** Writes an invoice of the API as `readTable` writes a table. A draft has no number and begins with its month. */
export function writeInvoice(invoice: Answered): string {
  const { number, period, startAt, endAt, currency, details } = invoice;
  const decimals = /\.(\d+)$/.exec(invoice.total)?.[1]?.length ?? 0;
  return writeRows([
    [number ?? period, shorten(startAt), shorten(endAt), currency],
    ...details.map((line: Answered) => [line.title, line.path, line.totalRequest, line.amount.toFixed(decimals)]),
    ...totalsOf(invoice),
  ]);
}

/** Writes a credit note of the API in the same way. */
export function writeCreditNote(note: Answered): string {
  const lines = note.details.map(({ title, amount }: Answered) => [title, amount.toFixed(2)]);
  return writeRows([[note.number, `for ${note.invoiceNumber}`, note.currency], ...lines, ...totalsOf(note)]);
}

function totalsOf({ subTotal, taxRate, tax, total }: Answered): string[][] {
  return [
    ['subtotal', subTotal],
    [`tax ${taxRate} %`, tax],
    ['total', total],
  ];
}

/** Writes `2026-01-31T23:00:00.000Z` without trailing zeros. */
function shorten(instant: string): string {
  return instant.replace(/(:00)?\.000Z$/, 'Z');
}

function cellsOf(row: string): string[] {
  return row.trim().split(/\s*\n\s*|\s{2,}/);
}

function writeRows(rows: string[][]): string {
  return rows.map((cells) => cells.join(' | ')).join('\n');
}

function checkRows(rows: string[][], digits: number): void {
  let lines: bigint | null = null;
  let subTotal = 0n;
  let tax = 0n;
  for (const cells of rows.slice(1)) {
    const [name = '', amount = ''] = [cells[0], cells.findLast((cell) => /^-?\d+\.\d+$/.test(cell))];
    const [, percent] = /^tax (\S+) %$/.exec(name) ?? [];
    const how = cells.find((cell) => cell.startsWith('= '))?.slice(2);
    if (name === 'subtotal') {
      // A credit note that credits an amount has no lines.
      subTotal = requireEqual(cells, amount, lines ?? exact(amount));
    } else if (percent !== undefined) {
      tax = requireEqual(cells, amount, round((subTotal * exact(percent)) / (100n * ONE), digits));
    } else if (name === 'total') {
      requireEqual(cells, amount, subTotal + tax);
    } else {
      lines =
        (lines ?? 0n) + (how === undefined ? exact(amount) : requireEqual(cells, amount, round(workOut(how), digits)));
    }
  }
}

function requireEqual(cells: string[], written: string, workedOut: bigint): bigint {
  if (exact(written) === workedOut) return workedOut;
  const [whole, rest] = [
    workedOut / ONE,
    String(workedOut % ONE)
      .replace('-', '')
      .padStart(SCALE, '0'),
  ];
  throw new Error(`the table is wrong: ${cells.join('  ')} should come to ${whole}.${rest}`);
}

/** Computes sums of products: `100000 × 0.004 + 40001 × 0.002`, `540.00 - 480.00`. */
function workOut(sum: string): bigint {
  const [first = '', ...rest] = sum.split(/ ([+-]) /);
  let result = multiply(first);
  for (let index = 0; index < rest.length; index += 2) {
    const term = multiply(rest[index + 1] ?? '');
    result += rest[index] === '-' ? -term : term;
  }
  return result;
}

function multiply(product: string): bigint {
  return product.split(' × ').reduce((result, factor) => (result * exact(factor)) / ONE, ONE);
}

function exact(text: string): bigint {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,12}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`the table is wrong: ${text} is no number`);
  const size = BigInt(whole + decimals.padEnd(SCALE, '0'));
  return sign === '-' ? -size : size;
}

/** Rounds to this many decimals, half away from zero. */
function round(amount: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(SCALE - digits);
  const size = amount < 0n ? -amount : amount;
  const rounded = ((size + unit / 2n) / unit) * unit;
  return amount < 0n ? -rounded : rounded;
}
