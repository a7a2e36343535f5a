import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../../test/billing/billing.ts';
import { startTimedService, type TimedService } from '../../../test/billing/schedule.ts';
import { addThreshold, checkOnce, reachedOf, rollUpAndCheck, thresholdsOf } from '../../../test/billing/thresholds.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';

const NOW = '2026-10-15T12:00:00.000Z';

let service: TimedService;
beforeAll(async () => {
  service = await startTimedService(NOW);
});
afterAll(async () => service?.stop());

const own = '/payments/usage-thresholds';
const ofCompany = ({ companyId }: Actor) => `/operator/companies/${companyId}/usage-thresholds`;

describe('thresholds', () => {
  it('are added by the company and by the operator, listed to both, newest first, and deleted by either', async () => {
    const admin = await signUpAdmin(service);
    const token = service.operatorKey;
    const first = await addThreshold(service, admin, { path: '/v1/*', quantity: '100000' });
    expect(first).toEqual({
      id: expect.any(String),
      companyId: admin.companyId,
      path: '/v1/*',
      quantity: '100000',
      lastReached: null,
      createdAt: expect.any(String),
    });
    const body = { quantity: 999_999_999_999_999 };
    const second = expectStatus(await service.call('POST', ofCompany(admin), { token, body }), 201).body;
    expect(second).toMatchObject({ path: '*', quantity: '999999999999999' });
    const { companyExternalId, ...asTheCompanySeesIt } = second;
    expect(companyExternalId).toBeNull();
    expect(await thresholdsOf(service, admin)).toEqual([asTheCompanySeesIt, first]);
    const byOperator = [second, { ...first, companyExternalId }];
    expect((await service.call('GET', ofCompany(admin), { token })).body.data).toEqual(byOperator);
    expectStatus(await service.call('DELETE', `/operator/usage-thresholds/${first.id}`, { token }), 204);
    expectStatus(await service.call('DELETE', `${own}/${second.id}`, { token: admin.token }), 204);
    expectStatus(await service.call('DELETE', `${own}/${second.id}`, { token: admin.token }), 404);
    expectStatus(await service.call('DELETE', `/operator/usage-thresholds/${first.id}`, { token }), 404);
    expect(await thresholdsOf(service, admin)).toEqual([]);
  });

  it.each([
    [{ quantity: '0' }, 'quantity'],
    [{ quantity: '-1' }, 'quantity'],
    [{ quantity: '1.5' }, 'quantity'],
    [{ quantity: 1.5 }, 'quantity'],
    [{ quantity: '01' }, 'quantity'],
    [{ quantity: '1000000000000000000' }, 'quantity'],
    [{ quantity: '1', path: '' }, 'path'],
    [{ quantity: '1', path: '/v1/*/x' }, 'path'],
    [{ quantity: '1', path: '**' }, 'path'],
    [{}, 'quantity'],
  ])('%j is 400 on %s', async (body, field) => {
    const admin = await signUpAdmin(service);
    const answer = await service.call('POST', own, { token: admin.token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
    expect(await thresholdsOf(service, admin)).toEqual([]);
  });

  it('are limited to 20, however many are added in parallel', async () => {
    const admin = await signUpAdmin(service);
    const send = () => service.call('POST', own, { token: admin.token, body: { quantity: '5' } });
    const statuses = (await Promise.all(Array.from({ length: 25 }, send))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect((await send()).body.error.code).toBe('limit_reached');
    expect(await thresholdsOf(service, admin)).toHaveLength(20);
  });

  it('of an unknown company are 404', async () => {
    const path = `/operator/companies/${randomUUID()}/usage-thresholds`;
    const token = service.operatorKey;
    expectStatus(await service.call('GET', path, { token }), 404);
    expectStatus(await service.call('POST', path, { token, body: { quantity: '5' } }), 404);
  });

  it('cause one event per period, exactly when they are reached, with the usage at that time', async () => {
    const admin = await signUpAdmin(service);
    const { id } = await addThreshold(service, admin, { path: '/v1/speech', quantity: '10' });
    await use(service, admin, '/v1/speech', 9, '2026-10-01T00:00:00Z');
    await rollUpAndCheck(service);
    expect(await reachedOf(service, admin)).toEqual([]);
    await use(service, admin, '/v1/speech', 1, '2026-10-15T11:59:59Z');
    await rollUpAndCheck(service);
    const [reached, ...others] = await reachedOf(service, admin);
    expect(others).toEqual([]);
    expect(reached).toEqual({
      threshold: {
        id,
        companyId: admin.companyId,
        companyExternalId: null,
        path: '/v1/speech',
        quantity: '10',
        createdAt: expect.any(String),
      },
      period: '2026-10',
      startAt: '2026-10-01T00:00:00.000Z',
      endAt: '2026-11-01T00:00:00.000Z',
      quantity: '10',
    });
    await use(service, admin, '/v1/speech', 90, NOW);
    await rollUpAndCheck(service);
    expect(await reachedOf(service, admin)).toHaveLength(1);
    const lastReached = { period: '2026-10', quantity: '10', reachedAt: expect.any(String) };
    expect(await thresholdsOf(service, admin)).toMatchObject([{ id, lastReached }]);
  });

  it('count an exact path, a prefix, or all', async () => {
    const admin = await signUpAdmin(service);
    for (const path of ['/v1', '/v1/*', '/v1*', '*', '/v2/*']) {
      await addThreshold(service, admin, { path, quantity: '6' });
    }
    for (const path of ['/v1', '/v1/a', '/v1/b/c', '/v10', '/x/v1/a']) await use(service, admin, path, 3, NOW);
    await rollUpAndCheck(service);
    const reachedQuantities = (await reachedOf(service, admin)).map(({ threshold, quantity }) => [
      threshold.path,
      quantity,
    ]);
    expect(Object.fromEntries(reachedQuantities)).toEqual({ '/v1/*': '6', '/v1*': '12', '*': '15' });
  });

  it('that are already reached when added cause their event at the next check', async () => {
    const admin = await signUpAdmin(service);
    await use(service, admin, '/v1/a', 50, NOW);
    await rollUpAndCheck(service);
    await addThreshold(service, admin, { quantity: '50' });
    await addThreshold(service, admin, { quantity: '51' });
    expect(await reachedOf(service, admin)).toEqual([]);
    await checkOnce(service);
    expect(await reachedOf(service, admin)).toMatchObject([{ threshold: { quantity: '50' }, quantity: '50' }]);
  });

  it('count beyond what a JavaScript number can represent', async () => {
    const admin = await signUpAdmin(service);
    await addThreshold(service, admin, { quantity: '999999999999999999' });
    await service.database.owner`
      INSERT INTO usage_deltas (company_id, hour, path, quarter_1, quarter_2, quarter_3, quarter_4)
      VALUES (${admin.companyId}, '2026-10-10T00:00:00Z', '/much', 999999999999999998, 0, 0, 0)`;
    await rollUpAndCheck(service);
    expect(await reachedOf(service, admin)).toEqual([]);
    await use(service, admin, '/v1/a', 2, NOW);
    await rollUpAndCheck(service);
    expect(await reachedOf(service, admin)).toMatchObject([{ quantity: '1000000000000000000' }]);
  });

  it('of one company do not depend on the usage of another', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    await addThreshold(service, admin, { quantity: '5' });
    await use(service, other, '/v1/a', 50, NOW);
    await rollUpAndCheck(service);
    expect([await reachedOf(service, admin), await reachedOf(service, other)]).toEqual([[], []]);
  });
});
