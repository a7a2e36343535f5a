import { constantPart, type Db, type Queryable, type Tx } from '../../platform/database/database.ts';
import { minorUnitDigits } from '../../platform/money/currencies.ts';
import { claimJobs } from '../../platform/queue/claim.parts.queries.ts';
import type { Question } from '../../platform/queue/due/due.ts';
import { COUNTED_FAILURES, type JobTable, LEASED } from '../../platform/queue/job-table.ts';
import { acquireLease, extendLease, isUnleased } from '../../platform/queue/leases.parts.queries.ts';
import type { PreviewedInvoice } from '../runs/runs.service.ts';
import type { BillingPreviewInvoiceQuery } from './previews.schema.ts';

const LEASE_SECONDS = 30;

/** Previews to compute. */
export const PREVIEW_JOBS: JobTable = {
  kind: 'billing_previews',
  table: 'billing_previews',
  key: ['id'],
  company: 'NULL::uuid',
  record: 'id::text',
  isNamed: 'id = failed_record::uuid',
  isOpen: "status = 'running'",
  dueAt: 'created_at',
  attempts: COUNTED_FAILURES,
  makeDue: LEASED.claim.release,
  ...LEASED,
};

/** How long a preview is kept. */
const RETENTION_DAYS = 7;

export type PreviewRow = {
  id: string;
  period: string;
  status: 'running' | 'done';
  companies: number;
  done: number;
  failures: number;
  createdAt: Date;
  finishedAt: Date | null;
};

function previewColumns(db: Queryable) {
  return db`id, period, status, companies, done, failures, created_at AS "createdAt", finished_at AS "finishedAt"`;
}

/** Writes a new preview, which a worker then computes. */
export async function insertPreview(tx: Tx, id: string, period: string): Promise<PreviewRow> {
  const [row] = await tx<[PreviewRow]>`
    INSERT INTO billing_previews (id, period, companies) SELECT ${id}, ${period}, count(*) FROM companies
    RETURNING ${previewColumns(tx)}`;
  return row;
}

/** Reads the preview; null when there is none with this id. */
export async function selectPreview(db: Queryable, id: string): Promise<PreviewRow | null> {
  const [row] = await db<PreviewRow[]>`SELECT ${previewColumns(db)} FROM billing_previews WHERE id = ${id}`;
  return row ?? null;
}

export type CurrencyTotal = {
  currency: string;
  invoices: number;
  subTotal: string;
  tax: string;
  total: string;
  subTotalBefore: string;
};

/** Sums the invoices by currency, and counts those that differ much from the month before. Amounts are texts as in answers. */
export async function sumPreview(
  db: Queryable,
  id: string,
): Promise<{ totals: CurrencyTotal[]; outliers: { higher: number; lower: number; gone: number } }> {
  const rows = await db<(CurrencyTotal & { higher: number; lower: number; gone: number })[]>`
    SELECT currency, (count(*) FILTER (WHERE outlier IS DISTINCT FROM 'gone'))::int AS invoices,
           money_text(sum(sub_total), max(minor_unit_digits)) AS "subTotal", money_text(sum(tax), max(minor_unit_digits)) AS tax,
           money_text(sum(total), max(minor_unit_digits)) AS total,
           money_text(coalesce(sum(sub_total_before), 0), max(minor_unit_digits)) AS "subTotalBefore",
           (count(*) FILTER (WHERE outlier = 'higher'))::int AS higher, (count(*) FILTER (WHERE outlier = 'lower'))::int AS lower,
           (count(*) FILTER (WHERE outlier = 'gone'))::int AS gone
    FROM billing_preview_invoices WHERE preview_id = ${id} GROUP BY currency ORDER BY currency`;
  const outliers = { higher: 0, lower: 0, gone: 0 };
  const totals = rows.map(({ higher, lower, gone, ...total }) => {
    outliers.higher += higher;
    outliers.lower += lower;
    outliers.gone += gone;
    return total;
  });
  return { totals, outliers };
}

/** Lists the paths without a price, with the number of companies that used each, up to a limit, by path. */
export async function selectUnpricedPathsOfPreview(
  db: Queryable,
  id: string,
  limit: number,
): Promise<{ path: string; companies: number }[]> {
  return db<{ path: string; companies: number }[]>`
    SELECT path COLLATE "C" AS path, count(*)::int AS companies
    FROM billing_preview_invoices CROSS JOIN LATERAL json_array_elements_text(unpriced_paths) AS unpriced (path)
    WHERE preview_id = ${id}
    GROUP BY path COLLATE "C" ORDER BY 1 LIMIT ${limit}`;
}

export type PreviewInvoiceRow = Omit<PreviewedInvoice, 'lines'> & {
  subTotalBefore: string | null;
  outlier: string | null;
};

