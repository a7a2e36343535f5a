import { amountDue, isInvoiceOpen } from '../../billing/invoices/record/state.parts.queries.ts';
import type { Queryable } from '../../platform/database/database.ts';

export type DueOfCurrency = {
  currency: string;
  amount: string;
  invoices: number;
  overdueAmount: string;
  overdueInvoices: number;
  nextDueAt: string | null;
  failed: number;
};

/** What is due of the company's open invoices as of an instant, by currency; amounts in major units. */
export async function selectDue(db: Queryable, companyId: string, now: Date): Promise<DueOfCurrency[]> {
  return db<DueOfCurrency[]>`
    SELECT currency, money_text(sum(due), max(digits)) AS amount, count(*)::int AS invoices,
           money_text(coalesce(sum(due) FILTER (WHERE due_at < ${now}), 0), max(digits)) AS "overdueAmount",
           (count(*) FILTER (WHERE due_at < ${now}))::int AS "overdueInvoices",
           iso_instant(min(due_at) FILTER (WHERE due_at >= ${now})) AS "nextDueAt",
           (count(*) FILTER (WHERE status = 'Failed'))::int AS failed
    FROM (
      SELECT currency, minor_unit_digits AS digits, due_at, status, ${amountDue(db)} AS due
      FROM invoices WHERE company_id = ${companyId} AND status IN ('Processing', 'Failed') AND ${isInvoiceOpen(db)}
    ) AS open
    GROUP BY currency ORDER BY currency`;
}

export type MonthlyUsage = { thisMonth: string; lastMonth: string };

/** The company's usage since the start of a month and in the month before, with what has not been rolled up. */
export async function sumMonths(
  db: Queryable,
  companyId: string,
  { lastMonth, thisMonth }: { lastMonth: Date; thisMonth: Date },
): Promise<MonthlyUsage> {
  const [row] = await db<[MonthlyUsage]>`
    SELECT coalesce(sum(quantity) FILTER (WHERE at >= ${thisMonth}), 0)::text AS "thisMonth",
           coalesce(sum(quantity) FILTER (WHERE at < ${thisMonth}), 0)::text AS "lastMonth"
    FROM (
      SELECT day AS at, quantity FROM usage_days WHERE company_id = ${companyId} AND day >= ${lastMonth}
      UNION ALL
      SELECT hour, quarter_1 + quarter_2 + quarter_3 + quarter_4 FROM usage_deltas
      WHERE company_id = ${companyId} AND hour >= ${lastMonth}
    ) AS used`;
  return row;
}

export type Setup = { address: boolean; card: boolean; billingInformation: boolean; colleague: boolean };

/** What the company has set up; its colleagues are all but one user. */
export async function selectSetup(db: Queryable, companyId: string, userId: string): Promise<Setup> {
  const [row] = await db<[Setup]>`
    SELECT EXISTS (SELECT FROM addresses WHERE company_id = ${companyId} AND deleted_at IS NULL) AS address,
           EXISTS (SELECT FROM cards WHERE company_id = ${companyId} AND deleted_at IS NULL) AS card,
           EXISTS (
             SELECT FROM billing_information
             WHERE company_id = ${companyId} AND country <> '' AND (organization <> '' OR last_name <> '')
           ) AS "billingInformation",
           EXISTS (SELECT FROM users WHERE company_id = ${companyId} AND id <> ${userId} AND disabled_at IS NULL)
             OR EXISTS (SELECT FROM invitations WHERE company_id = ${companyId} AND expires_at > now()) AS colleague`;
  return row;
}
