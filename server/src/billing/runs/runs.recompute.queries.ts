import type { BillingSettings } from '../../customers/companies/companies.settings.schema.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Json } from '../../platform/http/schema/json.ts';
import type { BilledPeriod } from './batch/billed-periods.queries.ts';
import type { UpcomingInvoice } from './batch/upcoming.schema.ts';

/** What an invoice says. Amounts are exact texts in major units; the lines are JSON text, as they were issued. */
type IssuedInvoice = {
  number: string;
  startAt: Date;
  endAt: Date;
  currency: string;
  taxRate: string;
  details: Json<typeof UpcomingInvoice.properties.details>;
  subTotal: string;
  tax: string;
  total: string;
};

/** What the invoice was computed from. `last` is the period before, when the bill includes late usage for it and earlier ones. */
type ComputedFrom = {
  billed: BilledPeriod;
  currency: string;
  lateAtOwnRate: boolean;
  lateUsage: BillingSettings['lateUsage'];
  last: BilledPeriod | null;
};

export type BilledInvoice = { issued: IssuedInvoice; computedFrom: ComputedFrom | null };

type PeriodColumns = { period: string | null; periodStartAt: Date; periodEndAt: Date; cutoff: number };
type LastColumns = {
  lastPeriod: string | null;
  lastStartAt: Date;
  lastEndAt: Date;
  lastCutoff: number;
  lastTaxRate: string;
};
type Row = IssuedInvoice &
  PeriodColumns &
  LastColumns & {
    periodCurrency: string;
    periodTaxRate: string;
    lateAtOwnRate: boolean;
    lateUsageKind: BillingSettings['lateUsage']['kind'];
    lateUsageDays: number | null;
  };

/**
 * Reads the invoice and what it was computed from, which is null for one that the operator issued. Null when the company has no such
 * invoice.
 */
export async function selectBilledInvoice(
  db: Queryable,
  companyId: string,
  invoiceId: string,
): Promise<BilledInvoice | null> {
  // As in answers, but with every digit of the row.
  const amount = (column: string) =>
    db`money_text(invoices.${db(column)}, greatest(minor_unit_digits, scale(trim_scale(invoices.${db(column)}))))`;
  const [row] = await db<Row[]>`
    SELECT invoices.number, invoices.start_at AS "startAt", invoices.end_at AS "endAt", invoices.currency,
           coalesce(trim_scale(invoices.tax_rate)::text, '') AS "taxRate", invoices.details::text AS details,
           ${amount('sub_total')} AS "subTotal", ${amount('tax')} AS tax, ${amount('total')} AS total,
           billed.period, billed.start_at AS "periodStartAt", billed.end_at AS "periodEndAt", billed.cutoff,
           billed.currency AS "periodCurrency", trim_scale(billed.tax_rate)::text AS "periodTaxRate",
           billed.late_at_own_rate AS "lateAtOwnRate", billed.late_usage_kind AS "lateUsageKind", billed.late_usage_days AS "lateUsageDays",
           last.period AS "lastPeriod", last.start_at AS "lastStartAt", last.end_at AS "lastEndAt", last.cutoff AS "lastCutoff",
           trim_scale(last.tax_rate)::text AS "lastTaxRate"
    FROM invoices
    LEFT JOIN billed_periods AS billed ON billed.company_id = invoices.company_id AND billed.invoice_id = invoices.id
    LEFT JOIN billed_periods AS last ON last.company_id = billed.company_id AND last.period = billed.late_after_period
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}`;
  if (row === undefined) return null;
  const { number, startAt, endAt, currency, taxRate, details, subTotal, tax, total } = row;
  const issued = { number, startAt, endAt, currency, taxRate, details, subTotal, tax, total };
  return { issued, computedFrom: readComputedFrom(row) };
}

function readComputedFrom(row: Row): ComputedFrom | null {
  if (row.period === null) return null;
  const { period, periodStartAt: startAt, periodEndAt: endAt, cutoff, periodTaxRate: taxRate } = row;
  const last = { startAt: row.lastStartAt, endAt: row.lastEndAt, cutoff: row.lastCutoff, taxRate: row.lastTaxRate };
  return {
    billed: { period, startAt, endAt, cutoff, taxRate },
    currency: row.periodCurrency,
    lateAtOwnRate: row.lateAtOwnRate,
    lateUsage: { kind: row.lateUsageKind, ...(row.lateUsageDays === null ? {} : { days: row.lateUsageDays }) },
    last: row.lastPeriod === null ? null : { period: row.lastPeriod, ...last },
  };
}
