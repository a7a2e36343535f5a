import { recordMark } from '../../continuity/journal/journal.service.ts';
import {
  isReverseCharge,
  lockCompanies,
  readBillingSettingsOfMany,
  taxRateToBill,
} from '../../customers/companies/companies.service.ts';
import type { BillingSettings } from '../../customers/companies/companies.settings.schema.ts';
import { type BillingPeriod, monthAfter, periodOf } from '../../platform/calendar/billing-periods.ts';
import type { Tx } from '../../platform/database/database.ts';
import { formatDecimal, parseDecimal } from '../../platform/money/decimal.ts';
import { computeTotals, fromMinor } from '../../platform/money/money.ts';
import { draftInvoice } from '../invoices/invoices.service.ts';
import { allocateNumber, recordLostNumber } from '../numbering/numbering.service.ts';
import { type CompanyBillRequest, computeBill } from '../runs/batch/bill.ts';
import { selectLastPeriod } from '../runs/batch/billed-periods.queries.ts';
import { requestBill } from '../runs/batch/due.ts';
import { describeDraft } from './restore.queries.ts';
import { COMPANY_UNKNOWN, impossible, type Restored, restoreInvoice } from './restore.service.ts';

/*
 * An invoice that the database has lost, and no journal has, is written again from what the gateway's object of its charge says about it.
 */

/** What an object says about its invoice. */
export type LostInvoice = {
  id: string;
  number: string;
  debt: string;
  /** In minor units. */
  totalMinor: bigint;
  currency: string;
  /** Percent, with commas between several; null where it is not known. */
  taxRate: string | null;
  method: 'Card' | 'paypal' | null;
  /** What it took of each month for usage, as in `2026-09:12.50,2026-10:40.00`; null where that is not known. */
  usage: string | null;
  /** About when it was issued. */
  issuedAt: Date;
};

const USAGE = /^usage:[0-9a-f-]{36}:(\d{4}-\d{2})$/;
const DAY_MS = 86_400_000;
const TITLE = 'As captured';

/**
 * Writes an invoice again with its id, its debt and its number, for the seller and the buyer of now: unpaid. A month's lines are computed
 * from the usage that is here if they come to the same; otherwise one line has the whole amount. If another document has the number by
 * now, it is recorded as lost, and the invoice gets the next one.
 * @param companyId - the company that gets it, which need not be that of the debt
 */
export async function rebuildInvoice(tx: Tx, companyId: string, lost: LostInvoice): Promise<Restored> {
  await lockCompanies(tx, [companyId]);
  const [settings] = await readBillingSettingsOfMany(tx, [companyId]);
  if (settings === undefined) return COMPANY_UNKNOWN;
  const written = await draftLost(tx, settings, lost);
  if (written === null) return impossible('The tax of each rate on the invoice is not known.');
  const { draft, asCaptured } = written;
  const { issuedAt } = lost;
  const dueAt = new Date(issuedAt.getTime() + settings.netDays * DAY_MS);
  const restore = async (number: string) =>
    restoreInvoice(
      tx,
      companyId,
      await describeDraft(tx, companyId, { ...draft, number, issuedAt, dueAt }),
      asCaptured,
    );
  const first = await restore(lost.number);
  const restored =
    first.outcome === 'number_taken' ? await restore((await renumber(tx, companyId, lost)).number) : first;
  if (restored.outcome !== 'restored') return restored;
  await recordMark(tx, companyId, { kind: 'invoice', subject: lost.id });
  return restored;
}

async function renumber(tx: Tx, companyId: string, { number, totalMinor, currency }: LostInvoice) {
  const total = formatDecimal(fromMinor(totalMinor, currency));
  const reason = 'Another document has this number, so the invoice got a new number.';
  await recordLostNumber(tx, companyId, { type: 'invoice', number, total, currency, reason });
  return allocateNumber(tx, companyId, 'invoice');
}

