import type { FastifyBaseLogger } from 'fastify';
import { assertNotHeld } from '../../../continuity/hold/charges-hold.service.ts';
import {
  isReverseCharge,
  lockCompanies,
  readBillingSettingsOfMany,
} from '../../../customers/companies/companies.service.ts';
import type { BillingSettings } from '../../../customers/companies/companies.settings.schema.ts';
import { lockPricesForRead } from '../../../metering/prices/prices.service.ts';
import {
  type Db,
  isDatabaseUnavailable,
  sideBySide,
  type Tx,
  transaction,
} from '../../../platform/database/database.ts';
import { ApiError, hasCode } from '../../../platform/errors.ts';
import { noteFailure } from '../../../platform/queue/failures.service.ts';
import { carryOverToCredit } from '../../credits/credits.service.ts';
import { createInvoices, draftInvoice } from '../../invoices/invoices.service.ts';
import { assignItems } from '../../items/items.service.ts';
import { COMPANY_FAILURES } from '../pass/run.operator.queries.ts';
import { insertBilledPeriods, selectLastPeriods } from './batch.worker.queries.ts';
import { type Bill, type BillBasis, type CompanyBillRequest, loadBills, rateBill } from './bill.ts';
import { requestBill } from './due.ts';
import { alertDoubts } from './restored-month.ts';

/**
 * A run with the cutoff up to which it bills. A company whose month is not over at `asOf` waits for a later pass. With `needsSeller` the
 * run issues no invoice without a seller.
 */
export type RunToBill = { id: string; period: string; cutoff: number; asOf: Date; needsSeller: boolean };

type Failure = { companyId: string; error: unknown };

/** Billed in one transaction, with as many statements as one company needs. */
const COMPANIES_TOGETHER = 50;
/** Concurrent transactions: one writes and holds the numbers of the series, while the other reads and this process rates. */
const LANES = 2;

/**
 * Bills these companies for the month of a run, fifty in a transaction and two transactions at a time. The invoice of a company, its
 * number and the record that the period is billed are written together or not at all. Companies that are billed already are skipped. When
 * a transaction fails, each of its companies gets a transaction of its own, so that one that cannot be billed does not stop the others.
 * @throws errors that say that the database is away, charges_held and seller_required; the next try bills the rest
 */
export async function billCompanies(
  db: Db,
  log: FastifyBaseLogger,
  companyIds: readonly string[],
  run: RunToBill,
): Promise<{ failures: number }> {
  const groups = Array.from({ length: Math.ceil(companyIds.length / COMPANIES_TOGETHER) }, (_, index) =>
    companyIds.slice(index * COMPANIES_TOGETHER, (index + 1) * COMPANIES_TOGETHER),
  );
  const failures: Failure[] = [];
  const waiting = groups.values();
  const billInTurn = async () => {
    for (const group of waiting) failures.push(...(await billGroup(db, log, group, run)));
  };
  // Every lane has to end before an error is thrown, so that none runs on behind it.
  const ended = await Promise.allSettled(Array.from({ length: LANES }, billInTurn));
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
  for (const { companyId, error } of failures) {
    log.error({ err: error, companyId, period: run.period }, 'a company could not be billed');
    await noteFailure(db, companyId, { kind: COMPANY_FAILURES, record: run.period }, error);
  }
  return { failures: failures.length };
}

async function billGroup(
  db: Db,
  log: FastifyBaseLogger,
  companyIds: readonly string[],
  run: RunToBill,
): Promise<Failure[]> {
  try {
    return await billTogether(db, companyIds, run);
  } catch (error) {
    if (hasCode(error, 'charges_held')) throw error;
    log.warn(
      { err: error, period: run.period },
      'a batch of companies could not be billed; they are billed one by one',
    );
    return billOneByOne(db, companyIds, run);
  }
}

async function billOneByOne(db: Db, companyIds: readonly string[], run: RunToBill): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const companyId of companyIds) {
    try {
      failures.push(...(await billTogether(db, [companyId], run)));
    } catch (error) {
      if (isOfAll(error)) throw error;
      failures.push({ companyId, error });
    }
  }
  return failures;
}

/** Whether the error keeps every company from being billed, whichever met it. */
function isOfAll(error: unknown): boolean {
  if (isDatabaseUnavailable(error)) return true;
  return error instanceof ApiError && ['service_unavailable', 'seller_required', 'charges_held'].includes(error.code);
}

