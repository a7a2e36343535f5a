import type { Static } from 'typebox';
import { MONEY_MAIL_TYPES } from '../../mail/money/money-mails.service.ts';
import { DOCUMENT_LANGUAGES } from '../../platform/feature/mail-declaration.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { emailAddress } from '../users/email-address.ts';

export const MOST_RECIPIENTS = 10;

const language = Type.Enum(DOCUMENT_LANGUAGES, {
  description:
    'The language of the mails about money. One without texts of its own in mails (`it` and those after it) stands for English.',
  examples: ['en'],
});
const ABOUT_RECIPIENTS =
  'The addresses that each mail about money goes to. When empty, the mails go to the members who have both `platform.admins.all` and ' +
  "`platform.roles.all`, or, if there are none, to the company's e-mail.";
const disabled = Type.Array(Type.Enum(MONEY_MAIL_TYPES), {
  maxItems: MONEY_MAIL_TYPES.length,
  uniqueItems: true,
  description: 'The types of mails that the company does not get.',
  examples: [['receipt']],
});

export const MailSettings = namedObject('MailSettings', {
  recipients: Type.Array(Type.String({ format: 'email' }), {
    description: ABOUT_RECIPIENTS,
    examples: [['accounts@example.com']],
  }),
  language,
  disabled,
});
export type MailSettings = Static<typeof MailSettings>;

const changes = {
  recipients: Type.Optional(
    Type.Array(emailAddress({ isKept: true }), {
      maxItems: MOST_RECIPIENTS,
      description: ABOUT_RECIPIENTS,
      examples: [['accounts@example.com']],
    }),
  ),
  language: Type.Optional(language),
  disabled: Type.Optional(disabled),
};
export const MailSettingsBody = namedObject('MailSettingsBody', changes);
/** The same for the company's own requests, in which unknown fields are ignored. */
export const OwnMailSettingsBody = namedObject('OwnMailSettingsBody', changes);
export type MailSettingsBody = Static<typeof MailSettingsBody>;
