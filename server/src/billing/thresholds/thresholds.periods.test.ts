/** The periods for which usage counts: months of the company's time zone, half-open, by the billing clock. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runMonth, setBilling, use } from '../../../test/billing/billing.ts';
import { startTimedService, type TimedService } from '../../../test/billing/schedule.ts';
import { addThreshold, checkOnce, reachedOf, rollUpAndCheck } from '../../../test/billing/thresholds.ts';
import { type Actor, signUpAdmin } from '../../../test/customers/actors.ts';

let service: TimedService;
beforeAll(async () => {
  service = await startTimedService('2026-10-15T12:00:00.000Z');
});
beforeEach(() => service.setTime('2026-10-15T12:00:00.000Z'));
afterAll(async () => service?.stop());

const reachedQuantities = async (actor: Actor) =>
  (await reachedOf(service, actor)).map(({ period, quantity }) => `${period} ${quantity}`);

async function useNow(actor: Actor, quantity: number, time: string): Promise<void> {
  await use(service, actor, '/v1/a', quantity, time);
  await rollUpAndCheck(service);
}

it('each period counts from zero and has its own event', async () => {
  const admin = await signUpAdmin(service);
  await addThreshold(service, admin, { quantity: '10' });
  await useNow(admin, 10, '2026-10-15T00:00:00Z');
  service.setTime('2026-11-02T00:00:00Z');
  await useNow(admin, 9, '2026-11-01T00:00:00Z');
  expect(await reachedQuantities(admin)).toEqual(['2026-10 10']);
  await useNow(admin, 4, '2026-11-01T12:00:00Z');
  expect(await reachedQuantities(admin)).toEqual(['2026-10 10', '2026-11 13']);
});

it('the month is that of the time zone, without its end', async () => {
  const admin = await signUpAdmin(service);
  await setBilling(service, admin, { timezone: 'Asia/Kathmandu' });
  await addThreshold(service, admin, { quantity: '6' });
  service.setTime('2026-10-31T18:14:59Z');
  await useNow(admin, 5, '2026-10-31T18:14:59Z');
  service.setTime('2026-10-31T18:20:00Z');
  await useNow(admin, 5, '2026-10-31T18:15:00Z');
  expect(await reachedQuantities(admin)).toEqual([]);
  await useNow(admin, 1, '2026-10-31T18:19:00Z');
  expect(await reachedOf(service, admin)).toMatchObject([
    { period: '2026-11', startAt: '2026-10-31T18:15:00.000Z', endAt: '2026-11-30T18:15:00.000Z', quantity: '6' },
  ]);
});

it('late usage counts for its own month until that is billed', async () => {
  const [early, late] = [await signUpAdmin(service), await signUpAdmin(service)];
  for (const admin of [early, late]) {
    await addThreshold(service, admin, { quantity: '10' });
    await useNow(admin, 9, '2026-10-15T00:00:00Z');
  }
  service.setTime('2026-11-03T00:00:00Z');
  await useNow(early, 1, '2026-10-31T23:59:59Z');
  expect(await reachedQuantities(early)).toEqual(['2026-10 10']);
  await runMonth(service, '2026-10');
  await useNow(late, 1, '2026-10-31T23:59:59Z');
  expect(await reachedQuantities(late)).toEqual([]);
  // The next month begins where the billed one ended.
  await useNow(late, 10, '2026-11-01T00:00:00Z');
  expect(await reachedQuantities(late)).toEqual(['2026-11 10']);
});

it('usage dated ahead into the next month causes its event when that begins, without more usage', async () => {
  const admin = await signUpAdmin(service);
  await addThreshold(service, admin, { quantity: '10' });
  service.setTime('2026-10-31T23:57:00Z');
  await useNow(admin, 10, '2026-11-01T00:01:00Z');
  await checkOnce(service);
  expect(await reachedQuantities(admin)).toEqual([]);
  service.setTime('2026-11-01T00:00:00Z');
  await checkOnce(service);
  expect(await reachedQuantities(admin)).toEqual(['2026-11 10']);
});

it('a period shortened by a change of time zone counts from the end of the last one', async () => {
  const admin = await signUpAdmin(service);
  await addThreshold(service, admin, { quantity: '10' });
  service.setTime('2026-11-02T00:00:00Z');
  await runMonth(service, '2026-10');
  await setBilling(service, admin, { timezone: 'America/New_York' });
  await useNow(admin, 10, '2026-11-01T00:30:00Z');
  expect(await reachedOf(service, admin)).toMatchObject([
    { period: '2026-11', startAt: '2026-11-01T00:00:00.000Z', endAt: '2026-12-01T05:00:00.000Z' },
  ]);
});

it('a reached threshold stays reached if the period has less usage in another time zone', async () => {
  const admin = await signUpAdmin(service);
  await addThreshold(service, admin, { quantity: '10' });
  await useNow(admin, 10, '2026-10-01T00:30:00Z');
  await setBilling(service, admin, { timezone: 'America/New_York' });
  await useNow(admin, 1, '2026-10-15T00:00:00Z');
  await useNow(admin, 20, '2026-10-15T01:00:00Z');
  expect(await reachedQuantities(admin)).toEqual(['2026-10 10']);
});
