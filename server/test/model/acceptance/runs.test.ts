/** Runs of the code, in one process and against the sandbox, are behaviours of the model. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { observeSteps } from '../../../src/platform/steps.ts';
import { voidInvoice } from '../../billing/invoice-documents.ts';
import { answerBank, endsOf, letExpire, payAndWait } from '../../confirmations/confirmation.ts';
import { CARDS, saveCard, signUpAdmin } from '../../customers/actors.ts';
import { IBANS, saveMandate } from '../../customers/card-setups.ts';
import {
  type ChargeService,
  type Payable,
  prepareInvoice,
  preparePayable,
  settleAll,
  startChargeService,
} from '../../payments/charge.ts';
import { HANGING, LATE_MS, QUICK } from '../../payments/charge-faults.ts';
import { backUp } from '../../payments/restore.ts';
import { holdCharges, releaseCharges } from '../../recovery/hold.ts';
import { adoptTwice, findCases } from '../../recovery/objects.ts';
import { findDeviations } from './accept.ts';
import type { Line } from './operations.ts';

const LISTS = { searchLags: false, capturesOnce: false };

let service: ChargeService;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-steps-'));
  file = join(folder, 'steps');
  service = await startChargeService({ gatewayTimeoutMs: 500 });
});
beforeEach(async () => {
  await writeFile(file, '');
  observeSteps(file);
});
afterAll(async () => {
  observeSteps(undefined);
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function readLines(): Promise<Line[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** The run is a behaviour of the model, and took at least these steps. */
async function expectBehaviour(...steps: string[]): Promise<void> {
  const lines = await readLines();
  expect(lines.map(({ step }) => step)).toEqual(expect.arrayContaining(steps));
  expectNoDeviation(lines);
}

/** Throws what is refused, of which an assertion would show only the beginning. */
function expectNoDeviation(lines: readonly Line[]): void {
  const deviations = findDeviations(lines, LISTS);
  if (deviations.length > 0) throw new Error(deviations.join('\n'));
}

/** Lets everything come to its end: requests that are late, and payments without an outcome. */
async function settle(): Promise<void> {
  await settleAll(service);
  await expect.poll(async () => (await service.sandbox.readFaults()).pendingEffects).toBe(0);
  await service.sandbox.clearFaults();
}

async function noteWorld(step: 'backup' | 'restore', act: () => Promise<unknown>): Promise<void> {
  const { length } = await readLines();
  const operation = `world ${length}`;
  await writeFile(file, `${JSON.stringify({ process: 0, operation, step })}\n`, { flag: 'a' });
  await act();
  await writeFile(file, `${JSON.stringify({ process: 0, operation })}\n`, { flag: 'a' });
}

describe('a run is a behaviour of the model', () => {
  it('paid by many requests at once', async () => {
    const payable = await preparePayable(service);
    await Promise.all(Array.from({ length: 10 }, () => payable.pay()));
    await expectBehaviour('T1', 'ask', 'create', 'T2', 'confirm', 'T3');
  });

  it('declined, and tried again', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.declined });
    await payable.pay();
    await payable.pay();
    await expectBehaviour('cancel', 'fail');
  });

  it('the gateway is away, and comes back', async () => {
    const payable = await preparePayable(service);
    await service.takeGatewayAway();
    await payable.pay();
    await service.bringGatewayBack();
    await payable.pay();
    await expectBehaviour('withdraw', 'T3');
  });

  const faults = (['ask', 'create', 'confirm', 'cancel', 'find'] as const).flatMap((operation) =>
    [...QUICK, ...HANGING]
      .filter((kind) => kind !== 'cached_server_error' || operation === 'create' || operation === 'confirm')
      .map((kind) => ({ operation, kind })),
  );
  it.each(faults)('$kind at $operation', async ({ operation, kind }) => {
    const payable = await preparePayable(service, operation === 'cancel' ? { cardNumber: CARDS.declined } : {});
    const { armFault } = service.sandbox;
    if (operation === 'find') await armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    await armFault({ operation, kind, times: 1, ...(kind === 'executes_late' ? { delayMs: LATE_MS } : {}) });
    await payable.pay();
    await settle();
    await payable.pay();
    await expectBehaviour('T1', operation);
  });

  it('a restored database finds what was captured since', async () => {
    const payable = await preparePayable(service);
    const restore = await backUpNow();
    await payable.pay();
    await restore();
    await service.sandbox.forgetIdempotencyKeys();
    await payable.pay();
    await expectBehaviour('backup', 'restore', 'adopt');
  });

  it('a confirmation is on its way while the database goes back', async () => {
    const payable = await preparePayable(service);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'executes_late', times: 1, delayMs: LATE_MS });
    const restore = await backUpNow();
    await payable.pay();
    await restore();
    await payable.pay();
    await settle();
    await payable.pay();
    await expectBehaviour('backup', 'restore', 'confirm');
  });
});

