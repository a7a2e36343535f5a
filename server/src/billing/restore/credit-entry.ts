import { lockCompanies, readBillingSettingsOfMany } from '../../customers/companies/companies.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { insertCreditEntry, selectCreditBalance } from '../credits/credits.queries.ts';
import { impossible, type Restored } from './outcome.ts';
import { readCreditEntryToRestore } from './restore.queries.ts';

/**
 * Writes a grant or a correction of credit again, with its id and time, after the last entry: its number in the ledger may differ. What a
 * bill carried over comes back only with its invoice. What payments and refunds do to the credit belongs to them.
 * @param document - JSON text of the row of `credit_entries`
 */
export async function restoreCreditEntry(tx: Tx, companyId: string, document: string): Promise<Restored> {
  await lockCompanies(tx, [companyId]);
  const [settings] = await readBillingSettingsOfMany(tx, [companyId]);
  if (settings === undefined) return { outcome: 'company_unknown' };
  const { id, kind, currency, reason, createdAt, ...given } = await readCreditEntryToRestore(tx, companyId, document);
  if (given.isPresent) return { outcome: 'present' };
  if (kind !== 'grant' && kind !== 'correction') return impossible('A payment or a refund made this entry.');
  if (currency !== settings.currency) return impossible(`The company is billed in ${settings.currency} now.`);
  if (!given.hasOrigin) return impossible('The invoice that granted this credit is not in the database.');
  const amountMinor = BigInt(given.amountMinor);
  const balanceMinor = (await selectCreditBalance(tx, companyId))?.balanceMinor ?? 0n;
  if (balanceMinor + amountMinor < 0n) return impossible('The company has less credit than this entry uses.');
  const carried = given.carriedTaxMinor === null ? {} : { carriedTaxMinor: BigInt(given.carriedTaxMinor) };
  await insertCreditEntry(tx, companyId, {
    ...{ id, kind, amountMinor, currency, reason, createdAt, paymentId: null },
    ...carried,
  });
  return { outcome: 'restored', note: null };
}
