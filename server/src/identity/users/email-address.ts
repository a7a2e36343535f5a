import type { TString } from 'typebox';
import { patternRule } from '../../platform/http/schema/text-rules.ts';
import { text } from '../../platform/http/schema/validation.ts';

const ATOM = "[A-Za-z0-9_!#$%&'*+/=?^`{|}~\\-]+";
const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';
const EMAIL = `${ATOM}(?:[.]${ATOM})*@(?:${DOMAIN_LABEL}[.])+${DOMAIN_LABEL}`;

const options = {
  required: true,
  format: 'email',
  rule: patternRule(EMAIL, 'must be a valid e-mail address'),
  description: 'Compared without case.',
  examples: ['ada@example.com'],
};

/** The field of an e-mail address. Where it is not kept, card numbers are allowed in it. */
export function emailAddress({ isKept }: { isKept: boolean }): TString {
  return text(isKept ? options : { ...options, cardNumbers: 'allowed' });
}
