import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/chaos/cells.ts';
import { runCell } from '../../../test/chaos/chaos.ts';
import { SANDBOX } from '../../../test/chaos/gateways/sandbox.ts';
import { CLOSING_KILL, KILLS, killAt } from '../../../test/chaos/payments/kills.ts';
import { raceCells } from '../../../test/chaos/payments/races.ts';
import type { Seen } from '../../../test/chaos/processes.ts';
import { WAITING_KILLED } from '../../../test/chaos/waiting/kills.ts';
import { api, openWorld, pay, prepareCharge, type World } from '../../../test/chaos/world.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { FAILPOINTS, WAITING_FAILPOINTS } from '../../platform/failpoints.ts';

/* A part of the fault matrix, in real processes; `npm run chaos` runs all of it, and storms. */
let database: TestDatabase;
let world: World;
let waiting: Promise<Seen> | undefined;
beforeAll(async () => {
  database = await cloneDatabase();
  world = await openWorld({ databaseUrl: database.url, apis: 2 });
  await payBehindAStuckOne();
});
afterAll(async () => {
  await world?.stop();
  await database?.drop();
});

/** Pays an invoice whose first charge hangs in another process. It continues while other tests run. */
async function payBehindAStuckOne(): Promise<void> {
  const charge = await prepareCharge(world);
  await world.owner`
    INSERT INTO payments (company_id, id, invoice_id, card_id, method, gateway, gateway_token, amount_minor, currency, state, reconcile_at)
    SELECT company_id, ${randomUUID()}, ${charge.invoiceId}, id, 'Card', gateway, gateway_token, 4800, 'USD', 'created',
           now() + interval '1 hour'
    FROM cards WHERE company_id = ${charge.companyId}`;
  waiting = pay(world, api(world), charge);
}

describe('kill -9 of the API', () => {
  // Security (Faults at every step): Faults at every step of a charge break no invariant: part of the matrix in real processes (`npm run
  // chaos` runs all of it, on every gateway)
  it('every named failpoint is in the matrix', () => {
    expect(new Set([...KILLS, CLOSING_KILL].map(({ failpoint }) => failpoint))).toEqual(new Set(FAILPOINTS));
  });

  it.each(KILLS)(
    'at $failpoint ($step): the retry gets the outcome of the payment that was left ($remains.state), and one capture at most',
    async (kill) => runCell(world, { fault: kill.fault, step: kill.step, run: () => killAt(world, kill) }),
  );
});

describe('payments that wait for their customer or their bank', () => {
  const SLICE = [
    'kill -9 of the API, during / confirmation T',
    'kill -9 of the API (void), after / confirmation cancel',
    'kill -9 of the reconciler, settled, during / debit end',
    'confirmed during a pay with another card / confirmation cancel',
  ];
  const cells = cellsOf(SANDBOX).shared.filter(({ fault, step }) => SLICE.includes(`${fault} / ${step}`));

  it('every named failpoint is in the matrix', () => {
    expect(WAITING_KILLED).toEqual(new Set(WAITING_FAILPOINTS));
  });
  it('every named cell exists', () => expect(cells).toHaveLength(SLICE.length));
  it.each(cells)('$fault $step', async (cell) => runCell(world, cell));
});

describe('processes that race, sleep, or have the wrong time', () => {
  const cells = raceCells().filter(({ fault, step }) =>
    /^50 .* T3$|^SIGSTOP.* check$|^API's clock \+24 h /.test(`${fault} ${step}`),
  );
  it('one of each', () => expect(cells).toHaveLength(3));
  it.each(cells)('$fault $step', async (cell) => runCell(world, cell));

  it('a pay that waits 20 s for a stuck one is 409 payment_in_progress with Retry-After', async () => {
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'payment_in_progress' } } });
    expect(answer?.retryAfter).toMatch(/^[1-9]\d*$/);
  });
});