/** Null if the amounts by tax rate are not known. */
async function draftLost(tx: Tx, settings: BillingSettings, lost: LostInvoice) {
  const { id, debt } = lost;
  const [, month] = USAGE.exec(debt) ?? [];
  const request = month === undefined ? null : await requestMonth(tx, settings, month);
  const computed = request === null ? null : await recompute(tx, request, lost);
  const written = computed ?? summarize(settings, lost, request);
  if (written === null) return null;
  const { period, ...body } = written;
  const draft = draftInvoice(settings.companyId, {
    ...body,
    startAt: period.startAt.toISOString(),
    endAt: period.endAt.toISOString(),
    method: lost.method ?? settings.invoiceMethod,
  });
  const reverseCharge = draft.taxRate === '0' && isReverseCharge(settings);
  return {
    draft: { ...draft, id, debt, reference: referenceOf(lost), reverseCharge },
    asCaptured: computed === null ? { usage: lost.usage } : undefined,
  };
}

/** The operator's reference. A gateway's name of a debt may have a hash in its place. */
function referenceOf({ id, debt }: LostInvoice): string | null {
  const [, reference = id] = /^ref:[^:]+:(.+)$/s.exec(debt) ?? [];
  return reference === id || /^[0-9a-f]{64}$/.test(reference) ? null : reference;
}

type Month = {
  period: BillingPeriod;
  /** What the month's run would bill now; null if it or a later month is billed. */
  bill: CompanyBillRequest | null;
};

async function requestMonth(tx: Tx, settings: BillingSettings, month: string): Promise<Month> {
  const { companyId, timezone } = settings;
  const billed = await selectLastPeriod(tx, companyId);
  const request = requestBill(settings, { billed, month, upToCutoff: null });
  const whole = periodOf(month, timezone);
  if (request === null) return { period: whole, bill: null };
  // Months between were billed before the database went back, but no longer.
  const isNext = billed === null || monthAfter(billed.period) === month;
  const period = isNext ? request.period : whole;
  return { period, bill: { ...request, period } };
}

/** Rates the month as its run would; null if that comes to something else. */
async function recompute(tx: Tx, { bill: request }: Month, lost: LostInvoice) {
  if (request === null || request.currency !== lost.currency) return null;
  const { companyId, currency } = request;
  const { lines, carriedOver } = await computeBill(tx, companyId, request);
  if (lines.length === 0 || carriedOver !== null) return null;
  const { totalMinor, byRate } = computeTotals(lines, request.taxRate, currency);
  const rates = byRate.map(({ rate }) => rate).join();
  const isSame = totalMinor === lost.totalMinor && (lost.taxRate === null || lost.taxRate === rates);
  return isSame ? { period: request.period, taxRate: request.taxRate, details: lines } : null;
}

/** One line with the whole amount; null if how it divides among tax rates is not known. An invoice by hand gets a period of a day. */
function summarize(settings: BillingSettings, lost: LostInvoice, month: Month | null) {
  const { currency, issuedAt } = lost;
  const taxRate = lost.taxRate ?? taxRateToBill(settings);
  const netMinor = findNet(lost, taxRate);
  if (netMinor === null) return null;
  const period = month?.period ?? { startAt: issuedAt, endAt: new Date(issuedAt.getTime() + DAY_MS) };
  const amount = formatDecimal(fromMinor(netMinor, currency));
  const line = { title: TITLE, path: '', totalRequest: '0', currency, amount };
  const details = [month === null ? line : { ...line, kind: 'usage', priceId: null, taxRate }];
  return { period, taxRate, details };
}

/** Finds the net amount that makes the total with its tax; null if none does. */
function findNet({ totalMinor, currency }: LostInvoice, taxRate: string): bigint | null {
  const rate = parseDecimal(taxRate);
  if (rate === null || rate.coefficient < 0n) return null;
  const hundred = 100n * 10n ** BigInt(rate.scale);
  const aboutMinor = (totalMinor * hundred) / (hundred + rate.coefficient);
  const nearby = [0n, 1n, -1n, 2n].map((step) => aboutMinor + step);
  return (
    nearby.find((netMinor) => {
      const amount = formatDecimal(fromMinor(netMinor, currency));
      return computeTotals([{ amount }], taxRate, currency).totalMinor === totalMinor;
    }) ?? null
  );
}
