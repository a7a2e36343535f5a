import { assertNotHeld } from '../../continuity/hold/charges-hold.service.ts';
import { type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import {
  type AllocatedNumber,
  allocateNextNumber,
  type DocumentType,
  selectNumbering,
  updateNumbering,
} from './numbering.operator.queries.ts';
import type { Numbering, NumberingBody } from './numbering.schema.ts';

export { continueAfter, recordLostNumber, recoverNumber, reserveUpTo, takeLostNumber } from './lost-numbers.ts';
export { beginNewSeries } from './new-series.ts';
export { lockPrefixes, numberingParts } from './numbering.operator.queries.ts';
export { DOCUMENT_NUMBER, isDocumentNumber } from './numbering.schema.ts';

/** A number and the prefix of its series. */
export type DocumentNumber = AllocatedNumber;

/**
 * Allocates the next number for a document of an existing company. The row of the series stays locked until the transaction ends. It must
 * be locked last, after invoices and companies.
 * @throws ApiError charges_held
 */
export async function allocateNumber(tx: Tx, companyId: string, type: DocumentType): Promise<DocumentNumber> {
  const [taken] = await Promise.all([allocateNextNumber(tx, companyId, type), assertNotHeld(tx)]);
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
