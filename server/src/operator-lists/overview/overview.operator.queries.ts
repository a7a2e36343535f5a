import { invoiceSums } from '../../billing/invoices/record/invoices.parts.queries.ts';
import { amountLeft, isInvoiceOpen } from '../../billing/invoices/record/state.parts.queries.ts';
import type { Queryable } from '../../platform/database/database.ts';

export type OpenSums = {
  currency: string;
  amount: string;
  invoices: number;
  days1To30: string;
  days31To60: string;
  days61To90: string;
  over90: string;
  overdue: number;
  failedAmount: string;
  failed: number;
};

/** The bounds of what is overdue for so many days. */
const AGES = [0, 30, 60, 90];

/**
 * What is due on the open invoices of all companies as of an instant, by currency, in major units: from the sums of whole days, and from
 * the invoices themselves for the days (UTC) in which a bound lies.
 */
export async function sumOpenInvoices(db: Queryable, now: Date): Promise<OpenSums[]> {
  const before = (days: number) => db`due_at < ${now}::timestamptz - make_interval(days => ${days})`;
  const aged = (days: number, upTo: number | null) =>
    db`money_text(coalesce(sum(due) FILTER (
      WHERE ${before(days)} ${upTo === null ? db`` : db`AND NOT ${before(upTo)}`}
    ), 0), max(digits))`;
  return db<OpenSums[]>`
    WITH days AS MATERIALIZED (
      SELECT ((${now}::timestamptz - make_interval(days => age)) AT TIME ZONE 'UTC')::date AS day
      FROM unnest(string_to_array(${AGES.join()}, ',')::int[]) AS age
    )
    SELECT currency, money_text(sum(due), max(digits)) AS amount, sum(invoices)::int AS invoices,
           ${aged(0, 30)} AS "days1To30", ${aged(30, 60)} AS "days31To60", ${aged(60, 90)} AS "days61To90", ${aged(90, null)} AS over90,
           coalesce(sum(invoices) FILTER (WHERE due_at < ${now}), 0)::int AS overdue,
           money_text(coalesce(sum(due) FILTER (WHERE failed), 0), max(digits)) AS "failedAmount",
           coalesce(sum(invoices) FILTER (WHERE failed), 0)::int AS failed
    FROM (
      SELECT currency, minor_unit_digits AS digits, due_on::timestamp AT TIME ZONE 'UTC' AS due_at, failed, invoices, amount AS due
      FROM ${invoiceSums(db)} AS sums WHERE due_on > '-infinity' AND due_on NOT IN (SELECT day FROM days)
      UNION ALL
      SELECT open.* FROM days CROSS JOIN LATERAL (
        SELECT currency, minor_unit_digits, due_at, status = 'Failed', 1, ${amountLeft(db)} FROM invoices
        WHERE ${isInvoiceOpen(db)} AND due_at >= day::timestamp AT TIME ZONE 'UTC' AND due_at < (day + 1)::timestamp AT TIME ZONE 'UTC'
        OFFSET 0
      ) AS open
    ) AS parts
    GROUP BY currency HAVING sum(invoices) > 0 ORDER BY currency`;
}

export type Setup = { seller: boolean; price: boolean; company: boolean; invoice: boolean };

/** What a new installation has of what it needs. Each is read until its first row. */
export async function selectSetup(db: Queryable): Promise<Setup> {
  const [row] = await db<[Setup]>`
    SELECT EXISTS (SELECT FROM seller WHERE name <> '') AS seller, EXISTS (SELECT FROM prices) AS price,
           EXISTS (SELECT FROM companies) AS company, EXISTS (SELECT FROM invoices) AS invoice`;
  return row;
}

export type ThingsToLookAt = { reviews: number; disputes: number; alerts: number; mails: number; endpoints: number };

/** How much there is that a person has to look at. Each has an index, or is a short table. */
export async function countThingsToLookAt(
  db: Queryable,
  { onlyMailsAboutMoney }: { onlyMailsAboutMoney: boolean },
): Promise<ThingsToLookAt> {
  const [row] = await db<[ThingsToLookAt]>`
    SELECT ((SELECT count(*) FROM payments WHERE state IN ('created', 'sending', 'unknown', 'needs_review') AND state = 'needs_review')
            + (SELECT count(*) FROM refunds WHERE state = 'needs_review'))::int AS reviews,
           (SELECT count(*) FROM disputes WHERE state = 'needs_response')::int AS disputes,
           (SELECT count(*) FROM alerts WHERE acknowledged_at IS NULL)::int AS alerts,
           (SELECT count(*) FROM mails WHERE status = 'failed' ${onlyMailsAboutMoney ? db`AND is_about_money` : db``})::int AS mails,
           (SELECT count(*) FROM webhook_endpoints WHERE status = 'failing')::int AS endpoints`;
  return row;
}
