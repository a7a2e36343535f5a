import type { TString } from 'typebox';
import { EMAIL, patternRule } from '../../platform/http/schema/text-rules.ts';
import { text } from '../../platform/http/schema/validation.ts';

const options = {
  required: true,
  format: 'email',
  rule: patternRule(EMAIL, 'must be a valid e-mail address'),
  description: 'An e-mail address. Upper and lower case count as the same.',
  examples: ['ada@example.com'],
};

/** The field of an e-mail address. Where it is not kept, card numbers are allowed in it. */
export function emailAddress({ isKept }: { isKept: boolean }): TString {
  return text(isKept ? options : { ...options, cardNumbers: 'allowed' });
}
