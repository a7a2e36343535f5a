import type { Paydesk } from '../../../packages/client/src/index.ts';
import { startOfMonth } from '../format.ts';
import { printDetail, printStep } from '../output.ts';
import type { SignedUp } from './companies.ts';

/* What the companies use, and what it costs. */

const DAY_MS = 24 * 3_600_000;

/** By path: how many requests a small company makes on a usual day. */
const PATHS: readonly [path: string, quantity: number][] = [
  ['/v1/transcriptions', 420],
  ['/v1/translations', 150],
  ['/v1/files', 18],
];

/** Prices in each currency, one of them in tiers. */
export async function setPrices(operator: Paydesk['operator'], from: Date): Promise<void> {
  printStep('Prices in three currencies');
  for (const currency of ['USD', 'EUR', 'GBP']) {
    const common = { currency, effectiveFrom: from.toISOString() };
    await operator.prices.create({
      ...{ ...common, path: '/v1/transcriptions', title: 'Speech to text', model: 'graduated', freeRequests: 1_000 },
      tiers: [
        { upTo: 50_000, unitAmount: '0.004' },
        { upTo: null, unitAmount: '0.0025', flatAmount: '5.00' },
      ],
    });
    await operator.prices.create({
      ...{ ...common, path: '/v1/translations', title: 'Translation' },
      ...{ model: 'flat', unitAmount: '0.009' },
    });
    await operator.prices.create({
      ...{ ...common, path: '/v1/files*', title: 'Storage', pooled: true },
      ...{ model: 'package', packageSize: 100, packageAmount: '1.50' },
    });
  }
  printDetail('Speech to text (graduated), Translation (flat), Storage (by package)');
}

/** The usage of a company as CloudEvents: every other day, less at weekends, and a little more each month. */
export function usageOf({ id: companyId, scale }: SignedUp, nth: number, months: readonly Date[]) {
  const days = [...months, startOfMonth(new Date())].flatMap((month, index) =>
    daysOf(month).map((day) => ({ day, index })),
  );
  return days.flatMap(({ day, index }) => {
    const isWeekend = day.getUTCDay() % 6 === 0;
    const growth = (10 + index) * (isWeekend ? 3 : 10);
    // Some days are busier; the same ones each time.
    const mood = 80 + ((day.getUTCDate() * 37 + nth * 13) % 40);
    return PATHS.map(([path, usual]) => ({
      ...{ specversion: '1.0' as const, type: 'paydesk.usage' as const, source: '/gateways/demo' },
      ...{ id: `demo-${nth}-${day.toISOString()}-${path}`, subject: companyId, time: day.toISOString() },
      data: { path, quantity: Math.ceil((usual * scale * growth * mood) / 10_000) },
    }));
  });
}

/** Noon of every other day of a month that is over by now. */
function daysOf(month: Date): Date[] {
  const days = [];
  const end = Math.min(Date.now(), startOfMonth(month, 1).getTime());
  for (let at = month.getTime() + DAY_MS / 2; at < end; at += 2 * DAY_MS) days.push(new Date(at));
  return days;
}
