import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { backUp } from '../../../test/payments/restore.ts';
import { listCases } from '../../../test/recovery/adopt.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';
import { transactionWhileHeld } from '../../continuity/hold/charges-hold.service.ts';
import type { JournalEntry } from '../../continuity/journal/journal.service.ts';
import { readHold } from '../hold/hold.service.ts';
import type { RecoveryCase } from '../marks/cases.ts';
import { selectMissingMarks } from '../marks/compare.worker.queries.ts';
import { AlreadyDecidedError, type Decision, decide } from './decide.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ withJournal: true });
});
beforeEach(async () => {
  await holdCharges(service);
  return () => releaseCharges(service);
});
afterAll(() => service?.stop());

/** A case of the open hold, as a pass has found it in a journal. */
async function insertCase(companyId: string): Promise<RecoveryCase> {
  const [id, mark, subject] = [randomUUID(), randomUUID(), randomUUID()];
  const holdId = (await readHold(service.database.db))?.id ?? '';
  const [content, happenedAt] = ['{"amount":1.00}', new Date('2026-11-20T10:00:00Z')];
  await service.database.owner`
    INSERT INTO recovery_cases (company_id, id, hold_id, source, kind, mark, subject, happened_at, content)
    VALUES (${companyId}, ${id}, ${holdId}, 'journal', 'credit_entry', ${mark}, ${subject}, ${happenedAt}, ${content})`;
  const found = { id, companyId, holdId, source: 'journal', kind: 'credit_entry', mark, subject, happenedAt, content };
  const rest = {
    writer: null,
    isForeign: false,
    companyExternalId: null,
    gateway: null,
    objectId: null,
    request: null,
    note: null,
    foundAt: happenedAt,
    decidedAt: null,
  };
  return { ...found, source: 'journal', state: 'open', ...rest };
}

const decideNow = (found: RecoveryCase, decision: Decision) =>
  transactionWhileHeld(service.database.db, (tx) => decide(tx, found, decision));

async function stateOf({ id }: RecoveryCase) {
  const [row] = await service.database.owner`
    SELECT state, note, content, decided_at IS NOT NULL AS "isDecided" FROM recovery_cases WHERE id = ${id}`;
  return row;
}

async function marksOf({ mark }: RecoveryCase) {
  return service.database.owner`SELECT company_id AS "companyId", kind, subject FROM marks WHERE mark = ${mark}`;
}

async function listAlerts() {
  const path = '/operator/alerts?kind=recovery_review';
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body.data;
}

it('a processed case keeps no document, and the database and the journal have its mark with the document', async () => {
  const { companyId } = await signUpAdmin(service);
  const found = await insertCase(companyId);
  await decideNow(found, { state: 'done', note: 'It is there again.' });
  expect(await stateOf(found)).toEqual({ state: 'done', note: 'It is there again.', content: null, isDecided: true });
  expect(await marksOf(found)).toEqual([{ companyId, kind: 'credit_entry', subject: found.subject }]);
  const entries = [];
  for await (const entry of service.journal?.read() ?? []) {
    if (entry.mark === found.mark) entries.push(entry.document);
  }
  expect(entries).toEqual(['{"amount":1.00}']);
  expect(await listAlerts()).toEqual([]);
});

it('a case for a person keeps its document and raises one alert, of its company if that is known', async () => {
  const { companyId } = await signUpAdmin(service);
  const [known, unknown] = [await insertCase(companyId), await insertCase(randomUUID())];
  for (const found of [known, unknown]) await decideNow(found, { state: 'person', note: `Look at ${found.id}.` });
  expect(await stateOf(known)).toMatchObject({ state: 'person', content: '{"amount":1.00}' });
  expect(await marksOf(unknown)).toHaveLength(1);
  expect(await listAlerts()).toMatchObject([
    { companyId: null, message: `Look at ${unknown.id}.` },
    { companyId, message: `Look at ${known.id}.` },
  ]);
});

it('of two cases with the same note, only the case whose alert was acknowledged counts as acknowledged', async () => {
  const { companyId } = await signUpAdmin(service);
  const cases = [await insertCase(companyId), await insertCase(companyId)];
  for (const found of cases) await decideNow(found, { state: 'person', note: 'The same for both.' });
  const [newest] = await listAlerts();
  const path = `/operator/alerts/${newest.id}/acknowledge`;
  expectStatus(await service.call('POST', path, { token: service.operatorKey }), 200);
  const listed = await listCases(service, companyId);
  const isAcknowledged = new Map(listed.map(({ id, acknowledgedAt }) => [id, acknowledgedAt !== null]));
  expect(cases.map(({ id }) => isAcknowledged.get(id))).toEqual([false, true]);
});

it('a case that was decided after its alert is found as missing when the database goes back to before the decision', async () => {
  const { companyId } = await signUpAdmin(service);
  const found = await insertCase(companyId);
  await decideNow(found, { state: 'person', note: 'Look.' });
  const { restore } = await backUp(service.database.owner);
  await decideNow({ ...found, state: 'person' }, { state: 'done', note: 'It is there again.' });
  await restore();
  const entries: JournalEntry[] = [];
  for await (const entry of service.journal?.read() ?? []) if (entry.subject === found.subject) entries.push(entry);
  const missing = await selectMissingMarks(service.database.db, entries);
  expect(missing.map(({ document }) => document)).toEqual(['{"amount":1.00}']);
});

it('a case that another request has decided meanwhile stays as it is', async () => {
  const found = await insertCase((await signUpAdmin(service)).companyId);
  await decideNow(found, { state: 'done', note: 'It is there again.' });
  const before = await listAlerts();
  await expect(decideNow(found, { state: 'person', note: 'Look.' })).rejects.toThrow(AlreadyDecidedError);
  expect(await stateOf(found)).toMatchObject({ state: 'done', note: 'It is there again.' });
  expect(await listAlerts()).toEqual(before);
});
