import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../src/platform/http/route/operation.ts';
import { Type } from '../../src/platform/http/schema/type.ts';
import { text } from '../../src/platform/http/schema/validation.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { BATTERY, OUTSIDE_THE_BATTERY, type RouteCases } from './battery.ts';
import { findLacks, findSurplus } from './cases/lacks.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

test('each operation of the service has a whole case beside its routes, and each case an operation', () => {
  const inside = service.operations.filter(({ url }) => !OUTSIDE_THE_BATTERY.test(url));
  const problems = [...findLacks(inside, BATTERY), ...findSurplus(inside, BATTERY)];
  if (problems.length > 0) throw new Error(problems.join('\n\n'));
});

const ROUTE = 'POST /operator/companies/:company_id/remarks/:remark_id';

/** An operation that this service has not. */
const OPERATION = {
  method: 'POST',
  url: '/operator/companies/:company_id/remarks/:remark_id',
  operationId: 'changeRemark',
  access: 'operator',
  resource: 'remark',
  query: Type.Object({ page: Type.Integer(), perPage: Type.Integer(), kind: text() }),
  body: Type.Object({ text: text({ max: 2_000, examples: ['Called'] }) }),
  errors: ['limit_reached'],
} as unknown as Operation;

test('a case that is missing is written out', () => {
  expect(findLacks([OPERATION], {})).toEqual([
    `the case file beside the routes lacks:

  'POST /operator/companies/:company_id/remarks/:remark_id': {
    access: 'operator',
    body: () => ({"text":"Called"}),
    names: REMARK,
    within: ({ admin }) => [admin.companyId],
    parameters: {
      ...PAGES,
      kind: { takes: ['…'], refuses: ['', 'x'] },
    },
    limit: { table: '…', most: 1_000 },
    longTexts: { text: 2000 },
  },`,
  ]);
});

test('the missing parts of a case are printed, with the file that they belong to', () => {
  const names = { table: 'labels', make: async () => 'anything' };
  const within = () => ['anything'];
  const listLabels = { ...OPERATION, operationId: 'listLabels' };
  const cases: RouteCases = { [ROUTE]: { access: 'operator', names, within } };
  expect(findLacks([listLabels], cases)).toEqual([
    `server/src/labels/labels.test-cases.ts lacks:

  'POST /operator/companies/:company_id/remarks/:remark_id': {
    parameters: {
      ...PAGES,
      kind: { takes: ['…'], refuses: ['', 'x'] },
    },
    limit: { table: '…', most: 1_000 },
    longTexts: { text: 2000 },
  },`,
  ]);
  const other: RouteCases[string] = {
    access: 'operator',
    longTexts: { note: 2_000 },
    parameters: { page: { takes: [], refuses: [] } },
  };
  expect(findSurplus([OPERATION], { [ROUTE]: other, 'GET /remarks': other })).toEqual([
    `${ROUTE} has no long text note`,
    'GET /remarks has a case, but there is no such route',
  ]);
});
