import type { Part, Queryable } from './database.ts';

/** The name under which the operator's lists show a company; null where there is no such company. */
export type CompanyName = (db: Queryable, companyId: Part) => Part;

/** The number of a company's invoice; null where there is no such invoice. */
export type InvoiceNumber = (db: Queryable, companyId: Part, invoiceId: Part) => Part;

/** Parts of statements that say what people call a company and an invoice. */
export type NameParts = { companyName: CompanyName; invoiceNumber: InvoiceNumber };
