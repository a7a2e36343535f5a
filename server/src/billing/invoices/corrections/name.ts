import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../platform/database/database.ts';
import { formatDecimal } from '../../../platform/money/decimal.ts';
import { fromMinor } from '../../../platform/money/money.ts';
import { allocateNumber, type DocumentNumber, takeLostNumber } from '../../numbering/numbering.service.ts';

/** A credit note that the database has lost; its number is null where it is not known. */
export type LostNote = { id: string; number: string | null };

type Naming = { lost: LostNote | null; amounts: { totalMinor: bigint }; currency: string };

/**
 * Returns the id and the number of a new credit note, or of a lost one, which gets its number again unless another document has it by now.
 * @throws ApiError charges_held
 */
export async function nameCreditNote(
  tx: Tx,
  companyId: string,
  { lost, amounts, currency }: Naming,
): Promise<DocumentNumber & { id: string }> {
  const id = lost?.id ?? uuidv7();
  const total = formatDecimal(fromMinor(amounts.totalMinor, currency));
  const named =
    lost === null || lost.number === null
      ? null
      : await takeLostNumber(tx, companyId, { type: 'credit_note', number: lost.number, total, currency });
  return { id, ...(named ?? (await allocateNumber(tx, companyId, 'credit_note'))) };
}
