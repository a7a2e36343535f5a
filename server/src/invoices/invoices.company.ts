import type { Queryable } from '../database/database.ts';
import { notFound } from '../errors.ts';
import { selectInvoiceCompany } from './invoices.corrections.queries.ts';

/** Whose invoice this is, for the operator, who names the invoice alone. @throws ApiError not_found */
export async function findInvoiceCompany(db: Queryable, id: string): Promise<string> {
  const companyId = await selectInvoiceCompany(db, id);
  if (companyId === null) throw notFound('invoice');
  return companyId;
}