async function prepareWaiting() {
  const payable = await preparePayable(service, { cardNumber: CARDS.asksAlways });
  return { payable, secret: (await payAndWait(payable)).nextAction.clientSecret };
}

describe('a run in which a payment waits for its customer is a behaviour of the model', () => {
  it('confirmed', async () => {
    const { payable, secret } = await prepareWaiting();
    await payable.pay();
    await answerBank(service, secret);
    await payable.pay();
    expect(await endsOf(service, payable)).toEqual(['captured']);
    await expectBehaviour('await customer', 'find', 'T3');
  });

  it('refused, and never answered', async () => {
    const [refused, expired] = [await prepareWaiting(), await prepareWaiting()];
    await answerBank(service, refused.secret, 'fail');
    await service.reconcileNow();
    await letExpire(service);
    await service.reconcileNow();
    expect(await endsOf(service, refused.payable)).toEqual(['failed declined authentication_failed']);
    expect(await endsOf(service, expired.payable)).toEqual(['failed declined authentication_expired']);
    await expectBehaviour('find', 'cancel', 'fail');
  });

  it('paid with another card, which finds it open or captured, and voided', async () => {
    const [open, captured, voided] = [await prepareWaiting(), await prepareWaiting(), await prepareWaiting()];
    await answerBank(service, captured.secret);
    for (const { payable } of [open, captured]) {
      await saveCard(service, payable.admin, { cardNumber: CARDS.visa, isDefault: true });
      await payable.pay();
    }
    await voidInvoice(service, voided.payable.invoice.id);
    expect(await endsOf(service, open.payable)).toEqual(['failed canceled', 'captured']);
    expect(await endsOf(service, captured.payable)).toEqual(['captured']);
    expect(await endsOf(service, voided.payable)).toEqual(['failed canceled']);
    await expectBehaviour('cancel', 'fail', 'T3');
  });

  it.each(['find', 'cancel'] as const)(
    'the answer to the %s is lost, and it was canceled or not',
    async (operation) => {
      for (const kind of ['answer_lost_before_effect', 'answer_lost_after_effect'] as const) {
        const { payable, secret } = await prepareWaiting();
        await service.sandbox.armFault({ operation, kind, times: 1 });
        await saveCard(service, payable.admin, { cardNumber: CARDS.visa, isDefault: true });
        if (operation === 'cancel') await payable.pay();
        else await service.reconcileNow();
        await answerBank(service, secret);
        await service.reconcileNow();
        await payable.pay();
      }
      await expectBehaviour('await customer', operation, 'T3');
    },
  );

  it('lost by the database, and canceled when that is brought together', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.asksAlways });
    const restore = await backUpNow();
    const { nextAction } = await payAndWait(payable);
    await restore();
    await holdCharges(service);
    await adoptTwice(service, await findCases(service));
    await releaseCharges(service);
    await answerBank(service, nextAction.clientSecret);
    await payAndWait(payable);
    await expectBehaviour('restore', 'await customer', 'adopt: cancel');
  });
});

async function prepareDebit(iban: string): Promise<Payable> {
  const admin = await signUpAdmin(service);
  await saveMandate(service, admin, iban);
  return prepareInvoice(service, admin, { details: [{ title: 'Support', currency: 'EUR', amount: '48.00' }] });
}

/** Ends the debits at the bank, and looks. */
async function endDebits(): Promise<void> {
  await service.sandbox.endDelays();
  await service.reconcileNow();
}

