/** Reads usage and invoices in one snapshot, and compares them with an independent calculation from the events. */
import {
  billByHand,
  type ModelEvent,
  type ModelInvoice,
  startOfMonth,
} from '../../../src/billing/runs/runs.test-model.ts';
import { type KnownPrice, matchByHand } from '../../../src/metering/prices/prices.test-model.ts';
import type { Db } from '../../../src/platform/database/database.ts';

export type BilledCompany = {
  companyId: string;
  currency: string;
  timezone: string;
  taxRate: string;
  lateUsage: { kind: 'next_invoice' | 'ignore' } | { kind: 'refuse'; days: number };
};

/**
 * Adds triggers that record the cutoff of each event: that of the delta with the same transaction, company, hour and path. With it, an
 * invoice can be computed again from the events. Only for a test's own database.
 */
export async function recordCutoffs(owner: Db): Promise<void> {
  await owner
    .unsafe(`
    CREATE TABLE recorded_events (company_id uuid, digest uuid, transaction text);
    CREATE FUNCTION record_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO recorded_events VALUES (NEW.company_id, NEW.digest, pg_current_xact_id()::text);
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_event AFTER INSERT ON usage_events FOR EACH ROW EXECUTE FUNCTION record_event();
    CREATE TABLE recorded_deltas (id bigint PRIMARY KEY, company_id uuid, hour timestamptz, path text, transaction text, cutoff int);
    CREATE FUNCTION record_delta() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO recorded_deltas VALUES (NEW.id, NEW.company_id, NEW.hour, NEW.path, pg_current_xact_id()::text);
      ELSE
        UPDATE recorded_deltas SET cutoff = (SELECT number FROM usage_cutoffs WHERE closed_at IS NULL) WHERE id = OLD.id;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_delta AFTER INSERT OR DELETE ON usage_deltas FOR EACH ROW EXECUTE FUNCTION record_delta();
  `)
    .simple();
}

/**
 * `cutoff` is null while the event waits for the rollup. `deltas` is the number of sums that include the event; it must
 * be 1.
 */
export type StoredEvent = {
  companyId: string;
  id: string;
  atMs: number;
  path: string;
  quantity: number;
  cutoff: number | null;
  deltas: number;
};
type InvoiceRow = {
  companyId: string;
  id: string;
  number: string;
  startAt: string;
  endAt: string;
  currency: string;
  details: string;
  subTotal: string;
  tax: string;
  total: string;
};
type BilledRow = {
  companyId: string;
  period: string;
  startMs: number;
  endMs: number;
  cutoff: number;
  invoiceId: string | null;
};
export type UsageBooks = {
  events: StoredEvent[];
  sums: { companyId: string; path: string; quantity: number }[];
  invoices: InvoiceRow[];
  billed: BilledRow[];
};

/** Reads everything as of one instant. */
export async function readUsageBooks(owner: Db): Promise<UsageBooks> {
  return owner.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => ({
    events: [
      ...(await tx<StoredEvent[]>`
        SELECT events.company_id AS "companyId", event AS id, (extract(epoch FROM happened_at) * 1000)::float8 AS "atMs",
               events.path, quantity::float8 AS quantity, min(cutoff) AS cutoff, count(deltas.id)::int AS deltas
        FROM usage_events AS events
        JOIN recorded_events USING (company_id, digest)
        LEFT JOIN recorded_deltas AS deltas ON deltas.transaction = recorded_events.transaction
          AND deltas.company_id = events.company_id AND deltas.path = events.path
          AND happened_at >= deltas.hour AND happened_at < deltas.hour + interval '1 hour'
        GROUP BY events.company_id, events.stored_at, events.digest, event, happened_at, events.path, quantity`),
    ],
    sums: [
      ...(await tx<UsageBooks['sums']>`
        SELECT company_id AS "companyId", path, sum(quarter_1 + quarter_2 + quarter_3 + quarter_4)::float8 AS quantity
        FROM (
          SELECT company_id, path, quarter_1, quarter_2, quarter_3, quarter_4 FROM usage_hours
          UNION ALL SELECT company_id, path, quarter_1, quarter_2, quarter_3, quarter_4 FROM usage_deltas
        ) AS hours
        GROUP BY company_id, path`),
    ],
    invoices: [
      ...(await tx<InvoiceRow[]>`
        SELECT company_id AS "companyId", id, number, iso_instant(start_at) AS "startAt", iso_instant(end_at) AS "endAt",
               currency, details::text AS details, money_text(sub_total, minor_unit_digits) AS "subTotal",
               money_text(tax, minor_unit_digits) AS tax, money_text(total, minor_unit_digits) AS total
        FROM invoices ORDER BY start_at, number`),
    ],
    billed: [
      ...(await tx<BilledRow[]>`
        SELECT company_id AS "companyId", period, (extract(epoch FROM start_at) * 1000)::float8 AS "startMs",
               (extract(epoch FROM end_at) * 1000)::float8 AS "endMs", cutoff, invoice_id AS "invoiceId"
        FROM billed_periods ORDER BY start_at`),
    ],
  }));
}

