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
    'With `PUT /operator/numbering`, each company can have its own series of document numbers. This text then follows the ' +
    "seller's prefix in the numbers of the company, as in `INV-ACME-000001`. It has capitals and digits, and `-`, `.` or " +
    "`_` at the end. Two companies cannot have the same text. Empty stands for the end of the company's id.",
  examples: ['ACME-'],
});
