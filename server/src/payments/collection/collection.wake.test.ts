import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, renewCard, saveCard } from '../../../test/customers/actors.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import { expectSoundBooks } from '../../../test/payments/charge.ts';
import {
  type CollectionService,
  type Debtor,
  outcomesOf,
  prepareDebtor,
  readDebt,
  startCollectionService,
} from '../../../test/payments/collection.ts';
import type { Tx } from '../../platform/database/database.ts';
import { cancelObject } from '../debt/debt.ts';
import { recordDecline, selectPayment } from '../payment/payment.queries.ts';
import { writeCanceled } from '../settlement/settle-payment.ts';
import { collect } from './collection.collect.ts';
import { claimDue, selectDueGateways } from './collection.worker.queries.ts';

let service: CollectionService;
beforeAll(async () => {
  service = await startCollectionService();
});
afterAll(async () => service?.stop());
afterEach(async () => expectSoundBooks(service));

/** A worker has claimed the collection, and notes what comes next while a change that would wake it is not committed yet. */
async function collectDuring(change: (tx: Tx) => Promise<unknown>): Promise<void> {
  const { dependencies, now } = service;
  const [gateway = 'none'] = await selectDueGateways(dependencies.db, now());
  const due = await claimDue(dependencies.db, { gateway, now: now(), lease: randomUUID() });
  if (due === null) throw new Error('Nothing is due.');
  await sendDuring(service.database, change, () => collect({ ...dependencies, clock: now }, due));
}

/** As after the death of a worker that made an attempt and did not note it. @returns the payment that it waited for */
async function forgetOutcome({ admin: { companyId }, invoiceId }: Debtor): Promise<string> {
  const [{ paymentId }] = await service.database.owner<[{ paymentId: string }]>`
    UPDATE collections SET state = 'scheduled', next_attempt_at = due_at, attempts = 0, declines = 0, card_id = NULL
    WHERE company_id = ${companyId} AND invoice_id = ${invoiceId} RETURNING payment_id AS "paymentId"`;
  return paymentId;
}

describe('a collection is woken by what ends while the worker notes the next step:', () => {
  it('the payment that it would have waited for', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
    const { companyId } = debtor.admin;
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await service.collect();
    const { db } = service.database;
    const paymentId = await forgetOutcome(debtor);
    const payment = await selectPayment(db, companyId, paymentId);
    const object = payment.gatewayPaymentId ?? '';
    await recordDecline(db, companyId, paymentId, 'insufficient_funds');
    await cancelObject(service.gateway, payment, object);
    await collectDuring((tx) => writeCanceled(tx, payment, object));
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['Failed insufficient_funds']);
    expect(await readDebt(service, debtor)).toMatchObject({
      status: 'Failed',
      collection: { state: 'scheduled', dunningStep: 1 },
    });
  });

  it('another default card, once the first was declined for good', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.lost });
    const { companyId } = debtor.admin;
    const cardId = await saveCard(service, debtor.admin, { cardNumber: CARDS.visa, isDefault: false });
    await service.collect();
    await forgetOutcome(debtor);
    await collectDuring(async (tx) => {
      await tx`UPDATE cards SET is_default = false WHERE company_id = ${companyId} AND is_default`;
      await tx`UPDATE cards SET is_default = true WHERE company_id = ${companyId} AND id = ${cardId}`;
    });
    await service.collect();
    expect(await outcomesOf(service, debtor)).toEqual(['Failed lost_card', 'Succeeded']);
  });

  it('a setting', async () => {
    const debtor = await prepareDebtor(service, { cardNumber: CARDS.visa, settings: { collection: 'manual' } });
    const { companyId } = debtor.admin;
    await collectDuring((tx) => tx`UPDATE companies SET collection = 'automatic' WHERE id = ${companyId}`);
    await service.collect();
    expect(await readDebt(service, debtor)).toMatchObject({ status: 'Succeeded' });
  });
});

it('a card that is renewed before the decline of its charge is known is charged again at once, and its schedule begins anew', async () => {
  const settings = { dunningDays: [1] };
  const debtor = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds, settings });
  await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
  await service.collect();
  expect(await readDebt(service, debtor)).toMatchObject({ collection: { state: 'awaiting_outcome' } });
  await renewCard(service, debtor.admin);
  await service.reconcileNow();
  await service.collect();
  await service.collect();
  expect(await outcomesOf(service, debtor)).toEqual(['Failed insufficient_funds', 'Failed insufficient_funds']);
  expect(await readDebt(service, debtor)).toMatchObject({ collection: { state: 'scheduled', dunningStep: 1 } });
});

it('the migration wakes what was passed over before', async () => {
  const migration = new URL('../../../migrations/0088_collections_wake.sql', import.meta.url);
  const stuck = await prepareDebtor(service, { cardNumber: CARDS.insufficientFunds });
  await service.collect();
  const { owner } = service.database;
  await owner`
    UPDATE collections SET state = 'awaiting_outcome', next_attempt_at = NULL, attempts = 0, declines = 0, payment_id = (
      SELECT id FROM payments WHERE payments.invoice_id = collections.invoice_id
    ) WHERE invoice_id = ${stuck.invoiceId}`;
  // It asks without a currency, as everything did before there were mandates.
  await owner
    .unsafe(`
    CREATE FUNCTION source_to_charge(uuid, text) RETURNS TABLE (id uuid, gateway text) LANGUAGE sql STABLE
    AS $$ SELECT * FROM source_to_charge($1, $2, 'USD') $$;
    CREATE FUNCTION collects_automatically(uuid, text) RETURNS boolean LANGUAGE sql STABLE
    AS $$ SELECT collects_automatically($1, $2, 'USD') $$`)
    .simple();
  await owner.unsafe(readFileSync(migration, 'utf8')).simple();
  await service.collect();
  expect(await readDebt(service, stuck)).toMatchObject({ collection: { state: 'scheduled', dunningStep: 1 } });
});
