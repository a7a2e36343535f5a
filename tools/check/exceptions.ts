import type { Exception } from './engine.ts';

/**
 * Where a rule does not hold, and why. `path` is a file or a folder; `subject` narrows it to one name
 * (a function, an export, an identifier). An exception that matches nothing is reported.
 */
export const EXCEPTIONS: Exception[] = [
  {
    rule: 'tenant-first',
    path: 'server/src/gateways/sandbox/sandbox.queries.ts',
    reason: 'the sandbox plays the bank, whose books know no companies of ours',
  },
];
