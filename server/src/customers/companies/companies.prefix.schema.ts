import { documentedRule, patternRule } from '../../platform/http/schema/text-rules.ts';
import { text } from '../../platform/http/schema/validation.ts';

/** The longest prefix of a document number, in characters. */
export const MAX_NUMBER_PREFIX_LENGTH = 20;
/** It can't end with a digit, so that a number shows where its prefix ends. */
const PREFIX = '[A-Z0-9][A-Z0-9._-]*[._-]';
/** The rule for a prefix of document numbers. */
export const checkNumberPrefix = patternRule(
  PREFIX,
  'must be capitals and digits with a hyphen, a dot or an underscore at the end, such as INV-',
);

/** A company's own prefix, which follows the seller's. Empty means the default. */
export const companyNumberPrefix = text({
  max: MAX_NUMBER_PREFIX_LENGTH,
  rule: documentedRule({ pattern: `(?:${PREFIX})?` }, (value) => (value === '' ? [] : checkNumberPrefix(value))),
  description:
    "Of the company's own series, while each company has one (`PUT /operator/numbering`): what its numbers have after the seller's " +
    'prefix, as in `INV-ACME-000001`. Capitals and digits, with `-`, `.` or `_` at the end. No two companies have the same. Empty: the ' +
    "end of the company's id.",
  examples: ['ACME-'],
});
