import type { Static } from 'typebox';
import { companyIdsOrNull } from '../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../platform/http/schema/fields.ts';
import { namedObject } from '../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../platform/http/schema/pagination.ts';
import { Type } from '../platform/http/schema/type.ts';
import { text } from '../platform/http/schema/validation.ts';
import { MAIL_TYPES } from './templates/mails.ts';

const MAIL_STATUSES = ['queued', 'sent', 'failed', 'kept'] as const;

const summary = {
  id: uuid(),
  ...companyIdsOrNull('The company of the recipient. Null if the recipient belongs to no company.'),
  to: Type.Array(Type.String({ format: 'email' }), { examples: [['ada@example.com']] }),
  type: Type.Enum(MAIL_TYPES, {
    description: 'The kind of mail. Later versions may add kinds.',
    examples: ['verify_email'],
  }),
  language: Type.String({ description: 'The language of the mail, as a BCP 47 tag.', examples: ['en'] }),
  subject: Type.String({ examples: ['Confirm your e-mail address for Northwind Interfaces Ltd'] }),
  status: Type.Enum(MAIL_STATUSES, {
    description:
      '`queued`: Paydesk will send the mail, for the first time or again. `sent`: the mail server has accepted the mail. ' +
      '`failed`: the mail server refused the mail, or did not accept it in time. `kept`: Paydesk has no `SMTP_URL` and never ' +
      'sends the mail.',
    examples: ['sent'],
  }),
  createdAt: timestamp(),
  sentAt: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the mail server accepted the mail. Null until then.',
    examples: ['2026-10-01T00:00:01.000Z'],
  }),
};

const content = (description: string, example: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${description} Null if a link in the mail gives access to an account, unless the mail is \`kept\`.`,
    examples: [example],
  });

const MailSummary = namedObject('MailSummary', summary);
export type MailSummary = Static<typeof MailSummary>;

export const Mail = namedObject('Mail', {
  ...summary,
  text: content('The mail as plain text.', 'Hello,\n\nThe password of your account was changed.\n'),
  html: content('The mail as HTML.', '<!doctype html>…'),
});
export type Mail = Static<typeof Mail>;

export const MailQuery = Type.Object({
  ...pageQuery,
  recipient: Type.Optional(
    text({
      required: true,
      description: 'Only mails to this address, in upper or lower case.',
      examples: ['ada@example.com'],
    }),
  ),
  type: Type.Optional(Type.Enum(MAIL_TYPES, { description: 'Only mails of this kind.', examples: ['invitation'] })),
  status: Type.Optional(Type.Enum(MAIL_STATUSES, { description: 'Only mails in this status.', examples: ['failed'] })),
});
export type MailQuery = Static<typeof MailQuery>;

export const MailList = pageOf('MailList', MailSummary);
export type MailList = Static<typeof MailList>;