/** @returns the companies for which no bill could be made; the others are billed */
function billTogether(db: Db, companyIds: readonly string[], run: RunToBill): Promise<Failure[]> {
  return transaction(db, async (tx) => {
    await Promise.all([lockCompanies(tx, companyIds), assertNotHeld(tx)]);
    await lockPricesForRead(tx);
    const due = await findDue(tx, companyIds, run);
    const bills: CompanyBill[] = [];
    const failures: Failure[] = [];
    for (const company of await loadBills(tx, due)) {
      try {
        bills.push(makeBill(company, run.period));
      } catch (error) {
        failures.push({ companyId: company.request.companyId, error });
      }
    }
    await storeBills(tx, bills, run);
    return failures;
  });
}

type DueCompany = { settings: BillingSettings; request: CompanyBillRequest };

/** Finds out, under their locks, how each company is billed and from which instant. Leaves out companies whose month is billed already. */
async function findDue(tx: Tx, companyIds: readonly string[], run: RunToBill): Promise<DueCompany[]> {
  const { period: month, cutoff: upToCutoff } = run;
  const [settingsOfMany, lastPeriods] = await Promise.all([
    readBillingSettingsOfMany(tx, companyIds),
    selectLastPeriods(tx, companyIds),
  ]);
  const lastOf = new Map(lastPeriods.map((period) => [period.companyId, period]));
  return settingsOfMany.flatMap((settings) => {
    const request = requestBill(settings, { billed: lastOf.get(settings.companyId) ?? null, month, upToCutoff });
    // If the time zone changed after the company was found to be due, the month may not be over.
    return request === null || request.period.endAt > run.asOf ? [] : [{ settings, request }];
  });
}

/** A bill with its invoice; null when the bill has no lines. */
type CompanyBill = DueCompany & { bill: Bill; invoice: ReturnType<typeof draftInvoice> | null };

function makeBill({ settings, request, basis }: DueCompany & { basis: BillBasis }, month: string): CompanyBill {
  const bill = rateBill(basis);
  if (bill.lines.length === 0) return { settings, request, bill, invoice: null };
  const body = {
    startAt: request.period.startAt.toISOString(),
    endAt: request.period.endAt.toISOString(),
    taxRate: request.taxRate,
    method: settings.invoiceMethod,
    details: bill.lines,
  };
  const reverseCharge = isReverseCharge(settings);
  const invoice = { ...draftInvoice(request.companyId, body, month), reverseCharge };
  return { settings, request, bill, invoice };
}

/** The invoices' numbers are taken last, and what is written with them is sent without a wait: other lanes need the series. */
async function storeBills(tx: Tx, bills: readonly CompanyBill[], run: RunToBill): Promise<void> {
  if (bills.length === 0) return;
  const drafts = bills.flatMap(({ invoice }) => invoice ?? []);
  const [invoices] = await sideBySide([
    createInvoices(tx, drafts, { issuedAt: run.asOf, needsSeller: run.needsSeller }),
    assignItems(tx, bills.flatMap(listTaken)),
    insertBilledPeriods(
      tx,
      bills.map((bill) => toBilledPeriod(bill, run)),
    ),
  ]);
  const numbers = new Map(invoices.map(({ companyId, number }) => [companyId, number]));
  for (const company of bills) {
    if (company.bill.carriedOver !== null) {
      await carryOver(tx, company, `Invoice ${numbers.get(company.settings.companyId)} of ${run.period}`);
    }
    const { companyId, currency } = company.settings;
    await alertDoubts(tx, companyId, { currency, doubts: company.bill.doubts });
  }
}

function toBilledPeriod({ settings, request, bill, invoice }: CompanyBill, run: RunToBill) {
  return {
    companyId: settings.companyId,
    period: run.period,
    ...request.period,
    cutoff: run.cutoff,
    runId: run.id,
    currency: settings.currency,
    taxRate: request.taxRate,
    lateUsage: settings.lateUsage,
    lateAfterPeriod: request.last?.period ?? null,
    invoiceId: invoice?.id ?? null,
    unpricedPaths: bill.unpricedPaths,
  };
}

/** Lists the items that are on the invoice of a bill. */
function listTaken({ settings: { companyId }, bill, invoice }: CompanyBill) {
  if (invoice === null) return [];
  return bill.lines.flatMap((line) => {
    return line.kind === 'item' ? [{ companyId, itemId: line.itemId, invoiceId: invoice.id }] : [];
  });
}

/** Turns the amount that the bill could not deduct into credit, with the tax that was paid on it. */
async function carryOver(tx: Tx, { settings, bill }: CompanyBill, origin: string): Promise<void> {
  if (bill.carriedOver === null) return;
  const { companyId, currency } = settings;
  const hasItems = bill.lines.some(({ kind }) => kind === 'item');
  const reason = hasItems
    ? `${origin}: items or late usage reduced the invoice by more than the rest of it.`
    : `${origin}: late usage made earlier months cheaper by more than was used.`;
  await carryOverToCredit(tx, companyId, { ...bill.carriedOver, currency, reason });
}
