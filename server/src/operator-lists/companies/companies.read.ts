import type { TString } from 'typebox';
import { findCompany } from '../../identity/companies/companies.service.ts';
import type { Db, Queryable } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type CsvRow, writeCsvFile } from '../../platform/http/limits/csv-file.ts';
import type { JsonParts } from '../../platform/http/schema/json.ts';
import { formatAmount } from '../../platform/money/money.ts';
import {
  type CompanyFilter,
  countThingsOf,
  selectCompanies,
  selectCompaniesAfter,
  selectOrganization,
  sumAmountsOf,
} from './companies.list.operator.queries.ts';
import type { CompanyDetails, CompanyFileQuery, CompanyQuery } from './companies.schema.ts';

/** A page of all companies. */
export async function listCompanies(db: Db, { page, perPage, sort, ...query }: CompanyQuery) {
  const range = { sort, limit: perPage, offset: (page - 1) * perPage };
  const { total, data } = await selectCompanies(db, readFilter(query), range);
  return { total, page, perPage, data };
}

const COLUMNS = [
  ...['id', 'externalId', 'name', 'organization', 'email', 'phone', 'address', 'describe', 'disabled', 'createdAt'],
  ...['updatedAt'],
];
const ROWS_AT_ONCE = 500;

/** All matching companies as a CSV file in parts, the newest first. */
export function writeCompanies(db: Db, query: CompanyFileQuery): JsonParts<TString> {
  const filter = readFilter(query);
  const readAfter = async (last: CsvRow | null): Promise<CsvRow[]> => {
    const after = last === null ? null : String(last.id);
    const companies = await selectCompaniesAfter(db, filter, { after, limit: ROWS_AT_ONCE });
    return companies.map(({ metadata: _, createdAt, updatedAt, ...company }) => ({
      ...company,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    }));
  };
  return writeCsvFile({ columns: COLUMNS, readAfter });
}

function readFilter({ search, email, externalId, disabled }: CompanyFileQuery): CompanyFilter {
  return {
    search: search ?? null,
    email: email ?? null,
    externalId: externalId ?? null,
    disabled: disabled === undefined ? null : disabled === 'true',
  };
}

/** A company with what there is of it. @throws ApiError not_found */
export async function readCompanyDetails(db: Queryable, companyId: string, now: Date): Promise<CompanyDetails> {
  const company = await findCompany(db, companyId);
  if (company === null) throw notFound('company');
  const [organization, counts, amounts] = await Promise.all([
    selectOrganization(db, companyId),
    countThingsOf(db, companyId),
    sumAmountsOf(db, companyId, now),
  ]);
  const of = (wanted: (typeof amounts)[number]['kind']) =>
    amounts.flatMap(({ kind, currency, amount }) => (kind === wanted ? [{ currency, amount }] : []));
  const credit = of('credit').map(({ currency, amount }) => ({
    currency,
    amount: formatAmount(BigInt(amount), currency),
  }));
  return { ...company, organization, ...counts, due: of('due'), overdue: of('overdue'), credit };
}
