import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { CARDS, expectStatus, issueInvoice } from '../../../test/customers/actors.ts';
import { setDisabled } from '../../../test/customers/disabled.ts';
import { expectSoundBooks } from '../../../test/payments/charge.ts';
import {
  type CollectionService,
  collectAfterDays,
  prepareDebtor,
  readDebt,
  startCollectionService,
} from '../../../test/payments/collection.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

it('a disabled company is not charged, and once it is enabled it is charged for what became due meanwhile', async () => {
  const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa });
  const { companyId } = debtor.admin;
  await setDisabled(service, companyId, true);
  const { id: later } = await issueInvoice(service, companyId);
  await collectAfterDays(service, 30);
  for (const invoiceId of [debtor.invoiceId, later]) {
    const debt = await readDebt(service, { ...debtor, invoiceId });
    expect(debt).toMatchObject({ status: 'Processing', attempts: [], collection: { state: 'manual' } });
  }
  await setDisabled(service, companyId, false);
  await service.collect();
  for (const invoiceId of [debtor.invoiceId, later])
    expect(await readDebt(service, { ...debtor, invoiceId })).toMatchObject({ status: 'Succeeded' });
});

it('the schedule after a refusal goes on once the company is enabled', async () => {
  const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
  await service.collect();
  await setDisabled(service, debtor.admin.companyId, true);
  await collectAfterDays(service, 1);
  await setDisabled(service, debtor.admin.companyId, false);
  await service.collect();
  expect((await readDebt(service, debtor)).attempts).toHaveLength(1);
  await collectAfterDays(service, 1);
  expect(await readDebt(service, debtor)).toMatchObject({ attempts: [{}, {}], collection: { dunningStep: 2 } });
});

it('a company whose invoices are paid by hand stays so when it is enabled', async () => {
  const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa, settings: { collection: 'manual' } });
  await setDisabled(service, debtor.admin.companyId, true);
  await setDisabled(service, debtor.admin.companyId, false);
  await service.collect();
  expect(await readDebt(service, debtor)).toMatchObject({ status: 'Processing', attempts: [] });
});

it('the operator can still charge an invoice of a disabled company', async () => {
  const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa });
  await setDisabled(service, debtor.admin.companyId, true);
  const path = `/operator/invoices/${debtor.invoiceId}/charge`;
  expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
  expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded' });
});
