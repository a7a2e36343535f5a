import { insertAlert } from '../../alerts/alerts.service.ts';
import { readBillingSettingsOfMany } from '../../customers/companies/companies.service.ts';
import { readWorths } from '../../metering/prices/prices.service.ts';
import { filterUsed, selectOpenCutoff } from '../../metering/usage/usage.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { compareDecimals, formatDecimal, subtractDecimals, toDecimal } from '../../platform/money/decimal.ts';
import { type CountedPeriod, selectCompaniesTaken, selectCountedPeriods } from './uncounted.worker.queries.ts';

const COMPANIES_A_BATCH = 200;

/**
 * Alerts a person about usage that counts as billed once the open cutoff is closed, and that no invoice took: it had arrived too late for
 * the invoice that was written again, and was sent again before that. It is not billed by itself, because a price that was lost looks the
 * same. Call it before the cutoff is closed: if the process dies in between, a person is alerted twice, and not never.
 */
export async function alertUncounted(tx: Tx): Promise<void> {
  const openCutoff = await selectOpenCutoff(tx);
  let companyIds: string[] = [];
  do {
    const page = { openCutoff, after: companyIds.at(-1) ?? null, limit: COMPANIES_A_BATCH };
    companyIds = await selectCompaniesTaken(tx, page);
    await alertOf(tx, companyIds, openCutoff);
  } while (companyIds.length === COMPANIES_A_BATCH);
}

async function alertOf(tx: Tx, companyIds: readonly string[], openCutoff: number): Promise<void> {
  const settings = await readBillingSettingsOfMany(tx, companyIds);
  const billLate = settings.filter(({ lateUsage }) => lateUsage.kind !== 'ignore').map(({ companyId }) => companyId);
  const periods = await selectCountedPeriods(tx, billLate, openCutoff);
  const used = await filterUsed(
    tx,
    periods.map((period) => ({
      ...period,
      from: period.startAt,
      to: period.endAt,
      afterCutoff: period.billedUpTo,
      upToCutoff: null,
    })),
  );
  const compared = used.map((period) => ({ period, before: { ...period, upToCutoff: period.billedUpTo } }));
  const worthOf = await readWorths(
    tx,
    compared.flatMap(({ period, before }) => [period, before]),
  );
  for (const { period, before } of compared) {
    const by = subtractDecimals(worthOf(period), takenOf(period, worthOf(before), openCutoff));
    if (compareDecimals(by, ZERO) > 0) await alert(tx, period, formatDecimal(by));
  }
}

const ZERO = toDecimal('0');

/** What its invoices took: as noted now, else what its usage was worth up to where runs have billed it. */
function takenOf({ taken }: CountedPeriod, worthBefore: typeof ZERO, openCutoff: number): typeof ZERO {
  const known = taken === null ? ZERO : toDecimal(taken.amount);
  return taken?.cutoff === openCutoff || compareDecimals(known, worthBefore) > 0 ? known : worthBefore;
}

async function alert(tx: Tx, { companyId, month, currency }: CountedPeriod, by: string): Promise<void> {
  const message =
    `The usage of ${month} is worth ${by} ${currency} (net) more than the invoices of the month billed. ` +
    'Some of them were written again after a restore. All of the usage counts as billed. If some of the usage arrived too ' +
    'late for these invoices, bill it with ' +
    `POST /operator/companies/${companyId}/items.`;
  await insertAlert(tx, companyId, { kind: 'recovery_review', payment: null, message });
}
