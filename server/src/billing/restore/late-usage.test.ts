/** Usage that was billed, lost and sent again: only what exceeds what the invoice took is owed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invoicesOf, runMonth, setPrice, use } from '../../../test/billing/billing.ts';
import { createPrice } from '../../../test/billing/prices.ts';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { adopt, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ withJournal: true });
  await setPrice(service, { path: '/v1/late', unitAmount: '0.25' });
});
afterAll(() => service?.stop());

it('of a month whose invoice was written again is neither billed twice nor credited', async () => {
  const admin = await signUpAdmin(service);
  const { goBack } = await prepareToGoBack(service);
  await use(service, admin, '/v1/late', 80, '2026-03-05T10:00:00Z');
  await runMonth(service, '2026-03');
  await goBack();
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ decided: [{ state: 'done' }], remaining: 0 });
  await releaseCharges(service);

  const upcoming = async () => {
    const path = `/operator/companies/${admin.companyId}/upcoming-invoice?period=2026-04`;
    const { details, total } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
    return [total, ...details.map(({ title, amount }: { title: string; amount: number }) => `${title}: ${amount}`)];
  };
  expect(await upcoming()).toEqual(['0.00']);
  await use(service, admin, '/v1/late', 50, '2026-03-05T10:00:00Z');
  expect(await upcoming()).toEqual(['0.00']);
  await use(service, admin, '/v1/late', 34, '2026-03-06T10:00:00Z');
  expect(await upcoming()).toEqual([
    '1.00',
    'Speech to text (late usage of 2026-03): 21',
    'Billed before (late usage of 2026-03): -20',
  ]);
  await runMonth(service, '2026-04');
  await use(service, admin, '/v1/late', 2, '2026-03-07T10:00:00Z');
  const path = `/operator/companies/${admin.companyId}/upcoming-invoice?period=2026-05`;
  expect(expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body).toMatchObject({
    total: '0.50',
    details: [{ title: 'Speech to text (late usage of 2026-03)', amount: 0.5 }],
  });
});

it('of an earlier month, which a lost invoice had billed as late usage, is not billed once more', async () => {
  const admin = await signUpAdmin(service);
  await use(service, admin, '/v1/late', 80, '2026-03-05T10:00:00Z');
  await runMonth(service, '2026-03');
  const { goBack } = await prepareToGoBack(service);
  const work = async () => {
    await use(service, admin, '/v1/late', 40, '2026-03-06T10:00:00Z');
    await use(service, admin, '/v1/late', 20, '2026-04-05T10:00:00Z');
  };
  await work();
  await runMonth(service, '2026-04');
  await use(service, admin, '/v1/late', 12, '2026-03-07T10:00:00Z');
  await runMonth(service, '2026-05');
  await goBack();
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ remaining: 0 });
  await releaseCharges(service);
  expect((await invoicesOf(service, admin)).map(({ total }: { total: string }) => total)).toEqual([
    ...['20.00', '15.00', '3.00'],
  ]);

  const upcoming = async (month: string) => {
    const path = `/operator/companies/${admin.companyId}/upcoming-invoice?period=${month}`;
    return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body.total;
  };
  await work();
  expect(await upcoming('2026-06')).toBe('0.00');
  await use(service, admin, '/v1/late', 12 + 4, '2026-03-07T10:00:00Z');
  expect(await upcoming('2026-06')).toBe('1.00');
  await runMonth(service, '2026-06');
  await use(service, admin, '/v1/late', 8, '2026-03-07T10:00:00Z');
  expect(await upcoming('2026-07')).toBe('2.00');
});

it('that made an earlier month cheaper, on a lost invoice, is not credited a second time', async () => {
  const tiers = [
    { upTo: 100, unitAmount: '1' },
    { upTo: null, unitAmount: '0.5' },
  ];
  await createPrice(service, { path: '/v1/volume', model: 'volume', tiers, effectiveFrom: '2024-01-01T00:00:00Z' });
  const admin = await signUpAdmin(service);
  await use(service, admin, '/v1/volume', 100, '2026-03-05T10:00:00Z');
  await runMonth(service, '2026-03');
  const { goBack } = await prepareToGoBack(service);
  const work = async () => {
    await use(service, admin, '/v1/volume', 1, '2026-03-06T10:00:00Z');
    await use(service, admin, '/v1/volume', 80, '2026-04-05T10:00:00Z');
  };
  await work();
  await runMonth(service, '2026-04');
  await goBack();
  expectStatus(await adopt(service), 200);
  await releaseCharges(service);
  expect((await invoicesOf(service, admin)).map(({ total }: { total: string }) => total)).toEqual(['100.00', '30.50']);
  await work();
  const path = `/operator/companies/${admin.companyId}/upcoming-invoice?period=2026-05`;
  const upcoming = await service.call('GET', path, { token: service.operatorKey });
  expect(expectStatus(upcoming, 200).body).toMatchObject({ total: '0.00', details: [] });
});

it('of a month that is worth less than its invoice raises an alert', async () => {
  const admin = await signUpAdmin(service);
  const { goBack } = await prepareToGoBack(service);
  await use(service, admin, '/v1/late', 80, '2026-03-05T10:00:00Z');
  await runMonth(service, '2026-03');
  await goBack();
  expectStatus(await adopt(service), 200);
  await releaseCharges(service);
  await use(service, admin, '/v1/late', 50, '2026-03-05T10:00:00Z');

  const alerts = async () => {
    const path = `/operator/alerts?kind=recovery_review&companyId=${admin.companyId}`;
    const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
    return data.map(({ message }: { message: string }) => message);
  };
  expect(await alerts()).toEqual([]);
  await runMonth(service, '2026-04');
  const told = [expect.stringMatching(/usage of 2026-03 .* worth 7\.50? USD \(net\) less .*credit-notes/)];
  expect(await alerts()).toEqual(told);
  await runMonth(service, '2026-05');
  expect(await alerts()).toEqual(told);
});
