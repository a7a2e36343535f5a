import type { Static } from 'typebox';
import { DOCUMENT_LANGUAGES } from '../platform/feature/mail-declaration.ts';
import { companyIdsOrNull, companyIdText } from '../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../platform/http/schema/fields.ts';
import { checkDateOrInstant } from '../platform/http/schema/instants.ts';
import { named, namedObject } from '../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../platform/http/schema/pagination.ts';
import { EMAIL, patternRule, UUID } from '../platform/http/schema/text-rules.ts';
import { Type } from '../platform/http/schema/type.ts';
import { text } from '../platform/http/schema/validation.ts';
import { MONEY_MAIL_TYPES } from './money/types.ts';
import { MAIL_TYPES } from './templates/mails.ts';

const ALL_TYPES = [...MONEY_MAIL_TYPES, ...MAIL_TYPES] as const;
const MAIL_STATUSES = ['queued', 'sent', 'failed', 'kept'] as const;

const idOrNull = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description,
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
  });

const Attachment = namedObject('MailAttachment', {
  name: Type.String({ examples: ['INV-000001.pdf'] }),
  contentType: Type.String({ examples: ['application/pdf'] }),
  size: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'In bytes, as it was sent. Null until then: a file is drawn when the mail is sent.',
    examples: [48_213],
  }),
});

const summary = {
  id: uuid(),
  ...companyIdsOrNull('The company of the recipient. Null if the recipient belongs to no company.'),
  companyName: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The name of the company. Null if the recipient belongs to no company.',
    examples: ['Northwind Traders'],
  }),
  invoiceId: idOrNull('The invoice that the mail is about. Null for a mail about no invoice.'),
  to: Type.Array(Type.String({ format: 'email' }), { examples: [['ada@example.com']] }),
  type: Type.Enum(ALL_TYPES, {
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
  attachments: Type.Array(Attachment, { description: 'The files of the mail.' }),
  resendOf: idOrNull('The mail that this one repeats. Null for a mail that repeats none.'),
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
    description: `${description} Null if a link in the mail gives access to an account, unless the mail is \`kept\`, and after 30 days.`,
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

const filters = {
  companyId: Type.Optional(companyIdText({ description: 'Only mails to this company.' })),
  invoiceId: Type.Optional(
    text({
      required: true,
      rule: patternRule(UUID, 'must be the id of an invoice'),
      description: 'Only mails about this invoice.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    }),
  ),
  recipient: Type.Optional(
    text({
      required: true,
      description: 'Only mails to this address, in upper or lower case.',
      examples: ['ada@example.com'],
    }),
  ),
  type: Type.Optional(Type.Enum(ALL_TYPES, { description: 'Only mails of this kind.', examples: ['invoice_issued'] })),
  status: Type.Optional(Type.Enum(MAIL_STATUSES, { description: 'Only mails in this status.', examples: ['failed'] })),
  from: Type.Optional(instant('CreatedFrom', 'Created at this instant or later; a date means 00:00 UTC of that day.')),
  to: Type.Optional(
    instant(
      'CreatedTo',
      'Created before this instant; a date means 00:00 UTC of that day, so that day is not included.',
    ),
  ),
};

function instant(name: string, description: string) {
  return named(name, text({ required: true, rule: checkDateOrInstant, description }));
}

export const MailFileQuery = Type.Object(filters);
export type MailFileQuery = Static<typeof MailFileQuery>;

export const MailQuery = Type.Object({ ...pageQuery, ...filters });
export type MailQuery = Static<typeof MailQuery>;

export const MailList = pageOf('MailList', MailSummary);
export type MailList = Static<typeof MailList>;

export const MailPreviewBody = namedObject('MailPreviewBody', {
  type: Type.Enum(MONEY_MAIL_TYPES, { description: 'The kind of mail.', examples: ['invoice_issued'] }),
  invoiceId: Type.Optional(
    text({
      required: true,
      rule: patternRule(UUID, 'must be the id of an invoice'),
      description: 'The mail is about this invoice. Exactly one of `invoiceId` and `companyId` is needed.',
      examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    }),
  ),
  companyId: Type.Optional(
    companyIdText({
      description:
        'The mail is about the newest of what this company has. Exactly one of `invoiceId` and `companyId` is needed.',
    }),
  ),
  language: Type.Optional(
    Type.Enum(DOCUMENT_LANGUAGES, {
      description:
        'The language of the mail; one without texts of its own in mails (`it` and those after it) stands for English. Without it, that ' +
        "of the company's mail settings.",
      examples: ['de'],
    }),
  ),
});
export type MailPreviewBody = Static<typeof MailPreviewBody>;

export const MailPreview = namedObject('MailPreview', {
  type: Type.Enum(MONEY_MAIL_TYPES, { examples: ['invoice_issued'] }),
  language: Type.String({ description: 'The language of the mail, as a BCP 47 tag.', examples: ['en'] }),
  subject: Type.String({ examples: ['Invoice INV-000001 from Northwind Interfaces Ltd'] }),
  text: Type.String({ examples: ['Hello,\n\nYour invoice INV-000001 is attached to this e-mail as a PDF.\n'] }),
  html: Type.String({ examples: ['<!doctype html>…'] }),
  attachments: Type.Array(Attachment, { description: 'The files of the mail, which are not drawn.' }),
});
export type MailPreview = Static<typeof MailPreview>;

export const MailResendBody = namedObject('MailResendBody', {
  to: Type.Optional(
    Type.Array(
      text({
        required: true,
        format: 'email',
        rule: patternRule(EMAIL, 'must be a valid e-mail address'),
        examples: ['ada@example.com'],
      }),
      {
        minItems: 1,
        maxItems: 10,
        description: 'Who gets the mail. Without it, the recipients of the mail that is repeated.',
        examples: [['ada@example.com']],
      },
    ),
  ),
});
export type MailResendBody = Static<typeof MailResendBody>;
