/** Random histories of usage, external ids and companies, against a model of a few lines. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listUnattributed, namedEvent } from '../../../../test/billing/unattributed.ts';
import { reportUsage } from '../../../../test/billing/usage.ts';
import { expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { propertyCases } from '../../../../test/harness/property.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const operator = (method: string, path: string, body?: object) =>
  service.call(method, `/operator${path}`, { token: service.operatorKey, ...(body === undefined ? {} : { body }) });

/** Event n has the quantity 2^n, so that a sum says of which events it is. */
const quantityOf = (events: Iterable<number>) => [...events].reduce((sum, event) => sum + 2 ** event, 0);

/** One of two companies, one of two external ids, some of four events. */
const one = fc.nat({ max: 1 });
const events = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('report by the external id' as const), id: one, events }),
  fc.record({ kind: fc.constant('report by the UUID' as const), company: one, events }),
  fc.record({ kind: fc.constant('give' as const), company: one, id: fc.option(one) }),
  fc.record({ kind: fc.constant('delete' as const), id: one }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Which events are usage of each company, which wait for each external id, and which one each company has. */
type Model = { counted: Set<number>[]; waiting: Set<number>[]; idOf: (number | null)[] };
type World = { model: Model; source: string; names: string[]; companies: string[] };

async function report(
  { source }: World,
  subject: string,
  sent: readonly number[],
  into: Set<number>,
  accepted: string,
) {
  const batch = sent.map((event) =>
    namedEvent('', { subject, source, id: String(event), data: { path: '/x', quantity: 2 ** event } }),
  );
  const expected = sent.map((event) => {
    const outcome = into.has(event) ? 'duplicate' : accepted;
    into.add(event);
    return outcome;
  });
  const { results } = await reportUsage(service, batch);
  type Result = { status: string; unattributed?: boolean };
  expect(results.map(({ status, unattributed }: Result) => (unattributed ? 'waits' : status))).toEqual(expected);
}

async function give({ model, names, companies }: World, company: number, id: number | null): Promise<void> {
  const externalId = id === null ? null : names[id];
  const { status } = await operator('PUT', `/companies/${companies[company]}`, { externalId });
  const isTaken = id !== null && model.idOf[1 - company] === id;
  expect(status).toBe(isTaken ? 409 : 200);
  if (isTaken) return;
  model.idOf[company] = id;
  if (id === null) return;
  for (const event of model.waiting[id] ?? []) model.counted[company]?.add(event);
  model.waiting[id] = new Set();
}

async function take(world: World, step: Step): Promise<void> {
  const { model, names, companies } = world;
  if (step.kind === 'give') return give(world, step.company, step.id);
  if (step.kind === 'report by the UUID') {
    const counted = model.counted[step.company] ?? new Set();
    return report(world, companies[step.company] ?? '', step.events, counted, 'accepted');
  }
  if (step.kind === 'report by the external id') {
    const owner = model.idOf.indexOf(step.id);
    const into = (owner < 0 ? model.waiting[step.id] : model.counted[owner]) ?? new Set();
    return report(world, `external:${names[step.id]}`, step.events, into, owner < 0 ? 'waits' : 'accepted');
  }
  const { status } = await operator('DELETE', `/usage/unattributed?externalId=${names[step.id]}`);
  expect(status).toBe((model.waiting[step.id]?.size ?? 0) > 0 ? 204 : 404);
  model.waiting[step.id] = new Set();
}

async function compare({ model, names, companies }: World): Promise<void> {
  const sums = companies.map(async (companyId) => {
    const path = `/usage?companyId=${companyId}&from=2026-01-01&to=2026-02-01&granularity=month`;
    return Number(expectStatus(await operator('GET', path), 200).body.data[0]?.quantity ?? 0);
  });
  expect(await Promise.all(sums)).toEqual(model.counted.map(quantityOf));
  const { data } = await listUnattributed(service);
  const rows = names.map((name) => data.find(({ externalId }: { externalId: string }) => externalId === name));
  expect(rows.map((row) => [row?.events ?? 0, Number(row?.quantity ?? 0)])).toEqual(
    model.waiting.map((waiting) => [waiting.size, quantityOf(waiting)]),
  );
}

test('any history counts each event once, for the company that has its external id', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const companies = [await signUpAdmin(service), await signUpAdmin(service)].map(({ companyId }) => companyId);
      const model = {
        counted: [new Set<number>(), new Set<number>()],
        waiting: [new Set<number>(), new Set<number>()],
      };
      const world = { source: randomUUID(), names: [randomUUID(), randomUUID()], companies };
      const all: World = { ...world, model: { ...model, idOf: [null, null] } };
      for (const taken of steps) {
        await take(all, taken);
        await compare(all);
      }
    }),
    propertyCases(30),
  );
});
