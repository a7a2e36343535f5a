import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Actor, expectStatus, signUpAdmin } from '../../test/customers/actors.ts';
import { seedLabels } from '../../test/customers/labels.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';

type LabelService = typeof import('./labels.service.ts');

let service: TestService;
/** The label service as two more processes on the same database run it, each with a cache of its own. */
let otherProcesses: LabelService[];
beforeAll(async () => {
  service = await startTestService();
  otherProcesses = [await importAnew(), await importAnew()];
});
afterAll(async () => service.stop());

async function importAnew(): Promise<LabelService> {
  vi.resetModules();
  return import('./labels.service.ts');
}

const LABEL = { description: 'Any', color: '#fff', userName: 'Ada' };
const QUERY = { current_page: 1, per_page: 10, sort_by: 'DESC', order_by: 'name', name: '' } as const;

const create = async ({ token }: Actor, name: string): Promise<string> =>
  expectStatus(await service.call('POST', '/labels', { token, body: { ...LABEL, name } }), 201).body.id;
const rename = async ({ token }: Actor, id: string, name: string) =>
  expectStatus(await service.call('PUT', `/labels/${id}`, { token, body: { name } }), 200);
const remove = async ({ token }: Actor, ids: string[]) =>
  expectStatus(await service.call('DELETE', '/labels', { token, body: { label_ids: ids } }), 204);

type Page = { total: number; last_page: number; data: { name: string; description: string; assignments: number }[] };

/** A page as that process answers it. */
async function listOn(
  process: LabelService,
  db: TestService['database']['db'],
  companyId: string,
  query: Parameters<LabelService['listLabels']>[2],
): Promise<Page> {
  return JSON.parse(String(await process.listLabels(db, companyId, query)));
}

/** The total for a search, after checking that all processes agree and that their pages match it. */
async function totalOf(actor: Actor, search = ''): Promise<number> {
  const query = new URLSearchParams({ name: search, per_page: '2' });
  const over = expectStatus(await service.call('GET', `/labels?${query}`, { token: actor.token }), 200).body;
  const { db } = service.database;
  const others = await Promise.all(
    otherProcesses.map((process) => listOn(process, db, actor.companyId, { ...QUERY, name: search, per_page: 2 })),
  );
  for (const { total, last_page: lastPage, data } of [over, ...others]) {
    expect(total).toBe(over.total);
    expect(lastPage).toBe(Math.max(1, Math.ceil(total / 2)));
    expect(data).toHaveLength(Math.min(2, total));
  }
  return over.total;
}

