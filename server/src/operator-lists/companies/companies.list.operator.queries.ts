import { isInvoiceOpen } from '../../billing/invoices/record/state.parts.queries.ts';
import { companyColumns } from '../../identity/companies/companies.service.ts';
import { type Db, type Part, planForValues, type Queryable } from '../../platform/database/database.ts';
import { countAll } from '../lists.parts.queries.ts';
import type { CompanyQuery, ListedCompany } from './companies.schema.ts';

export type CompanyFilter = {
  search: string | null;
  email: string | null;
  externalId: string | null;
  disabled: boolean | null;
};

/** Companies of which something that is searched begins with the text, without case. No text sorts after U+10FFFF. */
function isFound(db: Queryable, search: string): Part {
  const first = db`(lower(${search}::text COLLATE "und-x-icu")) COLLATE "C"`;
  return db`companies.id IN (
    SELECT company_id FROM company_search_terms WHERE term >= ${first} AND term < (${first} || U&'\\+10FFFF') COLLATE "C"
  )`;
}

/** Companies that have this e-mail, or a user who has it, without case. */
function hasEmail(db: Queryable, email: string): Part {
  const key = email.toLowerCase();
  return db`companies.id IN (
    SELECT id FROM companies AS named WHERE lower(email) = ${key} AND email <> ''
    UNION ALL
    SELECT company_id FROM users WHERE email_key = ${key} AND company_id IS NOT NULL
  )`;
}

function matches(db: Queryable, { search, email, externalId, disabled }: CompanyFilter): Part {
  return db`true
    ${search === null ? db`` : db`AND ${isFound(db, search)}`}
    ${email === null ? db`` : db`AND ${hasEmail(db, email)}`}
    ${externalId === null ? db`` : db`AND companies.external_id = ${externalId}`}
    ${disabled === null ? db`` : disabled ? db`AND disabled_since IS NOT NULL` : db`AND disabled_since IS NULL`}`;
}

function order(db: Queryable, sort: CompanyQuery['sort']): Part {
  return {
    createdAt: db`companies.id`,
    '-createdAt': db`companies.id DESC`,
    name: db`companies.name COLLATE "und-x-icu", companies.id`,
    '-name': db`companies.name COLLATE "und-x-icu" DESC, companies.id DESC`,
    externalId: db`companies.external_id, companies.id`,
    '-externalId': db`companies.external_id DESC NULLS LAST, companies.id DESC`,
  }[sort];
}

/** A page of all companies. Plans for the values: a search may find one company or most of them. */
export async function selectCompanies(
  db: Db,
  filter: CompanyFilter,
  { sort, limit, offset }: { sort: CompanyQuery['sort']; limit: number; offset: number },
): Promise<{ total: number; data: ListedCompany[] }> {
  return planForValues(db, async (tx) => {
    const [counted, data] = await Promise.all([
      tx<[{ total: number }]>`SELECT ${count(tx, filter)}::int AS total`,
      tx<ListedCompany[]>`
        SELECT ${companyColumns(tx)}, ${organization(tx)} FROM companies WHERE ${matches(tx, filter)}
        ORDER BY ${order(tx, sort)} LIMIT ${limit} OFFSET ${offset}`,
    ]);
    return { total: counted[0].total, data };
  });
}

function organization(db: Queryable): Part {
  return db`(SELECT organization FROM billing_information WHERE company_id = companies.id) AS organization`;
}

/** The organization that a company's invoices are for; empty without one. */
export async function selectOrganization(db: Queryable, companyId: string): Promise<string> {
  const [row] = await db<{ organization: string }[]>`
    SELECT organization FROM billing_information WHERE company_id = ${companyId}`;
  return row?.organization ?? '';
}

/** The matching companies after one, the newest first. Plans for the values, as a page does. */
export async function selectCompaniesAfter(
  db: Db,
  filter: CompanyFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<ListedCompany[]> {
  return planForValues(
    db,
    (tx) => tx<ListedCompany[]>`
      SELECT ${companyColumns(tx)}, ${organization(tx)} FROM companies
      WHERE ${matches(tx, filter)} ${after === null ? tx`` : tx`AND companies.id < ${after}`}
      ORDER BY companies.id DESC LIMIT ${limit}`,
  );
}

/** Of all companies the database keeps count. */
function count(db: Queryable, { disabled, ...filter }: CompanyFilter): Part {
  const isOfAll = Object.values(filter).every((value) => value === null);
  if (!isOfAll) return db`(SELECT count(*) FROM companies WHERE ${matches(db, { disabled, ...filter })})`;
  const ofDisabled = db`(SELECT count(*) FROM companies WHERE disabled_since IS NOT NULL)`;
  if (disabled === null) return countAll(db, 'companies');
  return disabled ? ofDisabled : db`(${countAll(db, 'companies')} - ${ofDisabled})`;
}

export type CompanyCounts = { members: number; cards: number; paypalAccounts: number; openInvoices: number };

/** How much there is of a company. */
export async function countThingsOf(db: Queryable, companyId: string): Promise<CompanyCounts> {
  const [row] = await db<[CompanyCounts]>`
    SELECT (SELECT count(*) FROM users WHERE company_id = ${companyId})::int AS members,
           (SELECT count(*) FROM cards WHERE company_id = ${companyId} AND deleted_at IS NULL)::int AS cards,
           (SELECT count(*) FROM paypal_accounts WHERE company_id = ${companyId} AND deleted_at IS NULL)::int AS "paypalAccounts",
           (SELECT count(*) FROM invoices WHERE company_id = ${companyId} AND ${isInvoiceOpen(db)})::int AS "openInvoices"`;
  return row;
}

export type AmountOfCompany = { kind: 'due' | 'overdue' | 'credit'; currency: string; amount: string };

/** What is due of a company, what of it is overdue at an instant, and its credit, in each currency and major units, without zeros. */
export async function sumAmountsOf(db: Queryable, companyId: string, now: Date): Promise<AmountOfCompany[]> {
  return db<AmountOfCompany[]>`
    WITH open AS (
      SELECT currency, minor_unit_digits AS digits, due_at, total - credited_total - part_paid AS amount
      FROM invoices WHERE company_id = ${companyId} AND ${isInvoiceOpen(db)}
    )
    SELECT 'due' AS kind, currency, money_text(sum(amount), max(digits)) AS amount FROM open GROUP BY currency HAVING sum(amount) > 0
    UNION ALL
    SELECT 'overdue', currency, money_text(sum(amount), max(digits)) FROM open WHERE due_at < ${now}
    GROUP BY currency HAVING sum(amount) > 0
    UNION ALL
    SELECT 'credit', currency, balance_minor::text FROM credit_balances WHERE company_id = ${companyId} AND balance_minor > 0
    ORDER BY kind, currency`;
}
