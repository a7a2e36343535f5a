import { companyName } from '../../../identity/companies/names.parts.queries.ts';
import { idList, type Queryable } from '../../../platform/database/database.ts';

export type BillingRunRow = {
  id: string;
  period: string;
  status: 'running' | 'waiting' | 'done' | 'failed';
  companies: number;
  done: number;
  invoices: number;
  failures: number;
  passes: number;
  nextPassAt: Date | null;
  /** About the last pass: the time at which its companies were due, how many there are, how many are processed, and up to which id. */
  asOf: Date | null;
  withoutGrace: boolean;
  passCompanies: number;
  passDone: number;
  lastCompanyId: string | null;
  /** Since a worker began the pass. */
  runningSeconds: number;
  createdAt: Date;
  finishedAt: Date | null;
};

function runColumns(db: Queryable) {
  return db`
    id, period, status, companies, done, failures, passes, next_pass_at AS "nextPassAt", as_of AS "asOf",
    without_grace AS "withoutGrace", pass_companies AS "passCompanies", pass_done AS "passDone",
    last_company_id AS "lastCompanyId", created_at AS "createdAt", finished_at AS "finishedAt",
    coalesce(extract(epoch FROM now() - started_at), 0)::int AS "runningSeconds",
    coalesce(invoices, (SELECT count(invoice_id)::int FROM billed_periods WHERE run_id = billing_runs.id)) AS invoices`;
}

/** Reads the run with this id, or of this month. */
export async function selectRun(
  db: Queryable,
  { id, period }: { id: string; period?: never } | { id?: never; period: string },
): Promise<BillingRunRow | null> {
  const [row] = await db<BillingRunRow[]>`
    SELECT ${runColumns(db)} FROM billing_runs
    WHERE ${id === undefined ? db`period = ${period}` : db`id = ${id}`}`;
  return row ?? null;
}

/** Reads a page of runs, the newest month first. */
export async function selectRunPage(
  db: Queryable,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; data: BillingRunRow[] }> {
  const [[count], data] = await Promise.all([
    db<[{ total: number }]>`SELECT count(*)::int AS total FROM billing_runs`,
    db<BillingRunRow[]>`
      SELECT ${runColumns(db)} FROM billing_runs ORDER BY period DESC LIMIT ${limit} OFFSET ${offset}`,
  ]);
  return { total: count.total, data };
}

/** Lists the paths that had no price when they were billed, with the number of companies that used each, up to a limit, by path. */
export async function selectUnpricedPaths(
  db: Queryable,
  id: string,
  limit: number,
): Promise<{ path: string; companies: number }[]> {
  return db<{ path: string; companies: number }[]>`
    SELECT path COLLATE "C" AS path, count(*)::int AS companies
    FROM billed_periods CROSS JOIN LATERAL json_array_elements_text(unpriced_paths) AS unpriced (path)
    WHERE run_id = ${id} AND unpriced_paths IS NOT NULL
    GROUP BY path COLLATE "C" ORDER BY 1 LIMIT ${limit}`;
}

/** The kind of failure of a company that a run could not bill; its record is the month. */
export const COMPANY_FAILURES = 'billed_companies';

export type FailedCompany = { companyId: string; companyName: string; reason: string };

/** Why these companies could not be billed for a month, ordered by id. */
export async function selectFailures(
  db: Queryable,
  period: string,
  companyIds: readonly string[],
): Promise<FailedCompany[]> {
  return db<FailedCompany[]>`
    SELECT given.id AS "companyId", ${companyName(db, db`given.id`)} AS "companyName", coalesce(failed.error, '') AS reason
    FROM unnest(${idList(db, companyIds)}) AS given (id)
    LEFT JOIN job_failures AS failed
      ON failed.company_id = given.id AND failed.kind = ${COMPANY_FAILURES} AND failed.record = ${period}
    ORDER BY given.id`;
}
