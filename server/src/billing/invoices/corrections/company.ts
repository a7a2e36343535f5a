import type { Queryable } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { selectInvoiceCompany } from './corrections.operator.queries.ts';

/** The company of an invoice, for the operator, who gives only the invoice's id. @throws ApiError not_found */
export async function findInvoiceCompany(db: Queryable, id: string): Promise<string> {
  const companyId = await selectInvoiceCompany(db, id);
  if (companyId === null) throw notFound('invoice');
  return companyId;
}
