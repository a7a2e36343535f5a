/** kill -9 while cases are dealt with: each is done whole or not at all, and whoever continues does none of them twice. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantCredit, readLedger } from '../../../test/billing/credits.ts';
import { startApi } from '../../../test/chaos/processes.ts';
import { expectStatus } from '../../../test/customers/actors.ts';
import {
  type ChargeService,
  chargeEnvironment,
  expectSoundBooks,
  preparePayable,
  readInvoice,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { adopt, compareNow, listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';
import { captureAgain } from '../../../test/recovery/objects.ts';
import { resolveCapture } from '../../../test/recovery/resolve.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
afterAll(async () => service?.stop());

/** Gives up the journal of the process to kill, which has nothing that the service's has not, once that process keeps it. */
async function giveUpOtherJournals(): Promise<void> {
  const { owner } = service.database;
  const own = service.journal?.id() ?? '';
  const others = async () => {
    const rows = await owner<{ id: string }[]>`
      SELECT id FROM journals WHERE lost_at IS NULL AND id <> ${own} AND id IN (SELECT journal_id FROM processes)`;
    return rows.map(({ id }) => id);
  };
  await expect.poll(others).toHaveLength(1);
  for (const id of await others()) {
    const path = `/operator/recovery/journals/${id}/lost`;
    expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
  }
}

it('before_adopt_commit', async () => {
  const payable = await preparePayable(service);
  const { companyId } = payable.admin;
  const { goBack } = await prepareToGoBack(service);
  for (const amount of ['1.00', '2.00']) await grantCredit(service, companyId, { amount });
  const { paymentId } = expectStatus(await payable.pay(), 200).body;
  await grantCredit(service, companyId, { amount: '8.00' });
  await goBack();
  expect(expectStatus(await adopt(service, { limit: 2 }), 200).body.remaining).toBe(2);

  const api = await startApi({ environment: chargeEnvironment(service), failpoint: 'before_adopt_commit' });
  await giveUpOtherJournals();
  const answer = await fetch(`${api.url}/operator/recovery/adopt`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${service.operatorKey}` },
    body: '{}',
  }).catch(() => null);
  expect(answer).toBeNull();
  await api.ended;
  expect((await readLedger(service, companyId)).balance).toBe('3.00');
  expect((await readInvoice(service, payable)).status).toBe('Processing');
  expect((await listCases(service, companyId)).map(({ state }) => state)).toEqual(['done', 'done', 'open', 'open']);

  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ remaining: 0 });
  expect((await readLedger(service, companyId)).balance).toBe('8.00');
  expect(await readInvoice(service, payable)).toMatchObject({ status: 'Succeeded', paymentId });
  expect(await compareNow(service)).toBe(0);
  await releaseCharges(service);
  await expectSoundBooks(service);
});

it('before_accept_commit', async () => {
  const payable = await preparePayable(service);
  const { companyId } = payable.admin;
  expectStatus(await payable.pay(), 200);
  const { goBack } = await prepareToGoBack(service);
  const gatewayPaymentId = await captureAgain(service, payable);
  await goBack();
  expect(expectStatus(await adopt(service), 200).body.decided).toMatchObject([{ state: 'person' }]);
  const found = (await listCases(service)).findLast((one) => one.gatewayObjectId === gatewayPaymentId);
  const api = await startApi({ environment: chargeEnvironment(service), failpoint: 'before_accept_commit' });
  const answer = await fetch(`${api.url}/operator/recovery/cases/${found?.id}/resolve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${service.operatorKey}` },
    body: JSON.stringify({ outcome: 'accepted' }),
  }).catch(() => null);
  expect(answer).toBeNull();
  await api.ended;
  expect((await readLedger(service, companyId)).balance).toBe('0.00');

  expectStatus(await resolveCapture(service, gatewayPaymentId, 'accepted'), 200);
  expect((await readLedger(service, companyId)).balance).toBe('48.00');
  expect(await compareNow(service)).toBe(0);
  await releaseCharges(service);
  await expectSoundBooks(service);
});
