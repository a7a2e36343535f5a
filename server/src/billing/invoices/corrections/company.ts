import type { Queryable } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { selectInvoiceCompany } from './corrections.operator.queries.ts';

/** Whose invoice this is, for the operator, who names the invoice alone. @throws ApiError not_found */
export async function findInvoiceCompany(db: Queryable, id: string): Promise<string> {
  const companyId = await selectInvoiceCompany(db, id);
  if (companyId === null) throw notFound('invoice');
  return companyId;
}
