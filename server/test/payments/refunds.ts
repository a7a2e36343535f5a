/** Helpers of the tests of refunds and of the ledger. */
import { randomUUID } from 'node:crypto';
import { grantCredit } from '../billing/credits.ts';
import { expectStatus } from '../customers/actors.ts';
import { reconcileRefunds } from '../harness/reconcilers.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { type Payable, paymentOf, preparePayable } from './charge.ts';

export type Paid = Payable & { paymentId: string };

/** Creates a paid invoice of 48.00 USD: with this much credit, and the rest by card. */
export async function preparePaid(
  service: TestService,
  { credit, invoice = {} }: { credit?: string; invoice?: object } = {},
): Promise<Paid> {
  const payable = await preparePayable(service, { invoice });
  if (credit !== undefined) await grantCredit(service, payable.admin.companyId, { amount: credit });
  expectStatus(await payable.pay(), 200);
  return { ...payable, paymentId: (await paymentOf(service, payable)).id };
}

/** Requests a refund as the operator, by default with a new idempotency key. */
export function postRefund(
  service: TestService,
  { paymentId }: Pick<Paid, 'paymentId'>,
  body: object = {},
  key: string | null = randomUUID(),
): Promise<Answer> {
  return service.call('POST', `/operator/payments/${paymentId}/refunds`, {
    token: service.operatorKey,
    body: { reason: 'Outage', ...body },
    headers: key === null ? {} : { 'idempotency-key': key },
  });
}

/** Returns the refunds of a payment, the newest first. */
export async function refundsOf(service: TestService, { paymentId }: Pick<Paid, 'paymentId'>) {
  const path = `/operator/payments/${paymentId}/refunds?perPage=100`;
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body.data;
}

/** Returns the amounts that the gateway refunded for a payment, the oldest first. */
export async function givenBack(service: TestService, payable: Pick<Payable, 'invoice'>): Promise<bigint[]> {
  const { gatewayPaymentId } = await paymentOf(service, payable);
  const { refunds } = await service.sandbox.readLedger();
  return refunds.filter(({ paymentId }) => paymentId === gatewayPaymentId).map(({ amountMinor }) => amountMinor);
}

/** Makes every refund that waits for the reconciler due, and reconciles once. */
export async function reconcileRefundsNow({ database, gateways, server }: TestService): Promise<void> {
  await database.owner`UPDATE refunds SET reconcile_at = now() - interval '1 second' WHERE reconcile_at IS NOT NULL`;
  await reconcileRefunds({ db: database.db, gateways }, server.log);
}

/** Returns the company's postings, each as one line, with its entries in order. */
export async function postingsOf(service: TestService, companyId: string): Promise<string[]> {
  const path = `/operator/ledger?companyId=${companyId}&perPage=1000`;
  const { body } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200);
  return body.data.map(
    ({ kind, account, amount }: { kind: string; account: string; amount: string }) => `${kind} ${account} ${amount}`,
  );
}
