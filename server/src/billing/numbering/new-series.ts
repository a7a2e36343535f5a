import type { Tx } from '../../platform/database/database.ts';
import { lockPrefixes, type Prefixes, updateNumbering } from './numbering.operator.queries.ts';

/*
 * A database that went back, and whose journal is lost, may have issued documents with any of the next numbers. So invoices and credit
 * notes get a series that it has never had.
 */

/** Sets new prefixes for invoices and credit notes. @returns them */
export async function beginNewSeries(tx: Tx): Promise<Omit<Prefixes, 'begun'>> {
  const { invoicePrefix, creditNotePrefix, begun } = await lockPrefixes(tx);
  const taken = [...begun, invoicePrefix, creditNotePrefix];
  const newInvoicePrefix = findFreePrefix(invoicePrefix, taken);
  const prefixes = {
    invoicePrefix: newInvoicePrefix,
    creditNotePrefix: findFreePrefix(creditNotePrefix, [...taken, newInvoicePrefix]),
  };
  await updateNumbering(tx, prefixes);
  return prefixes;
}

/** The first prefix after this one with which no other prefix begins. */
function findFreePrefix(prefix: string, taken: readonly string[]): string {
  let free = nextPrefix(prefix);
  while (taken.some((other) => other.startsWith(free))) free = nextPrefix(free);
  return free;
}

/** `INV-` → `INV-B-` → `INV-C-` … `INV-Z-` → `INV-Z-B-`: a single letter between two equal separators is counted on. */
export function nextPrefix(prefix: string): string {
  const [, stem, separator, letter] = /^(.+)([._-])([A-Y])\2$/.exec(prefix) ?? [];
  if (stem === undefined || separator === undefined || letter === undefined) return `${prefix}B${prefix.slice(-1)}`;
  return `${stem}${separator}${String.fromCharCode(letter.charCodeAt(0) + 1)}${separator}`;
}
