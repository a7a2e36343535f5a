import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
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
  period: month("The month to bill. It begins and ends in each company's own time zone."),
});

export const UpcomingInvoiceQuery = Type.Object({
  period: Type.Optional(
    month("A month that is not billed yet, in the company's time zone. When absent: the current month."),
  ),
});

export const BillingRunQuery = Type.Object(pageQuery);
export type BillingRunQuery = Static<typeof BillingRunQuery>;

const fields = {
  id: uuid(),
  period: Type.String({ examples: ['2026-01'] }),
  status: Type.Enum(['running', 'waiting', 'done', 'failed'], {
    description:
      'A run works in passes over the companies. `waiting`: some companies are not due yet, because their month or its grace ' +
      'time has not ended; the next pass starts automatically. `failed`: all companies are processed, but some could not be ' +
      'billed; start the run again to retry them.',
    examples: ['running'],
  }),
  companies: Type.Integer({ description: 'The number of companies.', examples: [1_000] }),
  done: Type.Integer({ description: 'The number of companies that are processed.', examples: [250] }),
  invoices: Type.Integer({ description: 'The number of invoices that were issued.', examples: [200] }),
  skipped: Type.Integer({
    description: 'The number of companies without an invoice: they used nothing, or were billed for this time before.',
    examples: [50],
  }),
  failures: Type.Integer({
    description:
      'The number of companies that the last pass could not bill; the log says why. The next pass tries them again.',
    examples: [0],
  }),
  passes: Type.Integer({ description: 'The number of passes that have begun.', examples: [1] }),
  remainingSeconds: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The estimated remaining time of the pass; null if it is not known yet, or if no pass is running.',
    examples: [6],
  }),
  nextPassAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'While the run waits: when the next company is due. The next pass begins within a quarter of an hour after that.',
    examples: [null],
  }),
  createdAt: timestamp(),
  finishedAt: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', examples: [null] }),
};

export const BillingRun = namedObject('BillingRun', {
  ...fields,
  failedCompanies: Type.Array(uuid(), {
    description: 'Companies that could not be billed: the first 100, ordered by id.',
    examples: [[]],
  }),
  failed: Type.Array(
    namedObject('FailedCompany', {
      ...companyIds,
      companyName: Type.String({ examples: ['Analytical Engines'] }),
      reason: Type.String({
        description:
          'Why the company could not be billed, without the values that the error contained. The log has the whole error.',
        examples: ['The amounts of the invoice exceed the limit.'],
      }),
    }),
    { description: 'The companies of `failedCompanies`, each with its name and the reason.' },
  ),
  unpricedPaths: Type.Array(
    namedObject('UnpricedPath', {
      path: Type.String({ examples: ['/v1/translations'] }),
      companies: Type.Integer({ description: 'The number of companies that used the path.', examples: [3] }),
    }),
    { description: 'Paths that had no price, so their lines are zero: the first 1,000, ordered by path.' },
  ),
});
export type BillingRun = Static<typeof BillingRun>;

export const BillingRunSummary = namedObject('BillingRunSummary', fields);
export type BillingRunSummary = Static<typeof BillingRunSummary>;

export const BillingRunList = pageOf('BillingRunList', BillingRunSummary);
