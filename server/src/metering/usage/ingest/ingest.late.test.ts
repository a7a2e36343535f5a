import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runMonth, setBilling } from '../../../../test/billing/billing.ts';
import { readUsage, reportUsage, usageEvent } from '../../../../test/billing/usage.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

const NOW = '2026-03-04T00:00:00.000Z';

let now = NOW;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => new Date(now) });
});
afterAll(async () => service?.stop());
beforeEach(() => {
  now = NOW;
});

async function signUpWith(settings: object): Promise<Actor> {
  const admin = await signUpAdmin(service);
  await setBilling(service, admin, settings);
  return admin;
}

const refuseAfter = (days: number) => ({ lateUsage: { kind: 'refuse', days } });

const at = ({ companyId }: Actor, time: string, changes: object = {}) => usageEvent(companyId, { time, ...changes });

async function statusesOf(events: object[]): Promise<string[]> {
  const { results } = await reportUsage(service, events);
  return results.map(({ status, reason }: { status: string; reason: string | null }) => reason ?? status);
}

async function sumOf({ token }: Actor): Promise<number> {
  const { data } = await readUsage(service, token, 'from=2025-01-01&to=2027-01-01&granularity=month');
  return data.reduce((sum: number, { quantity }: { quantity: string }) => sum + Number(quantity), 0);
}

