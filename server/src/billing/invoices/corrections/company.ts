import type { Queryable } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { selectInvoiceCompany } from './corrections.operator.queries.ts';

/**
 * Finds the company of an invoice, for the operator's requests, which contain only the invoice's id. @throws ApiError
 * not_found
 */
export async function findInvoiceCompany(db: Queryable, id: string): Promise<string> {
  const companyId = await selectInvoiceCompany(db, id);
  if (companyId === null) throw notFound('invoice');
  return companyId;
}
