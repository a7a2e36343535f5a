/**
 * Writes a table as RFC 4180 CSV: UTF-8, lines ending in CRLF, and no cell that a spreadsheet would run as a formula.
 */
export function writeCsv(rows: readonly (readonly string[])[]): Uint8Array {
  return Buffer.from(writeCsvLines(rows));
}

/** Lines of such a table as text, for a file that is sent in parts. */
export function writeCsvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

/**
 * Puts an apostrophe before text that looks like a formula, which spreadsheets then show as text. Some of them divide a line at semicolons
 * or tabs, so a formula may also begin behind one.
 */
function writeCell(text: string): string {
  const harmless = text.replace(/^(?=[=+\-@\t\r])|(?<=[;\t]\s*)(?=[=+\-@])/g, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