describe('a company that refuses late usage', () => {
  it('rejects it with a reason that names the deadline, and stores the rest of the batch', async () => {
    const [admin, other] = [await signUpWith(refuseAfter(3)), await signUpAdmin(service)];
    const late = at(admin, '2026-01-31T23:59:59.999Z');
    const batch = [
      late,
      at(admin, '2026-02-01T00:00:00Z'),
      at(other, '2025-01-01T00:00:00Z'),
      at(admin, NOW),
      usageEvent(randomUUID(), { time: '2025-01-01T00:00:00Z' }),
    ];
    const answer = await reportUsage(service, batch);
    expect([answer.accepted, answer.duplicate, answer.rejected]).toEqual([3, 0, 2]);
    expect(answer.results[0]).toEqual({
      id: late.id,
      status: 'rejected',
      reason: 'too_late',
      message: 'time must not be in a month that is closed: usage of 2026-01 was taken until 2026-02-04T00:00:00.000Z',
    });
    expect(answer.results[4]).toMatchObject({ reason: 'unknown_company' });
    expect([await sumOf(admin), await sumOf(other)]).toEqual([2, 1]);
  });

  it('accepts it until the last moment', async () => {
    const admin = await signUpWith(refuseAfter(3));
    expect(await statusesOf([at(admin, '2026-02-28T23:00:00Z')])).toEqual(['accepted']);
    now = '2026-03-04T00:00:00.001Z';
    expect(await statusesOf([at(admin, '2026-02-28T23:00:00Z')])).toEqual(['too_late']);
    expect(await statusesOf([at(admin, '2026-03-01T00:00:00Z')])).toEqual(['accepted']);
  });

  it("may allow no days at all, and still accepts this month's usage", async () => {
    const admin = await signUpWith(refuseAfter(0));
    now = '2026-03-01T00:00:00.000Z';
    expect(await statusesOf([at(admin, '2026-02-28T23:59:59Z')])).toEqual(['accepted']);
    now = '2026-03-01T00:00:00.001Z';
    const events = [at(admin, '2026-02-28T23:59:59Z'), at(admin, '2026-03-01T00:00:00Z')];
    expect(await statusesOf(events)).toEqual(['too_late', 'accepted']);
  });

  it('goes by months of its own time zone', async () => {
    const settings = refuseAfter(0);
    const [behind, ahead] = [
      await signUpWith({ ...settings, timezone: 'America/Los_Angeles' }),
      await signUpWith({ ...settings, timezone: 'Asia/Tokyo' }),
    ];
    now = '2026-03-01T08:00:00.000Z';
    expect(await statusesOf([at(behind, '2026-02-28T23:00:00Z'), at(ahead, '2026-02-28T14:59:59Z')])).toEqual([
      'accepted',
      'too_late',
    ]);
    now = '2026-03-01T08:00:00.001Z';
    const events = [at(behind, '2026-03-01T07:59:59Z'), at(behind, '2026-03-01T08:00:00Z')];
    expect(await statusesOf([...events, at(ahead, '2026-02-28T15:00:00Z')])).toEqual([
      'too_late',
      'accepted',
      'accepted',
    ]);
  });

  it('goes by billing periods even after a change of time zone: usage of the open one is not late', async () => {
    const settings = refuseAfter(5);
    const [west, east] = [
      await signUpWith({ ...settings, timezone: 'Asia/Tokyo' }),
      await signUpWith({ ...settings, timezone: 'America/Los_Angeles' }),
    ];
    now = '2026-02-02T00:00:00.000Z';
    await reportUsage(service, [at(west, '2026-01-20T00:00:00Z'), at(east, '2026-01-20T00:00:00Z')]);
    await runMonth(service, '2026-01');
    await setBilling(service, west, { timezone: 'America/Los_Angeles' });
    await setBilling(service, east, { timezone: 'Asia/Tokyo' });

    // West was billed until 15:00 of 31 January: what comes after is of February, which ends on 1 March at 08:00.
    const openInWest = '2026-01-31T20:00:00Z';
    // East was billed until 08:00 of 1 February, when Tokyo has long been in February.
    const billedInEast = '2026-01-31T20:00:00Z';
    now = '2026-02-20T00:00:00.000Z';
    expect(await statusesOf([at(west, openInWest), at(west, '2026-01-31T14:59:59Z'), at(east, billedInEast)])).toEqual([
      ...['accepted', 'too_late', 'too_late'],
    ]);
    expect(await statusesOf([at(east, '2026-02-01T08:00:00Z')])).toEqual(['accepted']);
    now = '2026-03-06T08:00:00.000Z';
    expect(await statusesOf([at(west, openInWest), at(east, '2026-02-28T14:59:59Z')])).toEqual([
      'accepted',
      'too_late',
    ]);
    now = '2026-03-06T08:00:00.001Z';
    const { results } = await reportUsage(service, [at(west, openInWest), at(east, billedInEast)]);
    expect(results.map(({ message }: { message: string }) => message.split(': ')[1])).toEqual([
      'usage of 2026-02 was taken until 2026-03-06T08:00:00.000Z',
      'usage of 2026-01 was taken until 2026-02-06T08:00:00.000Z',
    ]);
  });

  it('answers a repeat of usage that was in time as a duplicate, also within one batch', async () => {
    const admin = await signUpWith(refuseAfter(3));
    const inTime = at(admin, '2026-02-10T00:00:00Z');
    expect(await statusesOf([inTime])).toEqual(['accepted']);
    now = '2026-05-01T00:00:00Z';
    const fresh = at(admin, now);
    const batch = [inTime, at(admin, '2026-02-10T00:00:00Z'), fresh, { ...fresh, time: '2026-02-10T00:00:00Z' }];
    expect(await statusesOf(batch)).toEqual(['duplicate', 'too_late', 'accepted', 'duplicate']);
    expect(await statusesOf(batch)).toEqual(['duplicate', 'too_late', 'duplicate', 'duplicate']);
    expect(await sumOf(admin)).toBe(2);
  });

  it('can change the rule, which applies to the next request', async () => {
    const admin = await signUpWith(refuseAfter(3));
    const event = at(admin, '2025-01-01T00:00:00Z');
    expect(await statusesOf([event])).toEqual(['too_late']);
    await setBilling(service, admin, refuseAfter(3_650));
    expect(await statusesOf([event])).toEqual(['accepted']);
    await setBilling(service, admin, { lateUsage: { kind: 'ignore' } });
    expect(await statusesOf([at(admin, '2000-01-01T00:00:00Z')])).toEqual(['accepted']);
  });

  it('answers a single late event with 400 on its time, even for the earliest possible times', async () => {
    const admin = await signUpWith({ ...refuseAfter(3), timezone: 'America/New_York' });
    const request = { token: service.operatorKey, body: at(admin, '2000-01-01T00:00:00Z') };
    const { body } = expectStatus(await service.call('POST', '/operator/usage', request), 400);
    expect(body.error.details).toEqual([
      { field: 'time', message: expect.stringContaining('was taken until 2000-02-') },
    ]);
  });

  it('judges each event of a large batch by itself', async () => {
    const admin = await signUpWith(refuseAfter(3));
    const events = Array.from({ length: 1_000 }, (_, index) =>
      at(admin, index % 3 === 0 ? '2026-01-15T00:00:00Z' : '2026-02-15T00:00:00Z'),
    );
    const expected = events.map((_, index) => (index % 3 === 0 ? 'too_late' : 'accepted'));
    expect(await statusesOf(events)).toEqual(expected);
    expect(await sumOf(admin)).toBe(666);
  });
});
