import type { Exception } from './engine.ts';

/**
 * Where a rule does not hold, and why. `path` is a file or a folder; `subject` narrows it to one name
 * (a function, an export, an identifier). An exception that matches nothing is reported.
 */
export const EXCEPTIONS: Exception[] = [
  ...['sandbox.queries.ts', 'sandbox.accounts.queries.ts', 'sandbox.books.queries.ts'].map((file) => ({
    rule: 'tenant-first',
    path: `server/src/gateways/sandbox/${file}`,
    reason: 'the sandbox plays the bank, whose books know no companies of ours',
  })),
  ...ofAccounts('emailKey', 'a pure function, which asks no database'),
  ...ofAccounts('insertUser', 'a customer belongs to no company; an admin brings its own along in the row'),
  ...ofAccounts('isEmailTaken findUserOfAttempt', 'an e-mail is looked up before it is known whose it is'),
  ...ofAccounts('findSession revokeSession', 'a session is of a user, and tells the company'),
  ...ofAccounts('deleteExpiredSessions', 'housekeeping works for all companies'),
  {
    rule: 'tenant-first',
    path: 'server/src/accounts/accounts.guard.queries.ts',
    reason: 'failures, locks and networks count before anybody is known, and for unknown e-mails too',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/gateways/gateways.detach.queries.ts',
    reason: 'a worker tells the gateways what any company deleted',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/operators/operators.queries.ts',
    reason: 'the operator belongs to no company',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/keys/keys.queries.ts',
    reason: 'the keys are those of the installation',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/companies/companies.queries.ts',
    subject: 'selectCompanies',
    reason: 'the operator lists all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/seller/seller.queries.ts',
    reason: 'the seller is who bills all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/numbering/numbering.queries.ts',
    reason: 'the seller numbers the documents of all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/invoices/invoices.corrections.queries.ts',
    subject: 'selectInvoiceCompany',
    reason: 'the operator names an invoice by its id, and this tells whose it is',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/invoices/invoices.corrections.queries.ts',
    subject: 'creditNoteFields',
    reason: 'a part of a statement, about the row of credit notes that the statement chose',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/invoices/invoices.page.queries.ts',
    reason: 'parts of statements, about the rows that the statement chose',
  },
  ...['selectInvoicesOfAll', 'countInvoicesOfAll', 'selectInvoiceBatch'].map((subject) => ({
    rule: 'tenant-first',
    path: 'server/src/invoices/invoices.read.queries.ts',
    subject,
    reason: 'the operator looks for invoices of all companies',
  })),
  {
    rule: 'tenant-first',
    path: 'server/src/invoices/invoices.state.queries.ts',
    reason: 'parts of a statement, about the row of invoices that the statement chose',
  },
  ...['invoiceFields', 'latestPayment', 'allPayments', 'joinPaymentSources', 'paymentFields'].map((subject) => ({
    rule: 'tenant-first',
    path: 'server/src/invoices/invoices.queries.ts',
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
    path: 'server/src/disputes/disputes.queries.ts',
    subject,
    reason: 'a look begins before it is known whose dispute it is; the operator lists those of all companies',
  })),
  ...['selectDueGateways', 'claimDue', 'releaseCollections', 'readCollectionQueue', 'removeClosedCollections'].map(
    (subject) => ({
      rule: 'tenant-first',
      path: 'server/src/collection/collection.queries.ts',
      subject,
      reason: 'a worker collects for all companies; each row names its own',
    }),
  ),
  ...['ingest', 'rollup', 'sums'].map((part) => ({
    rule: 'tenant-first',
    path: `server/src/usage/usage.${part}.queries.ts`,
    reason: 'events of all companies come, and are rolled up and billed, together',
  })),
  ...['run', 'pass', 'batch'].map((part) => ({
    rule: 'tenant-first',
    path: `server/src/billing-runs/billing-runs.${part}.queries.ts`,
    reason: 'a run bills all companies, and many at a time',
  })),
  ...[
    ['companies/companies.queries.ts', 'selectCompaniesForUpdate'],
    ['companies/companies.settings.queries.ts', 'selectBillingSettingsOfMany'],
    ['invoices/invoices.create.queries.ts', 'insertInvoices'],
    ['prices/prices.queries.ts', 'selectPricesInForce'],
  ].map(([path, subject]) => ({
    rule: 'tenant-first',
    path: `server/src/${path}`,
    subject,
    reason: 'a billing run bills many companies at a time; each row names its own',
  })),
  ...[
    ['events/events.queries.ts', 'insertEvents selectEvents selectEventBatch removeOldEvents'],
    ['invoices/invoices.queries.ts', 'insertInvoiceEvents'],
    [
      'webhooks/webhooks.delivery.queries.ts',
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
    path: 'server/src/processes/processes.queries.ts',
    reason: 'a process works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/jobs/jobs.queries.ts',
    reason: 'pg-boss brings statements of its own, about jobs, which belong to no company',
  },
  {
    rule: 'line-length',
    path: 'server/migrations/0011_jobs.sql',
    reason: 'the statements are as pg-boss makes them',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/payments/payments.reconcile.queries.ts',
    reason: 'the reconciler works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/payments/payments.gateway-events.queries.ts',
    reason: 'a gateway names its own object, and what is found by it tells the company',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/refunds/refunds.reconcile.queries.ts',
    reason: 'the reconciler works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/refunds/refunds.queries.ts',
    subject: 'selectPaymentCompany',
    reason: 'the operator names a payment by its id, and this tells whose it is',
  },
  ...[
    ['payments/payments.resolve.queries.ts', 'selectPaymentToResolve'],
    ['refunds/refunds.resolve.queries.ts', 'selectRefundToResolve'],
  ].map(([path, subject]) => ({
    rule: 'tenant-first',
    path: `server/src/${path}`,
    subject,
    reason: 'the operator names it by its id, and this tells whose it is',
  })),
  {
    rule: 'tenant-first',
    path: 'server/src/usage-thresholds/usage-thresholds.queries.ts',
    subject: 'selectThresholdCompany',
    reason: 'the operator names a threshold by its id, and this tells whose it is',
  },
  ...['selectCompaniesToCheck', 'readThresholdQueue'].map((subject) => ({
    rule: 'tenant-first',
    path: 'server/src/usage-thresholds/usage-thresholds.check.queries.ts',
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
    path: 'server/src/http/idempotency.queries.ts',
    subject: 'removeOldKeys',
    reason: 'housekeeping works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/card-testing/card-testing.queries.ts',
    subject: 'removeOldAskedCharges',
    reason: 'housekeeping works for all companies',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/database/roles.queries.ts',
    reason: 'a role of the database server, no row of anybody',
  },
  {
    rule: 'any',
    path: 'server/test/request.ts',
    reason: 'a test reads whatever an answer holds, and fails when it is not there',
  },
];

/** Each function by its name: a query that is added there has to take the company, or to stand here with a reason of its own. */
function ofAccounts(subjects: string, reason: string): Exception[] {
  const path = 'server/src/accounts/accounts.queries.ts';
  return subjects.split(' ').map((subject) => ({ rule: 'tenant-first', path, subject, reason }));
}
