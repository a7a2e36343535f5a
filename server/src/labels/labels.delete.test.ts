import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin } from '../../test/customers/actors.ts';
import { seedLabels } from '../../test/customers/labels.ts';
import { provokeDeadlock, sendDuring } from '../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import type { Tx } from '../platform/database/database.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const remove = ({ token }: Actor, body: unknown) => service.call('DELETE', '/labels', { token, body });
const idsOf = async ({ token }: Actor): Promise<string[]> => {
  const { body } = expectStatus(await service.call('GET', '/labels?per_page=1000', { token }), 200);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ id }: { id: string }) => id).sort();
};

describe('DELETE /labels', () => {
  it('answers 204 without content and deletes the labels with these ids, and no others', async () => {
    const admin = await signUpAdmin(service);
    const ids = await seedLabels(service, admin, { count: 5 });
    const deleted = expectStatus(await remove(admin, { label_ids: ids.slice(0, 3) }), 204);
    expect(deleted.text).toBe('');
    expect(await idsOf(admin)).toEqual(ids.slice(3).sort());
    for (const id of ids.slice(0, 3)) {
      expectStatus(await service.call('GET', `/labels/${id}`, { token: admin.token }), 404);
    }
  });

  it('deletes a single label', async () => {
    const admin = await signUpAdmin(service);
    const [id = '', kept] = await seedLabels(service, admin, { count: 2 });
    expectStatus(await remove(admin, { label_ids: [id] }), 204);
    expect(await idsOf(admin)).toEqual([kept]);
  });

  it('deletes 1,000 labels at once', async () => {
    const admin = await signUpAdmin(service);
    const ids = await seedLabels(service, admin, { count: 1_000 });
    const [kept] = await seedLabels(service, admin, { count: 1, prefix: 'kept' });
    expectStatus(await remove(admin, { label_ids: ids }), 204);
    expect(await idsOf(admin)).toEqual([kept]);
  });

  it('refuses 1,001 ids and 100,000 with 400, and deletes none', async () => {
    const admin = await signUpAdmin(service);
    const ids = await seedLabels(service, admin, { count: 2 });
    const refused = expectStatus(await remove(admin, { label_ids: [...ids, ...Array(999).fill(randomUUID())] }), 400);
    expect(refused.body.error).toMatchObject({ code: 'invalid_request', details: [{ field: 'label_ids' }] });
    const far = await remove(admin, { label_ids: Array(100_000).fill('x') });
    expect([400, 413]).toContain(far.status);
    expect(await idsOf(admin)).toEqual(ids.sort());
  });

  it('refuses no ids, and label_ids of any other form, with 400', async () => {
    const admin = await signUpAdmin(service);
    const ids = await seedLabels(service, admin, { count: 1 });
    const others = [
      [],
      undefined,
      null,
      ids[0],
      { 0: ids[0] },
      [null],
      [1],
      [true],
      [ids],
      [{ id: ids[0] }],
      [...ids, 1],
    ];
    for (const labelIds of others) {
      const refused = expectStatus(await remove(admin, { label_ids: labelIds }), 400);
      expect(refused.body.error.code).toBe('invalid_request');
      expect(refused.body.error.details[0].field).toMatch(/^label_ids/);
    }
    expectStatus(await service.call('DELETE', '/labels', { token: admin.token }), 400);
    expect(await idsOf(admin)).toEqual(ids);
  });

  it('ignores ids that name no label: unknown ids, deleted labels, values that are not UUIDs, and duplicates', async () => {
    const admin = await signUpAdmin(service);
    const [first = '', second = '', kept] = await seedLabels(service, admin, { count: 3 });
    const strangers = [
      randomUUID(),
      'label-1',
      '',
      "' OR true --",
      '{}',
      '%',
      `${kept},`,
      ` ${kept}`,
      `{${kept}}`,
      'NULL',
    ];
    expectStatus(await remove(admin, { label_ids: [first, first, ...strangers, second.toUpperCase(), first] }), 204);
    expect(await idsOf(admin)).toEqual([kept]);
    expectStatus(await remove(admin, { label_ids: [first, second] }), 204);
    expectStatus(await remove(admin, { label_ids: ['none of them', 'is a UUID'] }), 204);
    expect(await idsOf(admin)).toEqual([kept]);
  });

  it('leaves other companies’ labels alone, and the answer does not reveal which ids they have', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    const own = await seedLabels(service, admin, { count: 2 });
    const foreign = await seedLabels(service, other, { count: 2 });
    const mixed = expectStatus(await remove(admin, { label_ids: [...own, ...foreign] }), 204);
    const unknown = expectStatus(await remove(admin, { label_ids: [randomUUID()] }), 204);
    expect(await idsOf(admin)).toEqual([]);
    expect(await idsOf(other)).toEqual(foreign.sort());
    const headersOf = (answer: typeof mixed) => [...answer.headers.keys()];
    expect(headersOf(mixed)).toEqual(headersOf(unknown));
  });

  it('deletes all labels or none: when one can’t be deleted in time, all stay', async () => {
    const admin = await signUpAdmin(service);
    const ids = await seedLabels(service, admin, { count: 50 });
    const { owner } = service.database;
    await owner.begin(async (tx) => {
      await tx`SELECT 1 FROM labels WHERE company_id = ${admin.companyId} AND id = ${ids[25] ?? ''} FOR UPDATE`;
      expectStatus(await remove(admin, { label_ids: ids }), 503);
    });
    expect(await idsOf(admin)).toEqual(ids.sort());
    expectStatus(await remove(admin, { label_ids: ids }), 204);
    expect(await idsOf(admin)).toEqual([]);
  });

  it('is retried after a deadlock', async () => {
    const admin = await signUpAdmin(service);
    // The first has the lower id and is stored first, so any plan deletes it first.
    const [first = '', second = ''] = await seedLabels(service, admin, { count: 2 });
    const lock = (id: string) => async (tx: Tx) =>
      tx`SELECT 1 FROM labels WHERE company_id = ${admin.companyId} AND id = ${id} FOR UPDATE`;
    const answer = await provokeDeadlock(service.database, {
      before: lock(second),
      request: () => remove(admin, { label_ids: [first, second] }),
      after: lock(first),
    });
    expectStatus(answer, 204);
    expect(await idsOf(admin)).toEqual([]);
  });

  it('locks the labels in the order of their ids, wherever they are stored', async () => {
    const admin = await signUpAdmin(service);
    const [lower = '', higher = ''] = await seedLabels(service, admin, { count: 2 });
    const { companyId } = admin;
    // A new version of the row is stored behind the other one.
    await service.database.owner`UPDATE labels SET color = '#000' WHERE company_id = ${companyId} AND id = ${lower}`;
    const lock = (id: string) => async (tx: Tx) =>
      tx`SELECT 1 FROM labels WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE NOWAIT`;
    const request = () => remove(admin, { label_ids: [higher, lower] });
    expectStatus(await sendDuring(service.database, lock(lower), request, lock(higher)), 204);
    expect(await idsOf(admin)).toEqual([]);
  });

  it('answers 204 to each of ten overlapping parallel deletes, and deletes each label once', async () => {
    const admin = await signUpAdmin(service);
    const ids = await seedLabels(service, admin, { count: 40 });
    const overlapping = Array.from({ length: 10 }, (_, index) => ids.slice(index * 3, index * 3 + 10));
    const orders = overlapping.map((part, index) => (index % 2 === 0 ? part : [...part].reverse()));
    const answers = await Promise.all(orders.map((labelIds) => remove(admin, { label_ids: labelIds })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(204));
    expect(await idsOf(admin)).toEqual(ids.slice(37).sort());
  });
});
