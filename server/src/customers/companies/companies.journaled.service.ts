import { v7 as uuidv7 } from 'uuid';
import { recordMark, selectDocuments } from '../../continuity/journal/journal.service.ts';
import { sideBySide, type Tx } from '../../platform/database/database.ts';
import type { MarkKind } from '../../platform/feature/feature.ts';
import { createCompanyWith, type IdHandover, lockOrCreateCompany } from './companies.fields.service.ts';
import { restoreCompanyRows } from './companies.queries.ts';

/** What the journal keeps of a company: its row, that of its billing information, and its addresses. */
export const COMPANY_MARK: MarkKind = {
  table: 'companies',
  companyColumn: 'id',
  document: `json_build_object(
    'company', row_to_json(companies),
    'billingInformation', (SELECT row_to_json(kept) FROM billing_information AS kept WHERE kept.company_id = companies.id),
    'addresses', (SELECT coalesce(json_agg(kept), '[]') FROM addresses AS kept WHERE kept.company_id = companies.id))`,
};

/** Writes the mark of a company that the operator has created or changed, and reads what the journal keeps of it at the same time. */
export async function recordCompanyMark(
  tx: Tx,
  { id, externalId }: { id: string; externalId: string | null },
): Promise<void> {
  const mark = { companyId: id, mark: uuidv7(), kind: 'company', subject: id };
  const document = selectDocuments(tx, COMPANY_MARK, [mark]).then((found) => found.get(id) ?? 'null');
  await sideBySide([document, recordMark(tx, id, { ...mark, document, companyExternalId: externalId })]);
}

/**
 * Makes a company again that the database has lost, with its UUID, unless another one has its external id.
 * @param lost.document - JSON text of the journal; null where only the ids are known
 * @returns the company that there is now @throws ApiError service_unavailable
 */
export async function restoreCompany(
  tx: Tx,
  { id, externalId, document }: { id: string; externalId: string | null; document: string | null },
  handover: IdHandover,
): Promise<{ id: string; isNew: boolean }> {
  const { company, isNew } =
    externalId === null
      ? { company: await createCompanyWith(tx, {}, handover, id), isNew: true }
      : await lockOrCreateCompany(tx, externalId, {}, handover, id);
  if (isNew && document !== null) await restoreCompanyRows(tx, id, document);
  return { id: company.id, isNew };
}
