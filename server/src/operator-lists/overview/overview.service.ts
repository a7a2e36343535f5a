import type { Hold } from '../../continuity/hold/charges-hold.service.ts';
import { type LedgerMonth, readLedgerMonths } from '../../ledger/ledger.service.ts';
import type { Db } from '../../platform/database/database.ts';
import { listJobs } from '../../platform/jobs/jobs.operator.ts';
import { formatAmount } from '../../platform/money/money.ts';
import type { JobTable } from '../../platform/queue/job-table.ts';
import { countThingsToLookAt, type OpenSums, selectSetup, sumOpenInvoices } from './overview.operator.queries.ts';
import type { OperatorOverview } from './overview.schema.ts';

const MONTHS = 12;

type Context = { now: Date; hold: Hold | null; jobTables: readonly JobTable[]; onlyMailsAboutMoney: boolean };

/** The sums of all companies by month and currency, what is due, and what a person has to look at. */
export async function readOperatorOverview(
  db: Db,
  { now, hold, jobTables, onlyMailsAboutMoney }: Context,
): Promise<OperatorOverview> {
  const starts = monthsUntil(now);
  const [months, open, things, jobs, setup] = await Promise.all([
    readLedgerMonths(db, starts[0] ?? now),
    sumOpenInvoices(db, now),
    countThingsToLookAt(db, { onlyMailsAboutMoney }),
    countTroubledJobs(db, jobTables),
    selectSetup(db),
  ]);
  return {
    months: everyMonth(months, starts),
    due: open.map(({ currency, amount, invoices }) => ({ currency, amount, invoices })),
    overdue: open.filter(({ overdue }) => overdue > 0).map(toAging),
    failed: open.flatMap(({ currency, failedAmount: amount, failed: invoices }) =>
      invoices === 0 ? [] : { currency, amount, invoices },
    ),
    ...things,
    jobs,
    hold: hold && { reason: hold.reason, since: hold.since, by: hold.by },
    setup,
  };
}

function toAging({ currency, days1To30, days31To60, days61To90, over90 }: OpenSums) {
  return { currency, days1To30, days31To60, days61To90, over90 };
}

async function countTroubledJobs(db: Db, tables: readonly JobTable[]): Promise<number> {
  const states = (['late', 'failing'] as const).map((state) => listJobs(db, tables, { page: 1, perPage: 1, state }));
  return (await Promise.all(states)).reduce((sum, { total }) => sum + total, 0);
}

/** The starts of the month of an instant and of those before it, in UTC, the oldest first. */
function monthsUntil(now: Date): Date[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return Array.from({ length: MONTHS }, (_, index) => new Date(Date.UTC(year, month - MONTHS + 1 + index)));
}

/** The sums of every month in every currency; a month without postings has zeros. */
function everyMonth(months: readonly LedgerMonth[], starts: readonly Date[]): LedgerMonth[] {
  const names = starts.map((start) => start.toISOString().slice(0, 7));
  const inTime = months.filter(({ month }) => names.includes(month));
  const currencies = [...new Set(inTime.map(({ currency }) => currency))].sort();
  return names.flatMap((month) =>
    currencies.map((currency) => {
      const zero = formatAmount(0n, currency);
      const known = inTime.find((one) => one.month === month && one.currency === currency);
      return known ?? { month, currency, billed: zero, collected: zero, refunded: zero };
    }),
  );
}
