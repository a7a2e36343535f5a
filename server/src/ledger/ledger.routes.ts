import type { FastifyInstance } from 'fastify';
import type { Gateways } from '../gateways/gateways.ts';
import type { Clock } from '../platform/calendar/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { route } from '../platform/http/route/route.ts';
import { fileContent } from '../platform/http/schema/fields.ts';
import { writeBalances, writeDifferences } from './ledger.files.ts';
import { BalanceList, BalancesQuery, LedgerFileQuery, LedgerQuery, PostingList } from './ledger.schema.ts';
import { listPostings, readBalances, writePostings } from './ledger.service.ts';
import {
  Reconciliation,
  ReconciliationFileQuery,
  ReconciliationQuery,
} from './reconciliation/ledger.reconciliation.schema.ts';
import { reconcile } from './reconciliation/ledger.reconciliation.ts';

export type LedgerContext = { db: Db; gateways: Gateways; externalIds: ExternalIds; clock: Clock };

/** The operator's books: every change of what is owed, as double-entry postings. */
export function registerLedgerRoutes(app: FastifyInstance, context: LedgerContext): void {
  const { externalIds } = context;
  route(app, {
    method: 'GET',
    url: '/operator/ledger',
    operationId: 'listLedgerPostings',
    tag: 'Operator',
    summary: 'List the postings of the ledger',
    description:
      'The oldest posting comes first. All filters combine with AND. A posting is written in the transaction of ' +
      'the change that it books, and never changed or removed. The postings of one `kind` and `sourceId` are an ' +
      'entry, and add up to zero.',
    access: 'operator',
    query: LedgerQuery,
    response: { 200: PostingList },
    examples: { 200: { nextCursor: null } },
    errors: [],
    handler: ({ query }, db) => listPostings(db, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/ledger.csv',
    operationId: 'getLedgerCsv',
    tag: 'Operator',
    summary: 'Read the postings of the ledger as a file',
    description:
      'A CSV file (RFC 4180) with the oldest posting first, and debit and credit in separate columns. A request for more than ' +
      '50,000 postings is answered with 400: request a shorter period.',
    access: 'operator',
    query: LedgerFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }, db) => {
      const file = await writePostings(db, query, externalIds);
      reply.header('content-disposition', 'attachment; filename="ledger.csv"');
      return file;
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/ledger/balances',
    operationId: 'listLedgerBalances',
    tag: 'Operator',
    summary: 'Read the balance of every account',
    description:
      'The balances by account and currency, for all companies or one company, now or at an earlier instant.',
    access: 'operator',
    query: BalancesQuery,
    response: { 200: BalanceList },
    errors: [],
    handler: ({ query }, db) => readBalances(db, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/ledger/balances.csv',
    operationId: 'getLedgerBalancesCsv',
    tag: 'Operator',
    summary: 'Read the balance of every account as a file',
    description:
      'CSV (RFC 4180) of what `GET /operator/ledger/balances` answers, with debit and credit in separate columns.',
    access: 'operator',
    query: BalancesQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, reply }, db) => {
      const file = await writeBalances(db, query);
      reply.header('content-disposition', 'attachment; filename="balances.csv"');
      return file;
    },
  });
  registerReconciliation(app, context);
}

function registerReconciliation(app: FastifyInstance, { db: pool, gateways, externalIds, clock }: LedgerContext): void {
  route(app, {
    method: 'GET',
    url: '/operator/reconciliation',
    operationId: 'getReconciliation',
    tag: 'Operator',
    summary: "Compare the books with a gateway's",
    description:
      'Lists every difference between the payments, refunds and disputes of Paydesk and those of the gateway, page by page. ' +
      'Continue until `nextCursor` is null, because a page can be empty although differences follow. `npm run paydesk -- ' +
      'reconcile` does the same in the terminal.',
    access: 'operator',
    query: ReconciliationQuery,
    response: { 200: Reconciliation },
    examples: { 200: { nextCursor: 'refunds:' } },
    errors: ['service_unavailable'],
    handler: ({ query }) => reconcile(pool, gateways, query, clock()),
  });
  route(app, {
    method: 'GET',
    url: '/operator/reconciliation.csv',
    operationId: 'getReconciliationCsv',
    tag: 'Operator',
    summary: "Compare the books with a gateway's, as a file",
    description: 'CSV (RFC 4180) of all differences that `GET /operator/reconciliation` lists.',
    access: 'operator',
    query: ReconciliationFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: ['service_unavailable'],
    handler: async ({ query, reply }) => {
      const file = await writeDifferences(pool, gateways, { query, now: clock(), externalIds });
      reply.header('content-disposition', 'attachment; filename="reconciliation.csv"');
      return file;
    },
  });
}
