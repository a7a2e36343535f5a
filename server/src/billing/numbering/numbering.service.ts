import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import {
  type AllocatedNumber,
  allocateNextNumbers,
  type DocumentType,
  selectNumbering,
  updateNumbering,
} from './numbering.operator.queries.ts';
import type { Numbering, NumberingBody } from './numbering.schema.ts';

export { continueAfter, recordLostNumber, recoverNumber, reserveUpTo, takeLostNumber } from './lost-numbers.ts';
export { beginNewSeries } from './new-series.ts';
export { lockPrefixes } from './numbering.operator.queries.ts';
export { DOCUMENT_NUMBER, isDocumentNumber } from './numbering.schema.ts';

/** A number and the prefix of its series. */
export type DocumentNumber = Omit<AllocatedNumber, 'companyId'>;

/**
 * Allocates the next number for a document of each company, by company id; none for an unknown company. The rows of the
 * series stay locked until the transaction ends. They must be locked last, after invoices and companies.
 * @throws ApiError charges_held
 */
export async function allocateNumbers(
  tx: Tx,
  companyIds: readonly string[],
  type: DocumentType,
): Promise<Map<string, DocumentNumber>> {
  const [taken] = await Promise.all([allocateNextNumbers(tx, companyIds, type), assertNotHeld(tx)]);
  return new Map(taken.map(({ companyId, ...number }) => [companyId, number]));
}

/** Does the same for one document of an existing company. @throws ApiError charges_held */
export async function allocateNumber(tx: Tx, companyId: string, type: DocumentType): Promise<DocumentNumber> {
  const [[taken]] = await Promise.all([allocateNextNumbers(tx, [companyId], type), assertNotHeld(tx)]);
  if (taken === undefined) throw new RangeError('Only companies have numbers.');
  return taken;
}

/**
 * Writes the given settings and returns all of them. Issued documents keep their numbers; a prefix used before
 * continues after its last number. @throws ApiError 400
 */
export async function changeNumbering(tx: Tx, body: NumberingBody): Promise<Numbering> {
  await updateNumbering(tx, body).catch((error) => {
    if (violatedConstraint(error) !== 'numbering_prefixes_differ') throw error;
    const field = body.invoicePrefix === undefined ? 'creditNotePrefix' : 'invoicePrefix';
    throw invalidField(field, 'must differ from the other prefix');
  });
  return selectNumbering(tx);
}
