/** The journal of another machine is read by the operator's requests. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantCredit, readLedger } from '../../../../test/billing/credits.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { backUp } from '../../../../test/payments/restore.ts';
import { adopt, compareNow, listCases } from '../../../../test/recovery/adopt.ts';
import { releaseCharges } from '../../../../test/recovery/hold.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ withJournal: true });
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());

/** Reads the lines of the service's journal, which plays that of another machine. */
async function readLines(): Promise<string[]> {
  const directory = service.journal?.directory ?? '';
  const names = (await readdir(directory)).filter((name) => name.endsWith('.ndjson'));
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
}

const send = (id: string, body: object) =>
  service.call('POST', `/operator/recovery/journals/${id}/entries`, { token: service.operatorKey, body });
const readRecovery = async () =>
  expectStatus(await service.call('GET', '/operator/recovery', { token: service.operatorKey }), 200).body;

it('what the database lacks of it begins a hold, is dealt with, and is missed no more', async () => {
  const id = randomUUID();
  await service.database.owner`INSERT INTO journals (id, host, directory) VALUES (${id}, 'another', '/journal')`;
  const before = await readLines();
  const { restore } = await backUp(service.database.owner);
  await grantCredit(service, admin.companyId, { amount: '5.00' });
  const lines = await readLines();
  await restore();
  expect(expectStatus(await send(id, { lines: before, isLast: false }), 200).body).toEqual({ missing: 0 });
  expect(await readRecovery()).toMatchObject({ hold: null, cases: { open: 0 } });
  for (const isLast of [false, true]) {
    expect(expectStatus(await send(id, { lines, isLast }), 200).body).toEqual({ missing: 1 });
    const { hold, journals } = await readRecovery();
    expect(hold).toMatchObject({ reason: expect.stringContaining('a journal of another machine') });
    expect(Date.parse(hold.until)).toBeGreaterThan(Date.parse(hold.since));
    expect(journals).toContainEqual(expect.objectContaining({ id, readAt: isLast ? expect.any(String) : null }));
  }
  expect(await listCases(service)).toMatchObject([
    { kind: 'credit_entry', companyId: admin.companyId, amount: '5.00' },
  ]);
  await compareNow(service);
  expect(expectStatus(await adopt(service), 200).body).toMatchObject({ decided: [{ state: 'done' }], remaining: 0 });
  expect((await readLedger(service, admin.companyId)).balance).toBe('5.00');
  expect(expectStatus(await send(id, { lines, isLast: true }), 200).body).toEqual({ missing: 0 });
  await releaseCharges(service);
});

it.each([
  ['not JSON', 'x'],
  ['a number', '1'],
  ['another object', '{"mark":"1","document":{}}'],
  [
    'a document that is cut off',
    '{"mark":"1","companyId":"1","kind":"void","subject":"1","at":"2026-10-01","document":{"a":',
  ],
])('a line that no journal contains is refused: %s', async (_name, line) => {
  const check = '{"check":"2026-10-01T00:00:00.000Z"}';
  const { error } = expectStatus(await send(randomUUID(), { lines: [check, line], isLast: true }), 400).body;
  expect(error.details).toEqual([{ field: 'lines[1]', message: 'must be a line of a journal' }]);
});
