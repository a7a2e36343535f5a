/** What a gateway has made and no journal has: when it shows that a journal is not whole, and when not. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { expectStatus } from '../../../test/customers/actors.ts';
import { type ChargeService, type Payable, preparePayable, startChargeService } from '../../../test/payments/charge.ts';
import { adopt, compareNow } from '../../../test/recovery/adopt.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { captureAgain } from '../../../test/recovery/objects.ts';
import { readHold } from '../hold/hold.service.ts';
import { keepObjects, settleUnjournaled } from './cases.worker.queries.ts';
import { findMissingObjects, type MissingObject } from './compare.ts';

let service: ChargeService;
let payable: Payable;
beforeAll(async () => {
  service = await startChargeService({ withJournal: true });
});
beforeEach(async () => {
  payable = await preparePayable(service);
});
afterEach(async () => {
  await service.database.owner`UPDATE recovery_cases SET state = 'done' WHERE state = 'open'`;
  await releaseCharges(service);
  await service.database.owner`DELETE FROM journals WHERE id <> ${service.journal?.id() ?? ''}`;
});
afterAll(() => service?.stop());

/** Captures with a mark that neither the database nor a journal has. */
const captureElsewhere = () => captureAgain({ ...service, journal: null }, payable);

async function hold(): Promise<string> {
  await holdCharges(service);
  await service.chargesHold.refresh();
  return (await readHold(service.database.db))?.id ?? '';
}

const readRecovery = async () =>
  expectStatus(await service.call('GET', '/operator/recovery', { token: service.operatorKey }), 200).body;
const readLacks = async () => (await readRecovery()).journals.map(({ lacks }: { lacks: string | null }) => lacks);
const post = (path: string, body: object = {}) => service.call('POST', path, { token: service.operatorKey, body });

/** The line of another machine's journal for what was captured last. */
async function lineOfLast(): Promise<string> {
  const { payments } = await service.sandbox.readLedger();
  const mark = payments.at(-1)?.reference ?? '';
  const ids = { mark, companyId: payable.admin.companyId, kind: 'payment', subject: mark };
  return JSON.stringify({ ...ids, at: new Date().toISOString(), document: null });
}

async function addOtherJournal(): Promise<string> {
  const id = randomUUID();
  await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'billing-2', '/journal')`;
  return id;
}

it('is none where a journal has the mark', async () => {
  await captureAgain(service, payable);
  await hold();
  await compareNow(service);
  expect(await readLacks()).toEqual([null]);
  expectStatus(await adopt(service), 200);
});

it('is named by the journals, the hold and its alert until the journal of another machine is read', async () => {
  const id = await captureElsewhere();
  await hold();
  await compareNow(service);
  const lacked = `payment ${id} of the gateway sandbox`;
  expect(await readLacks()).toEqual([lacked]);
  expect((await adopt(service)).body.error).toMatchObject({
    code: 'journal_missing',
    message: expect.stringContaining(lacked),
  });
  const { body } = await service.call('GET', '/operator/alerts?kind=charges_held', { token: service.operatorKey });
  expect(body.data[0].message).toContain(lacked);
  const lines = [await lineOfLast()];
  expectStatus(await post(`/operator/recovery/journals/${randomUUID()}/entries`, { lines, isLast: true }), 200);
  await compareNow(service);
  expect(await readLacks()).toEqual([null]);
  expectStatus(await adopt(service), 200);
});

it('is not looked for in the journals that were read while another one is missing, whose loss explains it', async () => {
  const other = await addOtherJournal();
  await captureElsewhere();
  await hold();
  await compareNow(service);
  expect(await readLacks()).toEqual([null, null]);
  expect((await adopt(service)).body.error.message).toContain(other);
  expectStatus(await post(`/operator/recovery/journals/${other}/lost`), 200);
  expectStatus(await adopt(service), 200);
});

it('is given up with any of the journals, and the one that a process keeps is known again soon', async () => {
  await captureElsewhere();
  await hold();
  await compareNow(service);
  const path = `/operator/recovery/journals/${service.journal?.id()}/lost`;
  for (let time = 0; time < 2; time += 1)
    expect(expectStatus(await post(path), 200).body).toMatchObject({ missing: false, lacks: null });
  expectStatus(await adopt(service), 200);
  expect(await compareNow(service)).toBe(0);
});

const DAY_MS = 86_400_000;
type Changed = { change: (missing: MissingObject) => Promise<MissingObject> | MissingObject };

it.each<Changed & { name: string }>([
  {
    name: 'was made before the journals begin',
    change: ({ object, ...rest }) => ({
      ...rest,
      object: { ...object, createdAt: new Date(Date.now() - 39 * DAY_MS) },
    }),
  },
  {
    name: 'was made before the database had marks',
    change: async (missing) => {
      await service.database.owner`UPDATE marks SET written_at = now() + interval '1 hour'`;
      return missing;
    },
  },
  {
    name: 'names no installation',
    change: ({ object, ...rest }) => ({ ...rest, object: { ...object, details: {} } as MissingObject['object'] }),
  },
  {
    name: 'has its mark in the database',
    change: async (missing) => {
      const { companyId, reference } = missing;
      await service.database.owner`
        INSERT INTO marks (company_id, mark, kind, subject) VALUES (${companyId}, ${reference}, 'payment', ${reference})`;
      return missing;
    },
  },
])('is not what $name', async ({ change }) => {
  const { db, owner } = service.database;
  await captureElsewhere();
  const holdId = await hold();
  const found: MissingObject[] = [];
  for await (const batch of findMissingObjects(
    { db, gateways: service.gateways },
    { since: new Date(Date.now() - 900_000) },
  ))
    found.push(...batch);
  const last = found.at(-1);
  if (last === undefined) throw new Error('nothing is missing');
  const readNoted = async () => {
    const [row] = await owner<[{ unjournaled: string | null }]>`
      SELECT unjournaled FROM charges_holds WHERE id = ${holdId}`;
    return row.unjournaled;
  };
  const note = async (missing: MissingObject) => {
    await keepObjects(db, holdId, [missing]);
    await settleUnjournaled(db, holdId);
    return readNoted();
  };
  expect(await note(await change(last))).toBeNull();
  await owner`UPDATE marks SET written_at = now() WHERE written_at > now()`;
  await owner`DELETE FROM marks WHERE mark = ${last.reference}`;
  expect(await note(last)).toContain(last.object.id);
});
