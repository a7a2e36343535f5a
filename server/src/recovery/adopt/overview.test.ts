/** How the cases of a company that the database has lost are told: amounts in their currency, and what will be done. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantCredit } from '../../../test/billing/credits.ts';
import { credit, voidInvoice } from '../../../test/billing/invoice-documents.ts';
import { expectStatus, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { type ChargeService, startChargeService } from '../../../test/payments/charge.ts';
import { postRefund } from '../../../test/payments/refunds.ts';
import { listCases, prepareToGoBack } from '../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../test/recovery/hold.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
afterAll(async () => {
  await releaseCharges(service);
  await service.stop();
});

it('with amounts and currencies, with the numbers of documents alone, and with what follows if the company is lost', async () => {
  const { goBack } = await prepareToGoBack(service);
  const admin = await signUpAdmin(service);
  const { companyId, token } = admin;
  await saveCard(service, admin);
  await grantCredit(service, companyId, { amount: '5.00' });
  const { id, number } = await issueInvoice(service, companyId);
  const note = expectStatus(await credit(service, id, { amount: '3.00' }), 201).body;
  const paid = expectStatus(await service.call('PUT', `/payments/orders/${id}/pay`, { token }), 200).body;
  expectStatus(await postRefund(service, paid, { amount: '4.00' }), 201);
  const mistake = await issueInvoice(service, companyId);
  expectStatus(await voidInvoice(service, mistake.id), 200);
  await goBack();
  const cases = await listCases(service, companyId);
  expect(cases.map((one) => [one.kind, one.number, one.amount, one.currency]).slice(0, 4)).toEqual([
    ['credit_entry', null, '5.00', 'USD'],
    ['invoice', number, '48.00', 'USD'],
    ['credit_note', note.number, '3.00', 'USD'],
    ['payment', number, '40.00', 'USD'],
  ]);
  expect(cases.find(({ kind }) => kind === 'void')).toMatchObject({ number: mistake.number, amount: null });
  for (const { kind, plan } of cases) {
    if (kind !== 'refund')
      expect(plan).toContain(`Company ${companyId} is not in the database. Name another company with --company`);
  }
  expect(cases.find(({ kind }) => kind === 'refund')?.plan).toBe(
    'The refund is booked with its credit note. If it failed at the gateway, the failure is only noted.',
  );
});
