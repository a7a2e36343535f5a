import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { patternRule } from '../../platform/http/schema/text-rules.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { AccountPassword } from '../passwords/password.schema.ts';

const ATOM = "[A-Za-z0-9_!#$%&'*+/=?^`{|}~\\-]+";
const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';
const EMAIL = `${ATOM}(?:[.]${ATOM})*@(?:${DOMAIN_LABEL}[.])+${DOMAIN_LABEL}`;

const emailOptions = {
  required: true,
  format: 'email',
  rule: patternRule(EMAIL, 'must be a valid e-mail address'),
  description: 'Compared without case.',
  examples: ['ada@example.com'],
};

export const SignUpBody = namedObject('SignUpBody', {
  first_name: text({ required: true, examples: ['Ada'] }),
  last_name: text({ required: true, examples: ['Lovelace'] }),
  email: text(emailOptions),
  password: AccountPassword,
});
export type SignUpBody = Static<typeof SignUpBody>;

export const LoginBody = namedObject('LogInBody', {
  email: text({ ...emailOptions, cardNumbers: 'allowed' }),
  password: AccountPassword,
});
export type LoginBody = Static<typeof LoginBody>;
