/** A table as RFC 4180 has it: UTF-8, lines that end in CRLF, and nothing that a spreadsheet takes for a formula. */
export function writeCsv(rows: readonly (readonly string[])[]): Uint8Array {
  return Buffer.from(rows.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join(''));
}

/** A text that begins like a formula gets an apostrophe, which spreadsheets take for "this is text". */
function writeCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
