import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicesOf, runMonth, setBilling, setPrice, startRun, use, work } from '../../../../test/billing/billing.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await setPrice(service, { path: '/v1/*', unitAmount: '1.00' });
});
afterAll(async () => service?.stop());

const ask = ({ token }: Actor, period: string) =>
  service.call('GET', `/payments/upcoming-invoice?period=${period}`, { token });
const preview = async (admin: Actor, period: string) => expectStatus(await ask(admin, period), 200).body;

describe('a month that is over can be previewed before it is issued', () => {
  it('with the late usage of the month before, and equals what is then issued', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { taxRate: '20', timezone: 'Europe/Berlin' });
    await use(service, admin, '/v1/january', 5, '2025-01-10T00:00:00Z');
    await runMonth(service, '2025-01');
    await use(service, admin, '/v1/late', 3, '2025-01-20T00:00:00Z');
    await use(service, admin, '/v1/february', 7, '2025-01-31T23:00:00Z');
    const draft = await preview(admin, '2025-02');
    expect(draft).toMatchObject({
      ...{ period: '2025-02', startAt: '2025-01-31T23:00:00.000Z', endAt: '2025-02-28T23:00:00.000Z' },
      ...{ subTotal: '10.00', tax: '2.00', total: '12.00', method: 'Card', unpricedPaths: [] },
    });
    await runMonth(service, '2025-02');
    const [, issued] = await invoicesOf(service, admin);
    for (const field of ['startAt', 'endAt', 'method', 'currency', 'taxRate', 'details', 'subTotal', 'tax', 'total']) {
      expect(issued[field]).toEqual(draft[field]);
    }
    const again = await ask(admin, '2025-02');
    expect([again.status, again.body.error.code]).toEqual([409, 'period_billed']);
    expect((await ask(admin, '2025-01')).body.error.code).toBe('period_billed');
  });

  it('as if the earlier months were billed: they take the late usage, and end where it begins', async () => {
    const admin = await signUpAdmin(service);
    await use(service, admin, '/v1/march', 1, '2025-03-10T00:00:00Z');
    await runMonth(service, '2025-03');
    await setBilling(service, admin, { timezone: 'America/New_York' });
    await use(service, admin, '/v1/late', 2, '2025-03-11T00:00:00Z');
    await use(service, admin, '/v1/april', 4, '2025-04-11T00:00:00Z');
    await use(service, admin, '/v1/may', 8, '2025-05-11T00:00:00Z');
    const [april, may] = [await preview(admin, '2025-04'), await preview(admin, '2025-05')];
    expect([april.startAt, april.endAt]).toEqual(['2025-04-01T00:00:00.000Z', '2025-05-01T04:00:00.000Z']);
    expect([may.startAt, may.endAt]).toEqual(['2025-05-01T04:00:00.000Z', '2025-06-01T04:00:00.000Z']);
    await startRun(service, '2025-04');
    await startRun(service, '2025-05');
    expect([await preview(admin, '2025-04'), await preview(admin, '2025-05')]).toEqual([april, may]);
    for (const _ of [april, may]) await work(service);
    const [, ...issued] = await invoicesOf(service, admin);
    expect(issued.map(({ total }: { total: string }) => total)).toEqual(['6.00', '8.00']);
    expect([april, may].map(({ details }) => details)).toEqual(
      issued.map(({ details }: { details: object }) => details),
    );
  });

  it('but not if it is billed, even if it ends later in the company’s new time zone', async () => {
    const admin = await signUpAdmin(service);
    await setBilling(service, admin, { timezone: 'Pacific/Kiritimati' });
    await use(service, admin, '/v1/june', 1, '2025-06-10T00:00:00Z');
    await runMonth(service, '2025-06');
    await setBilling(service, admin, { timezone: 'Etc/GMT+12' });
    await use(service, admin, '/v1/june', 2, '2025-06-30T20:00:00Z');
    expect((await ask(admin, '2025-06')).body.error.code).toBe('period_billed');
    expect(await runMonth(service, '2025-06')).toMatchObject({ status: 'done', failures: 0 });
    expect(await invoicesOf(service, admin)).toHaveLength(1);
    expect(await preview(admin, '2025-07')).toMatchObject({ startAt: '2025-06-30T10:00:00.000Z', total: '2.00' });
  });

  it('but not if it has not begun', async () => {
    const admin = await signUpAdmin(service);
    const { period } = expectStatus(
      await service.call('GET', '/payments/upcoming-invoice', { token: admin.token }),
      200,
    ).body;
    expect((await preview(admin, period)).period).toBe(period);
    const [year = 0, month = 0] = period.split('-').map(Number);
    const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
    const { status, body } = await ask(admin, next);
    expect([status, body.error.details[0].field]).toEqual([400, 'period']);
  });
});