/** Reads a page of a preview's invoices, by company. */
export async function selectPreviewInvoices(
  db: Queryable,
  id: string,
  { page, perPage, outlier, currency }: BillingPreviewInvoiceQuery,
): Promise<{ total: number; data: PreviewInvoiceRow[] }> {
  const matches = db`
    preview_id = ${id}
    ${currency === undefined ? db`` : db`AND currency = ${currency}`}
    ${outlier === undefined ? db`` : outlier === 'any' ? db`AND outlier IS NOT NULL` : db`AND outlier = ${outlier}`}`;
  const [counted] = await db<[{ total: number }]>`
    SELECT count(*)::int AS total FROM billing_preview_invoices WHERE ${matches}`;
  const data = await db<PreviewInvoiceRow[]>`
    SELECT company_id AS "companyId", start_at AS "startAt", end_at AS "endAt", method, currency,
           money_text(sub_total, minor_unit_digits) AS "subTotal", money_text(tax, minor_unit_digits) AS tax,
           money_text(total, minor_unit_digits) AS total, money_text(sub_total_before, minor_unit_digits) AS "subTotalBefore", outlier,
           unpriced_paths AS "unpricedPaths"
    FROM billing_preview_invoices WHERE ${matches}
    ORDER BY company_id LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
  return { total: counted.total, data };
}

/** Whether a preview is to be computed. */
export const RUNNING_PREVIEWS: Question = {
  name: PREVIEW_JOBS.kind,
  isDue: constantPart((db) => db`EXISTS (SELECT FROM billing_previews WHERE status = 'running')`),
};

export type ClaimedPreview = { id: string; period: string; lease: string; lastCompanyId: string | null };

/** Claims the oldest unfinished preview that no other worker has; null when there is none. */
export async function claimPreview(db: Db, lease: string): Promise<ClaimedPreview | null> {
  const [row] = await db<ClaimedPreview[]>`
    WITH ${claimJobs(db, PREVIEW_JOBS, {
      where: db`status = 'running' AND ${isUnleased(db, LEASE_SECONDS)}`,
      first: db`ORDER BY id LIMIT 1`,
      set: acquireLease(db, lease, LEASE_SECONDS),
    })}
    SELECT id, period, lease, last_company_id AS "lastCompanyId" FROM claimed`;
  return row ?? null;
}

/** Lists the companies after one, by id, up to a limit. */
export async function selectCompaniesAfter(db: Db, afterCompanyId: string | null, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM companies WHERE id > coalesce(${afterCompanyId}::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Sums the invoices of a month without tax, for these companies, by company and currency. */
export async function selectSubTotals(
  db: Queryable,
  companyIds: readonly string[],
  period: string,
): Promise<{ companyId: string; currency: string; subTotal: string }[]> {
  return db<{ companyId: string; currency: string; subTotal: string }[]>`
    SELECT invoices.company_id AS "companyId", invoices.currency, invoices.sub_total AS "subTotal"
    FROM billed_periods AS billed
    JOIN invoices ON invoices.company_id = billed.company_id AND invoices.id = billed.invoice_id
    WHERE billed.company_id = ANY(string_to_array(${companyIds.join()}, ',')::uuid[]) AND billed.period = ${period}`;
}

export type Progress = { lastCompanyId: string; done: number; failures: number };

/** Writes the invoices of some companies and the preview's progress. @returns false if another worker has the preview by now */
export async function recordInvoices(
  tx: Tx,
  { id, lease }: ClaimedPreview,
  invoices: readonly PreviewInvoiceRow[],
  progress: Progress,
): Promise<boolean> {
  const rows = await tx`
    UPDATE billing_previews
    SET last_company_id = ${progress.lastCompanyId}, done = done + ${progress.done}, failures = failures + ${progress.failures},
        ${extendLease(tx, LEASE_SECONDS)}
    WHERE id = ${id} AND lease = ${lease} AND status = 'running' RETURNING 1`;
  if (rows.length === 0) return false;
  const given = invoices.map((invoice) => ({ ...invoice, minorUnitDigits: minorUnitDigits(invoice.currency) }));
  await tx`
    INSERT INTO billing_preview_invoices (company_id, preview_id, start_at, end_at, method, currency, minor_unit_digits, sub_total, tax,
                                          total, sub_total_before, outlier, unpriced_paths)
    SELECT "companyId", ${id}, "startAt", "endAt", method, currency, "minorUnitDigits", "subTotal", tax, total, "subTotalBefore", outlier,
           "unpricedPaths"
    FROM json_to_recordset(${JSON.stringify(given)}::text::json) AS given (
      "companyId" uuid, "startAt" timestamptz, "endAt" timestamptz, method text, currency text, "minorUnitDigits" smallint,
      "subTotal" numeric, tax numeric, total numeric, "subTotalBefore" numeric, outlier text, "unpricedPaths" json
    )`;
  return true;
}

/** Releases the preview for the next worker. */
export async function releasePreview(db: Db, { id, lease }: ClaimedPreview): Promise<void> {
  await db`UPDATE billing_previews SET lease = NULL, leased_until = NULL WHERE id = ${id} AND lease = ${lease}`;
}

/** Marks the preview as finished, after the last company. */
export async function finishPreview(db: Db, { id, lease }: ClaimedPreview): Promise<void> {
  await db`
    UPDATE billing_previews SET status = 'done', companies = done, finished_at = now(), lease = NULL, leased_until = NULL
    WHERE id = ${id} AND lease = ${lease} AND status = 'running'`;
}

/** Deletes previews that are older than a week, a limited number of their invoices at a time. @returns how many */
export async function removeOldPreviews(db: Db, limit: number): Promise<number> {
  const rows = await db`
    DELETE FROM billing_preview_invoices WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM billing_preview_invoices
      WHERE preview_id IN (SELECT id FROM billing_previews WHERE created_at < now() - make_interval(days => ${RETENTION_DAYS}))
      LIMIT ${limit}
    )) RETURNING 1`;
  if (rows.length < limit) {
    await db`DELETE FROM billing_previews WHERE created_at < now() - make_interval(days => ${RETENTION_DAYS})`;
  }
  return rows.length;
}
