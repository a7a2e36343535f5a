import { setTimeout as sleep } from 'node:timers/promises';
import { TerminalError } from '../paydesk/access.ts';
import type { Admin, Setting } from './company.ts';
import { count, day, startOfMonth } from './format.ts';
import { endProgress, printDetail, printStep, showProgress } from './output.ts';

/*
 * What the operator does so that usage becomes an invoice. Settings and prices are only for the demo's company; the seller is set only if
 * there is none.
 */

/** A month that is over in every time zone, as billing runs require. */
export type Month = { period: string; startAt: Date; endAt: Date };

/** In the last time zone, a month ends twelve hours later than in UTC. */
const LAST_ZONE_MS = 12 * 3_600_000;
const POLL_MS = 200;
const TIMEOUT_MS = 600_000;

/** Returns the last month that is over in every time zone. */
export function lastMonth(now: Date): Month {
  const endAt = startOfMonth(new Date(now.getTime() - LAST_ZONE_MS));
  const startAt = startOfMonth(endAt, -1);
  return { period: startAt.toISOString().slice(0, 7), startAt, endAt };
}

/** Sets the seller, and how this company is billed. */
export async function setUpBilling({ operator }: Setting, { companyId, email }: Admin): Promise<void> {
  printStep('The operator says who sells, and how the new company is billed');
  const { total, data } = await operator.companies.list({ email });
  printDetail(`${total} company: ${data[0]?.id}`);

  let seller = await operator.seller.get();
  if (seller.name === '') {
    seller = await operator.seller.update({
      name: 'Northwind Interfaces Ltd',
      addressLines: ['221 Harbour Street', 'Bristol BS1 4XX', 'United Kingdom'],
      taxId: 'GB 987 6543 21',
      email: 'billing@northwind.example',
      footerText: 'Thank you for your business.',
    });
  }
  printDetail(`the seller is ${seller.name}`);

  const settings = { currency: 'USD', taxRate: '20', timezone: 'UTC', invoiceGraceHours: 0, netDays: 14 };
  await operator.companies.billingSettings.update(companyId, settings);
  const { currency, taxRate, timezone, netDays } = settings;
  printDetail(
    `billed in ${currency} with ${taxRate}% tax, by the months of ${timezone}, payable within ${netDays} days`,
  );
}

/** Sets two prices for this company only. */
export async function setPrices({ operator }: Setting, { companyId }: Admin, month: Month): Promise<void> {
  printStep('The operator sets what requests cost');
  const common = { companyId, currency: 'USD', effectiveFrom: month.startAt.toISOString() };
  const speech = await operator.prices.create({
    ...common,
    path: '/v1/transcriptions',
    title: 'Speech to text',
    model: 'graduated',
    freeRequests: 1_000,
    tiers: [
      { upTo: 10_000, unitAmount: '0.004' },
      { upTo: null, unitAmount: '0.0025', flatAmount: '5.00' },
    ],
  });
  printDetail(`${speech.title}: 1,000 requests free, 10,000 at $0.004, each after that at $0.0025 and $5.00 once`);
  const storage = await operator.prices.create({
    ...common,
    path: '/v1/files*',
    title: 'Storage',
    model: 'package',
    packageSize: 100,
    packageAmount: '1.50',
    pooled: true,
  });
  printDetail(`${storage.title}: $1.50 for every 100 requests that are begun, for all paths that begin with /v1/files`);
}

/** Returns last month's usage and a little of today's. One of the events is sent twice. */
function usageOf({ companyId }: Admin, { startAt }: Month, now: Date) {
  const used: [date: number, path: string, quantity: number][] = [
    [3, '/v1/transcriptions', 1_200],
    [3, '/v1/files', 140],
    [12, '/v1/transcriptions', 4_300],
    [12, '/v1/files/search', 60],
    [26, '/v1/transcriptions', 7_500],
    [26, '/v1/files', 110],
  ];
  const event = (id: string, time: Date, path: string, quantity: number) => ({
    specversion: '1.0' as const,
    type: 'paydesk.usage' as const,
    source: '/gateways/demo',
    id,
    subject: companyId,
    time: time.toISOString(),
    data: { path, quantity },
  });
  const noonOf = (date: number) => new Date(Date.UTC(startAt.getUTCFullYear(), startAt.getUTCMonth(), date, 12));
  const events = used.map(([date, path, quantity], index) => event(`usage-${index + 1}`, noonOf(date), path, quantity));
  return [...events, event('usage-today', now, '/v1/transcriptions', 2_500), ...events.slice(0, 1)];
}

/** Reports usage as CloudEvents in one batch. */
export async function reportUsage({ operator }: Setting, admin: Admin, month: Month, now: Date): Promise<void> {
  printStep('The gateway reports what the company used, and one event twice');
  const { accepted, duplicate, rejected, results } = await operator.usage.report(usageOf(admin, month, now));
  printDetail(`${accepted} accepted, ${duplicate} duplicate, ${rejected} rejected`);
  for (const { id, status } of results) if (status !== 'accepted') printDetail(`${id}: ${status}, counted once`);
}

/** Bills a month. The run is processed in the background, for every company with usage. */
export async function runBilling(setting: Setting, { period, startAt }: Month): Promise<void> {
  printStep(`The operator bills ${period}`);
  const run = await bill(setting, period);
  printDetail(`from ${day(startAt)} to the end of the month: ${run.status}`);
  const invoices = `${count(run.invoices)} ${run.invoices === 1 ? 'invoice' : 'invoices'}`;
  printDetail(`${count(run.done)} of ${count(run.companies)} companies, ${invoices} so far`);
}

/** Starts a billing run, and waits for its end. @param period - such as `2026-10` @throws TerminalError */
export async function bill({ operator, quietOperator }: Pick<Setting, 'operator' | 'quietOperator'>, period: string) {
  let run = await operator.billingRuns.start({ period });
  const deadline = Date.now() + TIMEOUT_MS;
  while (run.status === 'running') {
    if (Date.now() > deadline) throw new TerminalError(`The billing run ${run.id} does not come to its end.`);
    const left = run.remainingSeconds === null ? '' : `, ${run.remainingSeconds} s left`;
    showProgress(run.companies === 0 ? 0 : run.done / run.companies, `${run.done} of ${run.companies}${left}`);
    await sleep(POLL_MS);
    run = await quietOperator.billingRuns.get(run.id);
  }
  endProgress();
  return run;
}
