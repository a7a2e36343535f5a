import type { Exception } from './engine.ts';

/**
 * Where a rule does not hold, and why. `path` is a file or a folder; `subject` narrows it to one name
 * (a function, an export, an identifier). An exception that matches nothing is reported.
 */
export const EXCEPTIONS: Exception[] = [
  {
    rule: 'tenant-first',
    path: 'server/src/gateways/sandbox/bank',
    reason: 'the sandbox plays the bank, whose books know no companies of ours',
  },
  ...ofAccounts('emailKey', 'a pure function, which asks no database'),
  ...ofAccounts('insertUser', 'a customer belongs to no company; an admin brings its own along in the row'),
  ...ofAccounts('isEmailTaken findUserOfAttempt', 'an e-mail is looked up before it is known whose it is'),
  ...ofAccounts('findSession revokeSession', 'a session is of a user, and tells the company'),
  ...ofAccounts('deleteExpiredSessions', 'housekeeping works for all companies'),
  {
    rule: 'tenant-first',
    path: 'server/src/identity/accounts/accounts.guard.queries.ts',
    reason: 'failures, locks and networks count before anybody is known, and for unknown e-mails too',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/gateways/detach/detach.queries.ts',
    reason: 'a worker tells the gateways what any company deleted',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/identity/operators/operators.queries.ts',
    reason: 'the operator belongs to no company',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/platform/keys/keys.queries.ts',
    reason: 'the keys are those of the installation',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/customers/companies/companies.queries.ts',
    subject: 'selectCompanies',
    reason: 'the operator lists all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/billing/seller/seller.queries.ts',
    reason: 'the seller is who bills all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/billing/numbering/numbering.queries.ts',
    reason: 'the seller numbers the documents of all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/billing/invoices/corrections/corrections.queries.ts',
    subject: 'selectInvoiceCompany',
    reason: 'the operator names an invoice by its id, and this tells whose it is',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/billing/invoices/corrections/corrections.queries.ts',
    subject: 'creditNoteFields',
    reason: 'a part of a statement, about the row of credit notes that the statement chose',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/billing/invoices/record/page.queries.ts',
    reason: 'parts of statements, about the rows that the statement chose',
  },
  ...['selectInvoicesOfAll', 'countInvoicesOfAll', 'selectInvoiceBatch'].map((subject) => ({
    rule: 'tenant-first',
    path: 'server/src/billing/invoices/invoices.read.queries.ts',
    subject,
    reason: 'the operator looks for invoices of all companies',
  })),
  {
    rule: 'tenant-first',
    path: 'server/src/billing/invoices/record/state.queries.ts',
    reason: 'parts of a statement, about the row of invoices that the statement chose',
  },
  ...['invoiceFields', 'latestPayment', 'allPayments', 'joinPaymentSources', 'paymentFields'].map((subject) => ({
    rule: 'tenant-first',
    path: 'server/src/billing/invoices/record/invoices.queries.ts',
    subject,
    reason: 'a part of a statement, about the row of invoices that the statement chose',
  })),
  {
    rule: 'tenant-first',
    path: 'server/src/gateways/gateways.queries.ts',
    subject: 'awaitedGateways',
    reason: 'a part of a statement; whose turn it is at a gateway is asked for all companies',
  },
  ...['takeLook', 'selectDisputes'].map((subject) => ({
    rule: 'tenant-first',
    path: 'server/src/payments/disputes/disputes.queries.ts',
    subject,
    reason: 'a look begins before it is known whose dispute it is; the operator lists those of all companies',
  })),
  ...['selectDueGateways', 'claimDue', 'releaseCollections', 'readCollectionQueue', 'removeClosedCollections'].map(
    (subject) => ({
      rule: 'tenant-first',
      path: 'server/src/payments/collection/collection.queries.ts',
      subject,
      reason: 'a worker collects for all companies; each row names its own',
    }),
  ),
  ...['ingest/ingest', 'rollup/rollup', 'usage.sums'].map((part) => ({
    rule: 'tenant-first',
    path: `server/src/metering/usage/${part}.queries.ts`,
    reason: 'events of all companies come, and are rolled up and billed, together',
  })),
  ...['pass/run', 'pass/pass', 'batch/batch'].map((part) => ({
    rule: 'tenant-first',
    path: `server/src/billing/runs/${part}.queries.ts`,
    reason: 'a run bills all companies, and many at a time',
  })),
  ...[
    ['customers/companies/companies.queries.ts', 'selectCompaniesForUpdate'],
    ['customers/companies/companies.settings.queries.ts', 'selectBillingSettingsOfMany'],
    ['billing/invoices/issue/create.queries.ts', 'insertInvoices'],
    ['metering/prices/prices.queries.ts', 'selectPricesInForce'],
  ].map(([path, subject]) => ({
    rule: 'tenant-first',
    path: `server/src/${path}`,
    subject,
    reason: 'a billing run bills many companies at a time; each row names its own',
  })),
  ...[
    ['outbox/events/events.queries.ts', 'insertEvents selectEvents selectEventBatch removeOldEvents'],
    ['billing/invoices/record/invoices.queries.ts', 'insertInvoiceEvents'],
    [
      'outbox/webhooks/delivery/delivery.queries.ts',
      'claimDeliveries releaseDeliveries bringForward noteAttempts readWebhookQueue removeOldDeliveries',
    ],
  ].flatMap(([path, subjects = '']) =>
    subjects.split(' ').map((subject) => ({
      rule: 'tenant-first',
      path: `server/src/${path}`,
      subject,
      reason: 'events of many companies are written at a time, and listed, sent and removed for all of them',
    })),
  ),
  {
    rule: 'tenant-first',
    path: 'server/src/platform/processes/processes.queries.ts',
    reason: 'a process works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/platform/jobs/jobs.queries.ts',
    reason: 'pg-boss brings statements of its own, about jobs, which belong to no company',
  },
  {
    rule: 'line-length',
    path: 'server/migrations/0011_jobs.sql',
    reason: 'the statements are as pg-boss makes them',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/payments/reconcile/reconcile.queries.ts',
    reason: 'the reconciler works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/payments/gateway-events/gateway-events.queries.ts',
    reason: 'a gateway names its own object, and what is found by it tells the company',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/payments/refunds/reconcile/reconcile.queries.ts',
    reason: 'the reconciler works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/payments/refunds/issue/refunds.queries.ts',
    subject: 'selectPaymentCompany',
    reason: 'the operator names a payment by its id, and this tells whose it is',
  },
  ...[
    ['payments/review/resolve.queries.ts', 'selectPaymentToResolve'],
    ['payments/refunds/review/resolve.queries.ts', 'selectRefundToResolve'],
  ].map(([path, subject]) => ({
    rule: 'tenant-first',
    path: `server/src/${path}`,
    subject,
    reason: 'the operator names it by its id, and this tells whose it is',
  })),
  {
    rule: 'tenant-first',
    path: 'server/src/billing/thresholds/thresholds.queries.ts',
    subject: 'selectThresholdCompany',
    reason: 'the operator names a threshold by its id, and this tells whose it is',
  },
  ...['selectCompaniesToCheck', 'readThresholdQueue'].map((subject) => ({
    rule: 'tenant-first',
    path: 'server/src/billing/thresholds/thresholds.check.queries.ts',
    subject,
    reason: 'a worker looks at all companies',
  })),
  {
    rule: 'tenant-first',
    path: 'server/src/operator-lists',
    reason: 'the operator lists what all companies have',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/ledger',
    reason: 'the operator reads the books of all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/platform/http/route/idempotency.queries.ts',
    subject: 'removeOldKeys',
    reason: 'housekeeping works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/methods/card-testing/card-testing.queries.ts',
    subject: 'removeOldAskedCharges',
    reason: 'housekeeping works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/platform/database/roles.queries.ts',
    reason: 'a role of the database server, no row of anybody',
  },
  {
    rule: 'any',
    path: 'server/test/harness/request.ts',
    reason: 'a test reads whatever an answer holds, and fails when it is not there',
  },
];

/** Each function by its name: a query that is added there has to take the company, or to stand here with a reason of its own. */
function ofAccounts(subjects: string, reason: string): Exception[] {
  const path = 'server/src/identity/accounts/accounts.queries.ts';
  return subjects.split(' ').map((subject) => ({ rule: 'tenant-first', path, subject, reason }));
}
