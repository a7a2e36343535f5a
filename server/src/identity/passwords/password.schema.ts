import { documentedRule } from '../../platform/http/schema/text-rules.ts';
import { secretText } from '../../platform/http/schema/validation.ts';
import { commonPasswordProblems } from './common-passwords.ts';
import { brokenPasswordRules } from './password.ts';

const RULES =
  'The password must have more than 8 characters, at most 256 bytes, an uppercase letter, a lowercase letter, a digit ' +
  'and a special character.';
const COMMON = 'common and breached passwords, and passwords that consist of the e-mail address or the name';

const options = { max: 256, format: 'password', rule: brokenPasswordRules, examples: ['Correct-horse-7'] };

/** The password of a sign-up or a login. */
export const AccountPassword = secretText({ ...options, description: `${RULES} A sign-up refuses ${COMMON}.` });

/** Whether it is made of the name is checked later, when the user is known. */
const brokenOrCommon = documentedRule(brokenPasswordRules.documented ?? {}, (password) => {
  const broken = brokenPasswordRules(password);
  return broken.length > 0 ? broken : commonPasswordProblems(password, { email: '', firstName: '', lastName: '' });
});

/** A password that replaces another one. */
export const NewPassword = secretText({
  ...options,
  rule: brokenOrCommon,
  description: `${RULES} Paydesk refuses ${COMMON}.`,
});
