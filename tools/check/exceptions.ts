import type { Exception } from './engine.ts';

/**
 * Where a rule does not hold, and why. `path` is a file or a folder; `subject` narrows it to one name
 * (a function, an export, an identifier). An exception that matches nothing is reported.
 */
export const EXCEPTIONS: Exception[] = [
  ...['emailKey', 'insertUser', 'isEmailTaken', 'findUserOfAttempt', 'findSession', 'revokeSession'].map((subject) => ({
    rule: 'tenant-first',
    path: 'server/src/identity/accounts/accounts.queries.ts',
    subject,
    reason: 'a sign-up, a login or a token: whose an e-mail or a session is, is found out here',
  })),
  {
    rule: 'tenant-first',
    path: 'server/src/identity/accounts/accounts.guard.queries.ts',
    reason: 'failures, locks and networks count before anybody is known, and for unknown e-mails too',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/identity/operators/operators.queries.ts',
    reason: 'whether a key is the operator’s is asked before anybody is known',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/platform/keys/keys.queries.ts',
    reason: 'the keys are those of the installation',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/platform/database/roles.queries.ts',
    reason: 'a role of the database server, no row of anybody',
  },
  {
    rule: 'tenant-first',
    path: 'server/src/gateways/sandbox/bank',
    reason: 'the sandbox plays the bank, whose books know no companies of ours',
  },
  {
    rule: 'line-length',
    path: 'server/migrations/0011_jobs.sql',
    reason: 'the statements are as pg-boss makes them',
  },
];
