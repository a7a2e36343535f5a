/**
 * A deleted card or account is also detached at its gateway, so that it can't be charged after a restored database has
 * it again.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChargeService,
  capturesOf,
  type Payable,
  paymentOf,
  preparePayable,
  settleAll,
  startChargeService,
} from '../../../test/payments/charge.ts';
import { delayNext, NEVER_MS } from '../../../test/payments/delays.ts';
import { prepareAccountPayable } from '../../../test/payments/paypal-accounts.ts';
import {
  type PayPalChargeService,
  preparePayPalPayable,
  startPayPalChargeService,
} from '../../../test/payments/paypal-charge.ts';
import { type StripeChargeService, startStripeChargeService } from '../../../test/payments/stripe-charge.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import type { Gateways } from '../../gateways/gateways.ts';
import { detachDue, prepareDetaching } from './detach.ts';

let sandbox: ChargeService;
let stripe: StripeChargeService;
let paypal: PayPalChargeService;
beforeAll(async () => {
  [sandbox, stripe, paypal] = [
    await startChargeService(),
    await startStripeChargeService(),
    await startPayPalChargeService(),
  ];
});
afterAll(async () => {
  await sandbox?.stop();
  await stripe?.stop();
  await paypal?.stop();
});

type Source = { service: ChargeService; table: 'cards' | 'paypal_accounts'; path: string; payable: Payable };

const SOURCES: [name: string, prepare: () => Promise<Source>][] = [
  [
    'a card at the sandbox',
    async () => ({ service: sandbox, table: 'cards', path: 'cards', payable: await preparePayable(sandbox) }),
  ],
  [
    'an account at the sandbox',
    async () => {
      const payable = await prepareAccountPayable(sandbox);
      return { service: sandbox, table: 'paypal_accounts', path: 'paypal-accounts', payable };
    },
  ],
  [
    'a card at Stripe',
    async () => ({ service: stripe, table: 'cards', path: 'cards', payable: await preparePayable(stripe) }),
  ],
  [
    'an account at PayPal',
    async () => {
      const payable = await preparePayPalPayable(paypal);
      return { service: paypal, table: 'paypal_accounts', path: 'paypal-accounts', payable };
    },
  ],
];

async function deleteSource({ service, path, payable }: Source): Promise<void> {
  const { token } = payable.admin;
  const { body } = await service.call('GET', `/payments/${path}`, { token });
  const { id } = (body.data ?? body)[0];
  expect((await service.call('DELETE', `/payments/${path}/${id}`, { token })).status).toBe(204);
}

/** Runs the worker as if the delay since its last attempt were over. */
async function detachNow({ service, table }: Source): Promise<void> {
  const { owner } = service.database;
  await owner`UPDATE ${owner(table)} SET detach_at = now() WHERE detach_at IS NOT NULL`;
  await detachDue(service.dependencies, service.gateway.name);
}

/** Whether the company has a deleted source that is not detached at its gateway yet. */
async function isWaiting({ service, table, payable }: Source): Promise<boolean> {
  const { owner } = service.database;
  const { companyId } = payable.admin;
  const rows = await owner`SELECT 1 FROM ${owner(table)} WHERE company_id = ${companyId} AND detach_at IS NOT NULL`;
  return rows.length > 0;
}

/** Undoes the deletion, as a restore does. */
async function restore({ service, table, payable }: Source): Promise<void> {
  const { owner } = service.database;
  await owner`UPDATE ${owner(table)} SET deleted_at = NULL WHERE company_id = ${payable.admin.companyId}`;
}

/** Repeats the attempt until the source is detached, as the worker does: an attempt may fail on a closed connection. */
async function detachAtLast(source: Source): Promise<void> {
  await expect.poll(() => detachNow(source).then(() => isWaiting(source))).toBe(false);
}