describe('total and last_page are exact', () => {
  it('after each create, rename and delete, for the whole list and for a search', async () => {
    const admin = await signUpAdmin(service);
    const totals = async () => [await totalOf(admin), await totalOf(admin, 'alpha'), await totalOf(admin, 'BETA')];
    expect(await totals()).toEqual([0, 0, 0]);
    const first = await create(admin, 'alpha 1');
    expect(await totals()).toEqual([1, 1, 0]);
    const second = await create(admin, 'alpha 2');
    expect(await totals()).toEqual([2, 2, 0]);
    const third = await create(admin, 'beta 1');
    expect(await totals()).toEqual([3, 2, 1]);
    await rename(admin, first, 'Beta alpha');
    expect(await totals()).toEqual([3, 2, 2]);
    await rename(admin, second, 'gamma');
    expect(await totals()).toEqual([3, 1, 2]);
    await remove(admin, [third, first]);
    expect(await totals()).toEqual([1, 0, 0]);
    await remove(admin, [second, third]);
    expect(await totals()).toEqual([0, 0, 0]);
  });

  it('after requests that change nothing: refused requests, unknown ids, and a repeat with an idempotency key', async () => {
    const admin = await signUpAdmin(service);
    const { token } = admin;
    const headers = { 'idempotency-key': 'k' };
    const body = { ...LABEL, name: 'alpha' };
    for (let repeat = 0; repeat < 3; repeat += 1) {
      expectStatus(await service.call('POST', '/labels', { token, body, headers }), 201);
    }
    expectStatus(await service.call('POST', '/labels', { token, body }), 409);
    await remove(admin, ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40', 'alpha']);
    expect([await totalOf(admin), await totalOf(admin, 'alpha')]).toEqual([1, 1]);
  });

  it('after rows are written directly to the database, many in one statement', async () => {
    const [admin, other] = [await signUpAdmin(service), await signUpAdmin(service)];
    expect(await totalOf(admin, 'bulk')).toBe(0);
    await seedLabels(service, admin, { count: 500, prefix: 'bulk' });
    await seedLabels(service, other, { count: 3, prefix: 'bulk' });
    expect([await totalOf(admin), await totalOf(admin, 'bulk'), await totalOf(admin, 'bulk 49')]).toEqual([
      500, 500, 11,
    ]);
    await service.database.owner`DELETE FROM labels WHERE company_id = ${admin.companyId} AND name LIKE 'bulk 4%'`;
    expect([await totalOf(admin), await totalOf(admin, 'bulk'), await totalOf(admin, 'bulk 49')]).toEqual([
      389, 389, 0,
    ]);
    expect([await totalOf(other), await totalOf(other, 'bulk')]).toEqual([3, 3]);
  });

  it('only once a change is committed, and not after a rollback', async () => {
    const admin = await signUpAdmin(service);
    await create(admin, 'alpha');
    const { owner } = service.database;
    const undone = owner.begin(async (tx) => {
      await tx`UPDATE labels SET name = 'beta' WHERE company_id = ${admin.companyId}`;
      expect([await totalOf(admin, 'alpha'), await totalOf(admin, 'beta')]).toEqual([1, 0]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect([await totalOf(admin, 'alpha'), await totalOf(admin, 'beta')]).toEqual([1, 0]);
    await owner.begin(async (tx) => {
      await tx`UPDATE labels SET name = 'beta' WHERE company_id = ${admin.companyId}`;
      expect([await totalOf(admin, 'alpha'), await totalOf(admin, 'beta')]).toEqual([1, 0]);
    });
    expect([await totalOf(admin, 'alpha'), await totalOf(admin, 'beta')]).toEqual([0, 1]);
  });
});

describe('total and last_page are exact under concurrency', () => {
  it('after 30 parallel creates, then 30 parallel deletes and creates', async () => {
    const admin = await signUpAdmin(service);
    await totalOf(admin, 'first');
    const ids = await Promise.all(Array.from({ length: 30 }, (_, index) => create(admin, `first ${index}`)));
    expect([await totalOf(admin), await totalOf(admin, 'first')]).toEqual([30, 30]);
    await Promise.all(
      ids.flatMap((id, index) => [
        index % 3 === 0 ? rename(admin, id, `kept ${index}`) : remove(admin, [id]),
        create(admin, `second ${index}`),
      ]),
    );
    expect([await totalOf(admin), await totalOf(admin, 'first')]).toEqual([40, 0]);
    expect([await totalOf(admin, 'second'), await totalOf(admin, 'kept')]).toEqual([30, 10]);
  });

  it('without waiting for another change of the company that is not committed yet', async () => {
    const admin = await signUpAdmin(service);
    const first = await create(admin, 'alpha 1');
    await service.database.owner.begin(async (tx) => {
      await tx`UPDATE labels SET color = '#000' WHERE company_id = ${admin.companyId} AND id = ${first}`;
      await create(admin, 'alpha 2');
      expect(await totalOf(admin)).toBe(2);
    });
    await remove(admin, [first]);
    expect(await totalOf(admin)).toBe(1);
  });

  it('and a change of any field in one process appears on the next page of every other', async () => {
    const admin = await signUpAdmin(service);
    const { token, companyId } = admin;
    const id = await create(admin, 'alpha');
    const { db } = service.database;
    const pages = () => Promise.all(otherProcesses.map((process) => listOn(process, db, companyId, QUERY)));
    await pages();
    for (const body of [{ description: 'Changed' }, { color: '#000' }, { userName: 'Grace' }, { name: 'beta' }]) {
      const label = expectStatus(await service.call('PUT', `/labels/${id}`, { token, body }), 200).body;
      for (const page of await pages()) expect(page.data).toEqual([label]);
      for (const page of await pages()) expect(page.data).toEqual([label]);
    }
  });

  it('and so does how many records have a label, on pages of all labels and of a search', async () => {
    const admin = await signUpAdmin(service);
    const { token, companyId } = admin;
    const [alpha, beta] = [await create(admin, 'alpha'), await create(admin, 'beta')];
    const { db } = service.database;
    const counts = async () => {
      const pages = [QUERY, { ...QUERY, name: 'a' }].flatMap((query) =>
        otherProcesses.map((process) => listOn(process, db, companyId, query)),
      );
      return (await Promise.all(pages)).map(({ data }) => data.map(({ assignments }) => assignments));
    };
    expect(await counts()).toEqual(Array(4).fill([0, 0]));
    for (const [labelId, id] of [
      [alpha, '1'],
      [beta, '1'],
      [alpha, '2'],
    ]) {
      const body = { targets: [{ type: 'ticket', id }] };
      expectStatus(await service.call('POST', `/labels/${labelId}/assignments`, { token, body }), 200);
      await counts();
    }
    expect(await counts()).toEqual(Array(4).fill([1, 2]));
    await rename(admin, alpha, 'gamma a');
    expect(await counts()).toEqual(Array(4).fill([2, 1]));
    await remove(admin, [beta]);
    expect(await counts()).toEqual(Array(4).fill([2]));
  });

  it('at every moment between: a page’s total was true while the page was read', async () => {
    const admin = await signUpAdmin(service);
    const { token, companyId } = admin;
    let created = 0;
    let started = 0;
    let writing = true;
    const read = async (listPage: () => Promise<{ total: number }>) => {
      let reads = 0;
      while (writing || reads === 0) {
        const atLeast = created;
        const { total } = await listPage();
        expect(total).toBeGreaterThanOrEqual(atLeast);
        expect(total).toBeLessThanOrEqual(started);
        reads += 1;
      }
    };
    const { db } = service.database;
    const readers = [
      read(async () => (await service.call('GET', '/labels?name=growing', { token })).body),
      ...otherProcesses.map((process) => read(() => listOn(process, db, companyId, { ...QUERY, name: 'growing' }))),
      read(async () => (await service.call('GET', '/labels', { token })).body),
    ];
    const write = async (writer: number) => {
      for (let count = 0; count < 15; count += 1) {
        started += 1;
        await create(admin, `growing ${writer} ${count}`);
        created += 1;
      }
    };
    await Promise.all([write(1), write(2), write(3)]).finally(() => {
      writing = false;
    });
    await Promise.all(readers);
    expect([await totalOf(admin), await totalOf(admin, 'growing')]).toEqual([45, 45]);
  });

  it('on any process, in any order of reads and writes, as in a model', async () => {
    const NAMES = ['alpha', 'beta', 'alphabet'];
    const step = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), name: fc.constantFrom(...NAMES) }),
      fc.record({ kind: fc.constant('rename' as const), name: fc.constantFrom(...NAMES), which: fc.nat() }),
      fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }),
      fc.record({ kind: fc.constant('read' as const), process: fc.nat({ max: 1 }), name: fc.constantFrom(...NAMES) }),
    );
    const { db } = service.database;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20 }), async (steps) => {
        const admin = await signUpAdmin(service);
        const model = new Map<string, string>();
        for (const [index, one] of steps.entries()) {
          const id = 'which' in one ? [...model.keys()][one.which % Math.max(1, model.size)] : undefined;
          const name = 'name' in one ? `${one.name} ${index + 100}` : '';
          if (one.kind === 'create') model.set(await create(admin, name), name);
          else if (one.kind === 'read') {
            const query = { ...QUERY, name: one.name };
            const process = otherProcesses[one.process] as LabelService;
            const page = await listOn(process, db, admin.companyId, query);
            const matching = [...model.values()].filter((name) => name.includes(one.name)).sort();
            expect(page.total).toBe(matching.length);
            expect(page.data.map(({ name }) => name).reverse()).toEqual(matching.slice(-10));
          } else if (id !== undefined && one.kind === 'rename') {
            await rename(admin, id, name);
            model.set(id, name);
          } else if (id !== undefined) {
            await remove(admin, [id]);
            model.delete(id);
          }
        }
        expect(await totalOf(admin)).toBe(model.size);
      }),
      { numRuns: 15 },
    );
  });
});
