import { type Case, lines } from './case.test-model.ts';

/** The SHA-256 of `SELECT 1;`. */
const ONE = '17db4fd369edb9244b9f91d9aeed145c3d04ad8ba6e95d06247f07a63527d11a';

/** Examples for the rules about folders and imports. */
export const ARCHITECTURE_CASES: Case[] = [
  {
    rule: 'rooms',
    title: 'a folder of thirteen files',
    files: Object.fromEntries(
      'abcdefghijklm'.split('').map((letter) => [`server/src/methods/cards/cards.${letter}.ts`, '']),
    ),
    findings: ['server/src/methods/cards:1'],
  },
  {
    rule: 'rooms',
    title: 'twelve files with their tests and a folder within, and other folders however full',
    files: Object.fromEntries(
      'abcdefghijkl'.split('').flatMap((letter) => [
        [`server/src/methods/cards/cards.${letter}.ts`, ''],
        [`server/src/methods/cards/cards.${letter}.test.ts`, ''],
        [`server/src/methods/cards/numbers/${letter}.ts`, ''],
        [`tools/${letter}.ts`, ''],
        [`tools/${letter}${letter}.ts`, ''],
      ]),
    ),
    findings: [],
  },
  {
    rule: 'migrations',
    title: 'a gap, a repetition, a wrong name, an edited one, a removed one, one that is not listed',
    files: {
      'server/migrations/0001_accounts.sql': 'SELECT 2;',
      'server/migrations/0003_cards.sql': 'SELECT 1;',
      'server/migrations/0003_labels.sql': 'SELECT 3;',
      'server/migrations/4_invoices.sql': 'SELECT 1;',
      'server/migrations/SHA256SUMS': ['0001_accounts', '0002_users', '0003_cards', '4_invoices']
        .map((name) => `${ONE}  ${name}.sql\n`)
        .join(''),
    },
    findings: [
      'server/migrations/0001_accounts.sql:1',
      'server/migrations/0003_cards.sql:1',
      'server/migrations/0003_labels.sql:1',
      'server/migrations/4_invoices.sql:1',
      'server/migrations/SHA256SUMS:1',
    ],
  },
  {
    rule: 'migrations',
    title: 'two branches that took the same number',
    files: {
      'server/migrations/0001_accounts.sql': 'SELECT 1;',
      'server/migrations/0001_cards.sql': 'SELECT 1;',
      'server/migrations/SHA256SUMS': `${ONE}  0001_accounts.sql\n${ONE}  0001_cards.sql\n`,
    },
    findings: ['server/migrations/0001_cards.sql:1'],
  },
  {
    rule: 'migrations',
    title: 'consecutive numbers, listed with their texts',
    files: {
      'server/migrations/0002_cards.sql': 'SELECT 1;',
      'server/migrations/0001_accounts.sql': 'SELECT 1;',
      'server/migrations/SHA256SUMS': `${ONE}  0001_accounts.sql\n${ONE}  0002_cards.sql\n`,
    },
    findings: [],
  },
  {
    rule: 'direction',
    title: 'reaching into another domain',
    files: {
      'server/src/methods/cards/cards.queries.ts': '',
      'server/src/methods/cards/cards.replace.ts': '',
      'server/src/billing/invoices/invoices.service.ts': lines(
        "import { findCard } from '../../methods/cards/cards.queries.ts';",
        "import type { Replacement } from '../../methods/cards/cards.replace.ts';",
        "export { other } from '../../methods/cards/cards.queries.ts';",
        "const late = await import('../../methods/cards/cards.queries.ts');",
      ),
    },
    findings: [1, 2, 3, 4].map((line) => `server/src/billing/invoices/invoices.service.ts:${line}`),
  },
  {
    rule: 'direction',
    title: 'another domain’s services and shapes, all of the platform, one’s own files, and tests',
    files: {
      'server/src/platform/database/database.ts': '',
      'server/src/methods/cards/cards.service.ts': '',
      'server/src/methods/cards/cards.schema.ts': '',
      'server/src/methods/cards/cards.queries.ts': '',
      'server/src/billing/runs/runs.queries.ts': '',
      'server/src/billing/invoices/invoices.service.ts': lines(
        "import { findCard } from '../../methods/cards/cards.service.ts';",
        "import type { Card } from '../../methods/cards/cards.schema.ts';",
        "import type { Db } from '../../platform/database/database.ts';",
        "import { listRuns } from '../runs/runs.queries.ts';",
      ),
      'server/src/billing/invoices/invoices.test.ts': "import '../../methods/cards/cards.queries.ts';\n",
    },
    findings: [],
  },
  {
    rule: 'direction',
    title: 'domains against their order, or without a place in it',
    files: {
      'server/src/methods/cards/cards.service.ts': "import { pay } from '../../payments/payments.service.ts';\n",
      'server/src/payments/payments.service.ts': "import { post } from '../unknown/unknown.service.ts';\n",
      'server/src/unknown/unknown.service.ts': '',
      'server/src/platform/errors.ts': "import type { Card } from '../methods/cards/cards.service.ts';\n",
    },
    findings: [
      'server/src/methods/cards/cards.service.ts:1',
      'server/src/payments/payments.service.ts:1',
      'server/src/platform/errors.ts:1',
    ],
  },
  {
    rule: 'direction',
    title: 'domains in their order, and tests',
    files: {
      'server/src/methods/cards/cards.service.ts': '',
      'server/src/methods/cards/cards.test.ts': "import { pay } from '../../payments/payments.service.ts';\n",
      'server/src/payments/payments.service.ts': "import { findCard } from '../methods/cards/cards.service.ts';\n",
    },
    findings: [],
  },
  {
    rule: 'circles',
    title: 'folders that import each other, though no file imports itself',
    files: {
      'server/src/payments/charge/charge.ts': "import './payment.ts';\nimport '../review/resolve.ts';\n",
      'server/src/payments/charge/payment.ts': '',
      'server/src/payments/review/resolve.ts': "import '../record/debt.ts';\n",
      'server/src/payments/record/debt.ts': "import type { Payment } from '../charge/payment.ts';\n",
      'packages/embedded-postgres/src/files/lock.ts': "import '../process/list.ts';\n",
      'packages/embedded-postgres/src/process/list.ts': "import '../files/private.ts';\n",
      'packages/embedded-postgres/src/files/private.ts': '',
    },
    findings: ['packages/embedded-postgres/src/files/lock.ts:1', 'server/src/payments/charge/charge.ts:2'],
  },
  {
    rule: 'circles',
    title: 'rooms that import each other by way of a folder within one, though no folder imports itself',
    files: {
      'server/src/identity/login/steps/states.ts': "import '../../passkeys/passkeys.ts';\n",
      'server/src/identity/passkeys/passkeys.ts': "import '../login/confirmation.ts';\n",
      'server/src/identity/login/confirmation.ts': '',
      'packages/embedded-postgres/src/files/locks/lock.ts': "import '../../process/list.ts';\n",
      'packages/embedded-postgres/src/process/list.ts': "import '../files/private.ts';\n",
      'packages/embedded-postgres/src/files/private.ts': '',
    },
    findings: ['packages/embedded-postgres/src/files/locks/lock.ts:1', 'server/src/identity/login/steps/states.ts:1'],
  },
  {
    rule: 'circles',
    title: 'folders in one direction, a folder and one within it, and tests',
    files: {
      'server/src/payments/payments.ts': "import './charge/charge.ts';\nimport './record/debt.ts';\n",
      'server/src/payments/charge/charge.ts': "import '../record/debt.ts';\n",
      'server/src/payments/record/debt.ts': '',
      'server/src/payments/record/debt.test.ts': "import '../charge/charge.ts';\n",
    },
    findings: [],
  },
  {
    rule: 'circles',
    title: 'a file beside the rooms, which puts them together, and rooms of different domains',
    files: {
      'server/src/payments/payments.ts': "import './charge/charge.ts';\n",
      'server/src/payments/charge/charge.ts': "import '../../methods/cards/cards.service.ts';\n",
      'server/src/methods/cards/cards.service.ts': '',
    },
    findings: [],
  },
  {
    rule: 'direction',
    title: 'imports of what is no part of the service, of tests, and of what composes',
    files: {
      'server/src/app.ts': '',
      'server/src/methods/cards/cards.service.ts':
        "import { buildApp } from '../../app.ts';\nimport { request } from '../../../test/harness.ts';\n",
      'server/src/methods/cards/cards.test.ts': '',
      'server/src/methods/cards/cards.jobs.ts': "import { example } from './cards.test.ts';\n",
      'server/src/methods/cards/cards.routes.ts':
        "import '../../../../tools/one.ts';\nimport '../../../../bench/one.ts';\n",
      'server/src/platform/keys/keys.ts': "import '../../../../packages/embedded-postgres/src/embedded-postgres.ts';\n",
      'server/src/platform/data-directory.ts': "import '../../../packages/embedded-postgres/src/files/file-lock.ts';\n",
      'packages/embedded-postgres/src/embedded-postgres.ts': "import '../../../tools/one.ts';\n",
      'packages/embedded-postgres/src/files/file-lock.ts': '',
      'tools/one.ts': '',
      'bench/one.ts': '',
      'packages/client/client.ts': "import type { Card } from '../../server/src/methods/cards/cards.service.ts';\n",
      'server/test/harness.ts': '',
    },
    findings: [
      'server/src/methods/cards/cards.service.ts:1',
      'server/src/methods/cards/cards.service.ts:2',
      'server/src/methods/cards/cards.jobs.ts:1',
      'server/src/methods/cards/cards.routes.ts:1',
      'server/src/methods/cards/cards.routes.ts:2',
      'server/src/platform/keys/keys.ts:1',
      'server/src/platform/data-directory.ts:1',
      'packages/embedded-postgres/src/embedded-postgres.ts:1',
      'packages/client/client.ts:1',
    ],
  },
  {
    rule: 'direction',
    title: 'what composes, what it composes, and what is around the service',
    files: {
      'server/src/main.ts': "import { buildApp } from './app.ts';\n",
      'server/src/app.ts': "import { registerCards } from './methods/cards/cards.routes.ts';\n",
      'server/src/openapi.main.ts': "import { buildApp } from './app.ts';\n",
      'server/src/methods/cards/cards.routes.ts': "import { ApiError } from '../../platform/errors.ts';\n",
      'server/src/platform/errors.ts': "import program from '../../../package.json' with { type: 'json' };\n",
      'package.json': '{}',
      'server/test/harness.ts': "import { buildApp } from '../src/app.ts';\n",
      'server/src/methods/cards/cards.test.ts': "import { request } from '../../../test/harness.ts';\n",
      'bench/load.ts': "import { buildApp } from '../server/src/app.ts';\n",
      'packages/client/client.ts': '',
      'server/src/platform/data-directory.ts':
        "import '../../../packages/embedded-postgres/src/embedded-postgres.ts';\n",
      'packages/embedded-postgres/src/embedded-postgres.ts': "import './files/file-lock.ts';\n",
      'packages/embedded-postgres/src/files/file-lock.ts': '',
    },
    findings: [],
  },
  {
    rule: 'circles',
    title: 'each cycle is reported once, types included',
    files: {
      'tools/a.ts': "import './start.ts';\n",
      'tools/start.ts': "const one = 1;\nimport { second } from './second.ts';\n",
      'tools/second.ts': "import type { Third } from './third.ts';\n",
      'tools/third.ts': "import { start } from './second.ts';\nexport * from './start.ts';\n",
    },
    findings: ['tools/second.ts:1', 'tools/start.ts:2'],
  },
  {
    rule: 'circles',
    title: 'a file that imports itself',
    files: { 'tools/start.ts': "import { one } from './start.ts';\n" },
    findings: ['tools/start.ts:1'],
  },
  {
    rule: 'circles',
    title: 'two ways to the same file are no cycle',
    files: {
      'tools/start.ts': "import './left.ts';\nimport './right.ts';\n",
      'tools/left.ts': "import './end.ts';\n",
      'tools/right.ts': "import './end.ts';\n",
      'tools/end.ts': '',
    },
    findings: [],
  },
];
