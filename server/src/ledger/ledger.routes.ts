import type { FastifyInstance } from 'fastify';
import type { Gateways } from '../gateways/gateways.ts';
import type { Db } from '../platform/database/database.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { route } from '../platform/http/route/route.ts';
import { fileContent } from '../platform/http/schema/fields.ts';
import { Reconciliation, ReconciliationQuery } from './ledger.reconciliation.schema.ts';
import { reconcile } from './ledger.reconciliation.ts';
import { BalanceList, BalancesQuery, LedgerFileQuery, LedgerQuery, PostingList } from './ledger.schema.ts';
import { listPostings, readBalances, writePostings } from './ledger.service.ts';

export type LedgerContext = { db: Db; gateways: Gateways; externalIds: ExternalIds };

/** The operator's books: every change of what is owed, as double-entry postings. */
export function registerLedgerRoutes(app: FastifyInstance, { db: pool, gateways, externalIds }: LedgerContext): void {
  route(app, {
    method: 'GET',
    url: '/operator/ledger',
    operationId: 'listLedgerPostings',
    tag: 'Operator',
    summary: 'List the postings of the ledger',
    description:
      'The oldest first. All filters combine with AND. A posting is written in the transaction of what it is about, and never changed ' +
      'or removed. The postings of one `kind` and `sourceId` are an entry, and add up to zero.',
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
      'CSV (RFC 4180), the oldest first, debit and credit in columns of their own. More than 50,000 postings are 400: ask for a ' +
      'shorter time.',
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
    description: 'By account and currency, of all companies or of one, now or as they were before an instant.',
    access: 'operator',
    query: BalancesQuery,
    response: { 200: BalanceList },
    errors: [],
    handler: ({ query }, db) => readBalances(db, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/reconciliation',
    operationId: 'getReconciliation',
    tag: 'Operator',
    summary: "Compare the books with a gateway's",
    description:
      'Lists every difference between our payments, refunds and disputes and those of the gateway, a page at a time: go on until ' +
      '`nextCursor` is null. A page without differences is as good as any. `npm run paydesk -- reconcile` does it at the terminal.',
    access: 'operator',
    query: ReconciliationQuery,
    response: { 200: Reconciliation },
    examples: { 200: { nextCursor: 'refunds:' } },
    errors: ['service_unavailable'],
    handler: ({ query }) => reconcile(pool, gateways, query),
  });
}
