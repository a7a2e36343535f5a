import type { Static } from 'typebox';
import { checkNumberPrefix, MAX_NUMBER_PREFIX_LENGTH } from '../../customers/companies/companies.prefix.schema.ts';
import { timestamp } from '../../platform/http/schema/fields.ts';
import { checkTimezone } from '../../platform/http/schema/instants.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';

const UUID_LIKE = /^[\da-f]{1,9}(-[\da-f]{4}){3}-/i;

/** The prefix of the seller's numbers. `TEST-` is reserved for documents that are not invoices. */
const checkSellerPrefix = documentedRule({ pattern: '[A-Z][A-Z0-9._-]*[._-]' }, (value) => {
  if (!/^[A-Z]/.test(value)) return ['must begin with a capital letter'];
  return value.startsWith('TEST-') ? ['must not begin with TEST-'] : checkNumberPrefix(value);
});

/** The form of an invoice's number, in upper or lower case. */
export const DOCUMENT_NUMBER = '[A-Za-z][A-Za-z0-9._-]{0,99}[._-][0-9]{1,18}';

/** Whether a text may be the number of an invoice, in upper or lower case. */
export function isDocumentNumber(value: string): boolean {
  return /^[A-Z][A-Z0-9._-]{0,99}[._-]\d{1,18}$/i.test(value) && !UUID_LIKE.test(value);
}

const SERIES = ['seller', 'company'] as const;

const fields = {
  series: Type.Enum(SERIES, {
    description:
      '`seller`: one series for all companies. `company`: one series for each company; after the prefix, its numbers continue ' +
      "with the `numberPrefix` of the company's billing settings.",
    examples: ['seller'],
  }),
  yearlyRestart: Type.Boolean({
    description: 'Whether numbers begin at 1 every year. The year then follows the prefix: `INV-2026-000001`.',
    examples: [false],
  }),
};

/** All optional; absent fields keep their values. */
export const NumberingBody = namedObject('NumberingBody', {
  series: Type.Optional(fields.series),
  invoicePrefix: Type.Optional(
    text({
      max: MAX_NUMBER_PREFIX_LENGTH,
      required: true,
      rule: checkSellerPrefix,
      description:
        'The prefix of invoice numbers: capital letters and digits, beginning with a letter, and ending with `-`, `.` or `_`.',
      examples: ['INV-'],
    }),
  ),
  creditNotePrefix: Type.Optional(
    text({
      max: MAX_NUMBER_PREFIX_LENGTH,
      required: true,
      rule: checkSellerPrefix,
      description: 'The prefix of credit note numbers. It must differ from the prefix of invoice numbers.',
      examples: ['CN-'],
    }),
  ),
  yearlyRestart: Type.Optional(fields.yearlyRestart),
  timezone: Type.Optional(
    text({
      required: true,
      rule: checkTimezone,
      description: 'The IANA time zone in which the years of `yearlyRestart` begin.',
      examples: ['Europe/Berlin'],
    }),
  ),
});
export type NumberingBody = Static<typeof NumberingBody>;

const nextNumber = (example: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'The number that the next document gets with the current settings. Null while each company has its ' +
      'own series.',
    examples: [example],
  });

export const Numbering = namedObject('Numbering', {
  series: fields.series,
  invoicePrefix: Type.String({
    description: 'The prefix of invoice numbers; `INV-` until it is set.',
    examples: ['INV-'],
  }),
  creditNotePrefix: Type.String({
    description: 'The prefix of credit note numbers; `CN-` until it is set.',
    examples: ['CN-'],
  }),
  yearlyRestart: fields.yearlyRestart,
  timezone: Type.String({
    description: 'The time zone in which the years of `yearlyRestart` begin; `UTC` until it is set.',
    examples: ['Europe/Berlin'],
  }),
  nextInvoiceNumber: nextNumber('INV-000001'),
  nextCreditNoteNumber: nextNumber('CN-000001'),
  updatedAt: timestamp(),
});
export type Numbering = Static<typeof Numbering>;
