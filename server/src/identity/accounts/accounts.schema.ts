import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { AccountPassword } from '../passwords/password.schema.ts';
import { emailAddress } from '../users/email-address.ts';

export const SignUpBody = namedObject('SignUpBody', {
  first_name: text({ required: true, examples: ['Ada'] }),
  last_name: text({ required: true, examples: ['Lovelace'] }),
  email: emailAddress({ isKept: true }),
  password: AccountPassword,
});
export type SignUpBody = Static<typeof SignUpBody>;
