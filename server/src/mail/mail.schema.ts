import type { Static } from 'typebox';
import { companyIdsOrNull } from '../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../platform/http/schema/fields.ts';
import { namedObject } from '../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../platform/http/schema/pagination.ts';
import { Type } from '../platform/http/schema/type.ts';
import { MAIL_TYPES } from './templates/mails.ts';

const MAIL_STATUSES = ['queued', 'sent', 'failed', 'kept'] as const;

const summary = {
  id: uuid(),
  ...companyIdsOrNull('Null where the recipient belongs to no company.'),
  to: Type.Array(Type.String({ format: 'email' }), { examples: [['ada@example.com']] }),
  type: Type.Enum(MAIL_TYPES, { description: 'What it is for. There may be more.', examples: ['verify_email'] }),
  language: Type.String({ description: 'BCP 47.', examples: ['en'] }),
  subject: Type.String({ examples: ['Confirm your e-mail address for Northwind Interfaces Ltd'] }),
  status: Type.Enum(MAIL_STATUSES, {
    description:
      '`queued`: waits to be sent, or to be sent again. `sent`: the mail server has it. `failed`: the mail server refused it, or did ' +
      'not take it in time. `kept`: it was written without `SMTP_URL`, and is never sent.',
    examples: ['sent'],
  }),
  createdAt: timestamp(),
  sentAt: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the mail server took it; null until then.',
    examples: ['2026-10-01T00:00:01.000Z'],
  }),
};

const content = (description: string, example: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${description} Null where a link in it opens an account, unless the mail is \`kept\`.`,
    examples: [example],
  });

const MailSummary = namedObject('MailSummary', summary);
export type MailSummary = Static<typeof MailSummary>;

export const Mail = namedObject('Mail', {
  ...summary,
  text: content('As plain text.', 'Hello,\n\nThe password of your account was changed.\n'),
  html: content('As HTML.', '<!doctype html>…'),
});
export type Mail = Static<typeof Mail>;

export const MailQuery = Type.Object(pageQuery);
export type MailQuery = Static<typeof MailQuery>;

export const MailList = pageOf('MailList', MailSummary);
export type MailList = Static<typeof MailList>;
