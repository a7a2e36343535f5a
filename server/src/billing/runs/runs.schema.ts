import type { Static } from 'typebox';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { checkMonth } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../platform/http/schema/pagination.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const month = (description: string) =>
  text({
    required: true,
    rule: checkMonth,
    description,
    examples: ['2026-01'],
  });

export const BillingRunBody = namedObject('BillingRunBody', {
  period: month('The month. Each company is billed for it as it begins and ends in its own time zone.'),
});

export const UpcomingInvoiceQuery = Type.Object({
  period: Type.Optional(
    month('A month that is not billed yet, in the time zone of the company; when absent, the one that is running.'),
  ),
});

export const BillingRunQuery = Type.Object(pageQuery);
export type BillingRunQuery = Static<typeof BillingRunQuery>;

const fields = {
  id: uuid(),
  period: Type.String({ examples: ['2026-01'] }),
  status: Type.Enum(['running', 'waiting', 'done', 'failed'], {
    description:
      'A run works in passes. `waiting`: some companies are not due yet, for their month or their grace time is not over; the ' +
      'next pass comes by itself. `failed`: all are dealt with, but some could not be billed. Start the run again for those.',
    examples: ['running'],
  }),
  companies: Type.Integer({ description: 'How many there are.', examples: [1_000] }),
  done: Type.Integer({ description: 'How many of them are dealt with.', examples: [250] }),
  invoices: Type.Integer({ description: 'How many invoices were made.', examples: [200] }),
  skipped: Type.Integer({
    description: 'How many got none: they used nothing, or were billed for this time before.',
    examples: [50],
  }),
  failures: Type.Integer({
    description: 'How many could not be billed by the last pass; the log says why. The next pass tries them again.',
    examples: [0],
  }),
  passes: Type.Integer({ description: 'How many passes were begun.', examples: [1] }),
  remainingSeconds: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'An estimate of what is left of this pass; null when nothing is known yet, or no pass is at work.',
    examples: [6],
  }),
  nextPassAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'When the next company is due, while the run waits. A quarter of an hour later at most, the pass begins.',
    examples: [null],
  }),
  createdAt: timestamp(),
  finishedAt: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', examples: [null] }),
};

export const BillingRun = namedObject('BillingRun', {
  ...fields,
  failedCompanies: Type.Array(uuid(), {
    description: 'Companies that could not be billed. By id, the first 100.',
    examples: [[]],
  }),
  unpricedPaths: Type.Array(
    namedObject('UnpricedPath', {
      path: Type.String({ examples: ['/v1/translations'] }),
      companies: Type.Integer({ description: 'How many used it.', examples: [3] }),
    }),
    { description: 'Paths that had no price, and so are lines of zero. By path, the first 1,000.' },
  ),
});
export type BillingRun = Static<typeof BillingRun>;

export const BillingRunSummary = namedObject('BillingRunSummary', fields);
export type BillingRunSummary = Static<typeof BillingRunSummary>;

export const BillingRunList = pageOf('BillingRunList', BillingRunSummary);