describe.each(SOURCES)('%s that was deleted', (_name, prepare) => {
  // Security (Disks, upgrades and restores): A deleted card can't be charged when a restored database has it again
  it('can’t be charged when a restored database has it again, from the answer to its deletion on', async () => {
    const source = await prepare();
    await deleteSource(source);
    expect(await isWaiting(source)).toBe(false);
    await restore(source);
    expect((await source.payable.pay()).status).toBe(402);
    expect(await capturesOf(source.service, source.payable)).toEqual([]);
  });

  it('is detached as soon as a gateway that was unavailable at its deletion is back', async () => {
    const source = await prepare();
    const { service, payable } = source;
    await service.takeGatewayAway();
    await deleteSource(source);
    await detachNow(source);
    await service.bringGatewayBack();
    await detachAtLast(source);
    await restore(source);
    expect((await payable.pay()).status).toBe(402);
  });

  it('is left to the request that deletes it while that waits for the gateway', async () => {
    const source = await prepare();
    const { service } = source;
    const { calls: before } = await service.sandbox.readFaults();
    const delayed = await delayNext(service, 'tokenize');
    const deleting = deleteSource(source);
    await delayed.arrived();
    await detachDue(service.dependencies, service.gateway.name);
    expect((await service.sandbox.readFaults()).calls.tokenize).toBe(before.tokenize + 1);
    await delayed.end();
    await deleting;
    await detachAtLast(source);
  });

  it('stays at its gateway as long as the database holds charges, which may be a copy of another', async () => {
    const source = await prepare();
    await holdCharges(source.service);
    await deleteSource(source);
    await detachNow(source);
    expect(await isWaiting(source)).toBe(true);
    await releaseCharges(source.service);
    await restore(source);
    expect((await source.payable.pay()).status).toBe(200);
  });

  it('is still charged by a payment that was running at its deletion', async () => {
    const source = await prepare();
    const { service, payable } = source;
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect' });
    expect((await payable.pay()).status).toBe(202);
    await deleteSource(source);
    await detachNow(source);
    await settleAll(service);
    expect((await paymentOf(service, payable)).state).toBe('captured');
    await detachAtLast(source);
  });
});

async function prepareCard(service: ChargeService): Promise<Source> {
  return { service, table: 'cards', path: 'cards', payable: await preparePayable(service) };
}

it('a deleted card stays at its gateway while the process suspects that its database went back', async () => {
  const service = sandbox;
  const source = await prepareCard(service);
  service.chargesHold.suspect('test', 'The database lacks a payment.');
  await deleteSource(source);
  service.chargesHold.suspect('test', null);
  expect(await isWaiting(source)).toBe(true);
  await detachAtLast(source);
});

describe('while a gateway does not answer', () => {
  let service: ChargeService;
  beforeAll(async () => {
    // A request that waited for the gateway as long as a charge does would outlast its test.
    service = await startChargeService({ gatewayTimeoutMs: NEVER_MS, databaseTimeoutFactor: 1 });
  });
  afterAll(() => service?.stop());

  it('a card is deleted all the same, and the worker detaches it later', async () => {
    const source = await prepareCard(service);
    const delayed = await delayNext(service, 'tokenize');
    await deleteSource(source);
    expect(await isWaiting(source)).toBe(true);
    await delayed.end();
    await detachAtLast(source);
    await restore(source);
    expect((await source.payable.pay()).status).toBe(402);
  });

  it('a gateway gets at most fifty requests for deletions at once', async () => {
    const { companyId } = (await preparePayable(service)).admin;
    const [card] = await service.database.owner<[{ id: string }]>`
      UPDATE cards SET deleted_at = now(), detach_at = now() WHERE company_id = ${companyId} RETURNING id`;
    let requests = 0;
    const detachSource = () => {
      requests += 1;
      return new Promise<never>(() => undefined);
    };
    const gateways = { of: () => ({ detachSource }) } as unknown as Gateways;
    const { database, chargesHold, server } = service;
    const detach = prepareDetaching({ db: database.db, gateways, chargesHold, logger: server.log });
    await Promise.all(Array.from({ length: 60 }, () => detach(companyId, { table: 'cards', id: card.id })));
    await expect.poll(() => requests).toBe(50);
  });
});