describe('a run in which a debit is on its way is a behaviour of the model', () => {
  it('it settles, or comes back', async () => {
    const payables = [await prepareDebit(IBANS.settlesLater), await prepareDebit(IBANS.failsLater)];
    for (const { pay } of payables) await pay();
    await service.reconcileNow();
    await endDebits();
    const ends = await Promise.all(payables.map((payable) => endsOf(service, payable)));
    expect(ends).toEqual([['captured'], ['failed declined insufficient_funds']]);
    await expectBehaviour('await bank', 'find', 'T3', 'fail');
  });

  it('the answer to its confirmation is lost', async () => {
    const payable = await prepareDebit(IBANS.settlesLater);
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect', times: 1 });
    await payable.pay();
    await service.reconcileNow();
    await endDebits();
    expect(await endsOf(service, payable)).toEqual(['captured']);
    await expectBehaviour('find', 'await bank', 'T3');
  });

  it.each([
    ['runs again when the database that has lost it is brought together', 'adopt: debit', ['captured']],
    [
      'stops the charge of a database that has lost it, and nobody has noticed that',
      'adopt',
      ['failed superseded', 'captured'],
    ],
  ])('it %s', async (_name, step, ends) => {
    const payable = await prepareDebit(IBANS.settlesLater);
    const restore = await backUpNow();
    await payable.pay();
    await restore();
    if (step === 'adopt: debit') {
      await holdCharges(service);
      await adoptTwice(service, await findCases(service));
      await releaseCharges(service);
    }
    await payable.pay();
    await endDebits();
    expect(await endsOf(service, payable)).toEqual(ends);
    await expectBehaviour('restore', 'await bank', step);
  });
});

describe('a run in which the database is brought together', () => {
  let lines: Line[];
  const statuses: number[] = [];
  beforeAll(async () => {
    await writeFile(file, '');
    observeSteps(file);
    const [paid, open] = [await preparePayable(service), await preparePayable(service)];
    const restore = await backUpNow();
    await paid.pay();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_before_effect', times: 1 });
    await open.pay();
    await restore();
    await holdCharges(service);
    statuses.push((await paid.pay()).status);
    await adoptTwice(service, await findCases(service));
    await releaseCharges(service);
    for (const payable of [paid, open]) statuses.push((await payable.pay()).status);
    lines = await readLines();
  });

  it('is a behaviour of the model', () => {
    expectNoDeviation(lines);
    expect(statuses).toEqual([503, 200, 200]);
    expect(lines.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['hold begins', 'adopt: cancel', 'adopt: capture', 'hold ends', 'T3']),
    );
  });

  it.each(['hold begins', 'adopt: cancel', 'adopt: capture'])('is none without %s', (left) => {
    const names = new Set(lines.filter(({ step }) => step === left).map(({ operation }) => operation));
    const rest = lines.filter(({ operation }) => !names.has(operation));
    expect(names.size).toBeGreaterThan(0);
    expect(findDeviations(rest, LISTS).join()).toContain('not a behaviour of the model');
  });
});

/** Takes a backup that is in the steps; returns what restores it. */
async function backUpNow(): Promise<() => Promise<void>> {
  const backups: { restore: () => Promise<void> }[] = [];
  await noteWorld('backup', async () => backups.push(await backUp(service.database.owner)));
  return () => noteWorld('restore', async () => backups[0]?.restore());
}

describe('a run that leaves a step out is none', () => {
  let lines: Line[];
  beforeAll(async () => {
    await writeFile(file, '');
    observeSteps(file);
    const declined: Payable = await preparePayable(service, { cardNumber: CARDS.declined });
    await declined.pay();
    const { payable } = await prepareWaiting();
    await saveCard(service, payable.admin, { cardNumber: CARDS.visa, isDefault: true });
    await payable.pay();
    await (await prepareDebit(IBANS.settlesLater)).pay();
    await endDebits();
    lines = await readLines();
    expectNoDeviation(lines);
  });

  it.each(['T1', 'ask', 'create', 'T2', 'cancel', 'await customer', 'fail'])('%s', (left) => {
    const names = new Set(lines.filter(({ step }) => step === left).map(({ operation }) => operation));
    const rest = lines.filter(({ operation }) => !names.has(operation));
    expect(names.size).toBeGreaterThan(0);
    expect(findDeviations(rest, LISTS).join()).toContain('not a behaviour of the model');
  });
});