/** Returns what is wrong in these books, company by company, and how many of the stored events are billed. */
export function checkUsage(
  books: UsageBooks,
  companies: readonly BilledCompany[],
  prices: readonly KnownPrice[],
): { violations: string[]; billed: number; unbilled: number } {
  const violations: string[] = books.events
    .filter(({ deltas }) => deltas !== 1)
    .map(({ id, deltas }) => `event ${id} went into ${deltas} sums`);
  const total = { billed: 0, unbilled: 0 };
  for (const company of companies) {
    const isOurs = (row: { companyId: string }) => row.companyId === company.companyId;
    const own: UsageBooks = {
      events: books.events.filter(isOurs),
      sums: books.sums.filter(isOurs),
      invoices: books.invoices.filter(isOurs),
      billed: books.billed.filter(isOurs),
    };
    const ownPrices = prices.filter(
      ({ companyId, currency }) =>
        (companyId ?? company.companyId) === company.companyId && currency === company.currency,
    );
    const found = checkCompany(own, company, ownPrices);
    total.billed += found.billed;
    total.unbilled += found.unbilled;
    const name = `${company.companyId} (${company.timezone}, ${company.currency}, ${company.lateUsage.kind})`;
    violations.push(...checkSums(own), ...checkInvoices(own), ...found.violations.map((what) => `${name}: ${what}`));
  }
  return { violations, ...total };
}

function checkCompany(
  { events, invoices, billed }: UsageBooks,
  { currency, timezone, taxRate, lateUsage }: BilledCompany,
  prices: readonly KnownPrice[],
): { violations: string[]; billed: number; unbilled: number } {
  const known = events.map((event) => ({ ...event, known: event.cutoff ?? Number.POSITIVE_INFINITY }));
  const runs = billed.map(({ period: month, cutoff }) => ({
    ...{ month, known: cutoff, currency, timezone, taxRate },
    billsLateUsage: lateUsage.kind !== 'ignore',
  }));
  const { outcomes, unbilled } = billByHand(prices, known, runs);
  const violations: string[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const row = billed[index];
    const invoice = invoices.find(({ id }) => id === row?.invoiceId);
    const actual = invoice === undefined ? null : describe(invoice);
    const expected =
      outcome?.invoice == null ? null : describe({ ...outcome.invoice, details: outcome.invoice.details });
    if (actual !== expected) violations.push(`${row?.period} was billed as\n  ${actual}\ninstead of\n  ${expected}`);
    const startMs = billed[index - 1]?.endMs ?? startOfMonth(row?.period ?? '', timezone);
    if (row?.startMs !== startMs) violations.push(`${row?.period} begins at ${row?.startMs}, not at ${startMs}`);
  }
  return { ...compareQuantities(known, unbilled, invoices, prices, violations), violations };
}

function describe({
  startAt,
  endAt,
  currency,
  details,
  subTotal,
  tax,
  total,
}: Omit<ModelInvoice, 'details' | 'taxes'> & { details: unknown }) {
  const lines = (typeof details === 'string' ? JSON.parse(details) : details) as ModelInvoice['details'];
  const texts = lines.map((line) => `${line.title}|${line.path}|${line.totalRequest}|${line.currency}|${line.amount}`);
  return JSON.stringify([startAt, endAt, currency, subTotal, tax, total, texts.sort()]);
}

/** Checks for each line's path that the stored quantity equals the invoiced plus the unbilled quantity. */
function compareQuantities(
  events: readonly ModelEvent[],
  unbilled: readonly ModelEvent[],
  invoices: readonly InvoiceRow[],
  prices: readonly KnownPrice[],
  violations: string[],
): { billed: number; unbilled: number } {
  const lines = invoices.flatMap(({ details }) => JSON.parse(details) as ModelInvoice['details']);
  const billed = addUp(lines.map(({ path, totalRequest }) => [path, Number(totalRequest)]));
  const pathOf = ({ path, atMs }: ModelEvent) => {
    const price = matchByHand(prices, path, new Date(atMs));
    return price?.pooled ? price.path : path;
  };
  const stored = addUp(events.map((event) => [pathOf(event), event.quantity]));
  const left = addUp(unbilled.map((event) => [pathOf(event), event.quantity]));
  for (const path of new Set([...stored.keys(), ...billed.keys()])) {
    const [all = 0, some = 0, rest = 0] = [stored.get(path), billed.get(path), left.get(path)];
    if (all !== some + rest) violations.push(`of ${path} ${all} are stored, ${some} are billed and ${rest} are not`);
  }
  const sum = (quantities: Map<string, number>) => [...quantities.values()].reduce((one, other) => one + other, 0);
  return { billed: sum(billed), unbilled: sum(left) };
}

function addUp(quantities: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [path, quantity] of quantities) sums.set(path, (sums.get(path) ?? 0) + quantity);
  return sums;
}

/** Checks that the sums, rolled up or waiting, equal those of the events. */
function checkSums({ events, sums }: UsageBooks): string[] {
  const expected = addUp(events.map(({ path, quantity }) => [path, quantity]));
  const actual = addUp(sums.map(({ path, quantity }) => [path, quantity]));
  return [...new Set([...expected.keys(), ...actual.keys()])]
    .filter((path) => (expected.get(path) ?? 0) !== (actual.get(path) ?? 0))
    .map((path) => `the events of ${path} make ${expected.get(path)}, the sums ${actual.get(path)}`);
}

/**
 * Checks that each billing period has one invoice a currency, that each invoice has a period, and that no hour belongs
 * to two periods.
 */
function checkInvoices({ invoices, billed }: UsageBooks): string[] {
  const found: string[] = [];
  const keys = invoices.map(({ startAt, endAt, currency }) => `${startAt} ${endAt} ${currency}`);
  if (new Set(keys).size !== keys.length) found.push(`two invoices for a period: ${keys.join(', ')}`);
  const named = new Set(billed.map(({ invoiceId }) => invoiceId));
  found.push(...invoices.filter(({ id }) => !named.has(id)).map(({ number }) => `${number} belongs to no period`));
  for (const [index, { startMs, period }] of billed.entries()) {
    const before = billed[index - 1];
    if (before !== undefined && before.endMs !== startMs)
      found.push(`${period} does not begin where ${before.period} ends`);
  }
  return found;
}
