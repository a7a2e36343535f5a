import type { Static } from 'typebox';
import { isTimezone, TIMEZONE_NAME } from '../../platform/calendar/billing-periods.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { documentedRule, type TextRule } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { numberText, text } from '../../platform/http/schema/validation.ts';
import { ConfirmingPassword } from '../checks/confirmation.ts';
import { UserProfile } from '../users/users.schema.ts';

/** A rule of a text that may be unset by an empty one; `pattern` is the form that JSON Schema can say of the others. */
function orEmpty(pattern: string, isRight: (value: string) => boolean, message: string): TextRule {
  const form = new RegExp(`^(?:${pattern})$`, 'u');
  const isTaken = (value: string) => value === '' || (form.test(value) && isRight(value));
  return documentedRule({ pattern: `(?:${pattern})?` }, (value) => (isTaken(value) ? [] : [message]));
}

/** Of 3 to 25 digits, with an extension if there is one. */
const PHONE = '[+]?[ ()./-]*[0-9](?:[ ()./-]*[0-9]){2,24}[ ()./-]*(?:(?:[xX]|[eE]xt[.]?) ?[0-9]{1,7})?';
const checkPhone = orEmpty(PHONE, () => true, 'must be a phone number such as +44 20 7946 0000');

/** Without a user and a password, which would be before an `@`. */
const PICTURE = '[Hh][Tt][Tt][Pp][Ss]://[^ \\t\\r\\n\\\\/?#@]+(?:[/?#][^ \\t\\r\\n\\\\]*)?';
const checkPicture = orEmpty(PICTURE, URL.canParse, 'must be an https URL, without a user or a password');

const LANGUAGE = '[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*';
const checkLanguage = orEmpty(LANGUAGE, isLanguageTag, 'must be a BCP 47 language tag such as de-AT');

const checkZone = orEmpty(TIMEZONE_NAME, isTimezone, 'must be an IANA time zone such as Europe/London');

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

const name = (example: string) => Type.Optional(text({ required: true, examples: [example] }));
const optional = (example: string, description: string, rule?: TextRule) =>
  Type.Optional(text({ description, examples: [example], ...(rule === undefined ? {} : { rule }) }));

export const ProfileBody = namedObject('ProfileBody', {
  first_name: name('Ada'),
  last_name: name('Lovelace'),
  phone: Type.Optional(
    numberText({
      rule: checkPhone,
      description: 'A phone number. An empty text unsets the field.',
      examples: ['+44 20 7946 0000'],
    }),
  ),
  country: optional('GB', 'The country of the user. An empty text unsets the field.'),
  city: optional('London', 'The city of the user. An empty text unsets the field.'),
  avatar: optional(
    'https://cdn.example.com/ada.png',
    'The https URL of a picture. An empty text unsets the field.',
    checkPicture,
  ),
  language: optional(
    'en-GB',
    'A BCP 47 language tag. Mails to the user are in this language. An empty text unsets the field.',
    checkLanguage,
  ),
  timezone: optional('Europe/London', 'An IANA time zone. An empty text unsets the field.', checkZone),
  default_app: optional('billing', 'The application that the platform opens first. An empty text unsets the field.'),
});
export type ProfileBody = Static<typeof ProfileBody>;

export const ProfileAnswer = namedObject('ProfileAnswer', { error: Type.Null(), data: UserProfile });
export type ProfileAnswer = Static<typeof ProfileAnswer>;

export const AccountDeletionBody = namedObject('AccountDeletionBody', { password: ConfirmingPassword });
