import type { FastifyInstance } from 'fastify';
import type { NameParts } from '../platform/database/name-parts.ts';
import type { MailCatalogue } from '../platform/feature/mail-declaration.ts';
import type { ExternalIds } from '../platform/http/company-ids/external-ids.ts';
import { operatorRoleOf } from '../platform/http/route/credentials.ts';
import { route } from '../platform/http/route/route.ts';
import type { OperatorCaller } from '../platform/http/route/types.ts';
import { fileContent } from '../platform/http/schema/fields.ts';
import type { Keyring } from '../platform/keys/keys.ts';
import { writeMails } from './mail.files.ts';
import { findMail, type MailTopics, previewMail, readFile, resendMail } from './mail.operator.ts';
import {
  Mail,
  MailFileQuery,
  MailList,
  MailPreview,
  MailPreviewBody,
  MailQuery,
  MailResendBody,
} from './mail.schema.ts';
import { listMails, readMail } from './mail.service.ts';

type RouteContext = {
  keyring: Keyring;
  mails: MailCatalogue;
  mailTopics: MailTopics;
  nameParts: NameParts;
  externalIds: ExternalIds;
};

const tag = 'Operator';
const resource = 'mail';

/** The operator's list of mails. */
export function registerMailRoutes(app: FastifyInstance, context: RouteContext): void {
  const { keyring, mails } = context;
  const { companyName } = context.nameParts;
  const readerOf = (operator: OperatorCaller) => ({ role: operatorRoleOf(operator), companyName });

  route(app, {
    method: 'GET',
    url: '/operator/mails',
    operationId: 'listMails',
    tag,
    summary: 'List mails',
    description:
      'The mails to all companies of the last two years, newest first: those about money, and, for admins alone, those about accounts. ' +
      'All filters combine with AND.',
    access: 'operator',
    query: MailQuery,
    response: { 200: MailList },
    errors: [],
    handler: ({ query, operator }, db) => listMails(db, query, readerOf(operator)),
  });
  route(app, {
    method: 'GET',
    url: '/operator/mails.csv',
    operationId: 'getMailsCsv',
    tag,
    summary: 'Read the list of mails as a file',
    description: 'CSV (RFC 4180) of all mails that match, the newest first, without what they say.',
    access: 'operator',
    query: MailFileQuery,
    response: { 200: fileContent('text/csv') },
    errors: [],
    handler: async ({ query, operator, reply }, db) => {
      const file = writeMails(db, query, { ...readerOf(operator), externalIds: context.externalIds });
      reply.header('content-disposition', 'attachment; filename="mails.csv"');
      return file;
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/mails/:mail_id',
    operationId: 'getMail',
    tag,
    summary: 'Read a mail',
    description: 'Returns the fields of the list, and the text of the mail.',
    access: 'operator',
    resource,
    response: { 200: Mail },
    errors: [],
    handler: async ({ ids, reply, operator }, db) => {
      reply.header('cache-control', 'no-store');
      return readMail(db, ids.mail_id, { ...readerOf(operator), keyring, mails });
    },
  });
  route(app, {
    method: 'GET',
    url: '/operator/mails/:mail_id/attachments/:index',
    operationId: 'getMailAttachment',
    tag,
    summary: 'Read a file of a mail',
    description: 'Draws the file as it would be sent now: an invoice that was paid since says so.',
    access: 'operator',
    resource: 'file',
    response: { 200: fileContent('application/pdf') },
    errors: ['mail_expired'],
    handler: async ({ ids, reply, operator }, db) => {
      const { name, content } = await readFile(mails, await findMail(db, ids.mail_id, readerOf(operator)), ids.index);
      reply.header('content-disposition', `attachment; filename="${name}"`);
      return content;
    },
  });
  registerChanges(app, context, readerOf);
}

function registerChanges(
  app: FastifyInstance,
  { keyring, mails, mailTopics }: RouteContext,
  readerOf: (operator: OperatorCaller) => Parameters<typeof findMail>[2],
): void {
  route(app, {
    method: 'POST',
    url: '/operator/mails/preview',
    operationId: 'previewMail',
    tag,
    summary: 'Show a mail about money as it would be written now',
    description: 'Nothing is sent or kept.',
    access: 'operator',
    body: MailPreviewBody,
    response: { 200: MailPreview },
    errors: [],
    audit: { unrecorded: 'The request changes nothing.' },
    handler: ({ body }, db) => previewMail(db, body, { mails, topics: mailTopics }),
  });
  route(app, {
    method: 'POST',
    url: '/operator/mails/:mail_id/resend',
    operationId: 'resendMail',
    tag,
    summary: 'Send a mail about money again',
    description: 'Writes another mail that says the same. Its files are drawn anew.',
    access: 'operator',
    resource,
    body: MailResendBody,
    bodyIsOptional: true,
    response: { 201: Mail },
    errors: ['mail_expired', 'mail_not_about_money'],
    idempotency: 'create',
    audit: {
      audience: 'company',
      action: 'mail.resent',
      name: ({ subject }) => subject,
      fields: ['type', 'to', 'resendOf', 'invoiceId'],
    },
    transaction: async ({ ids, body, operator }, tx) => {
      const reader = readerOf(operator);
      const id = await resendMail(tx, await findMail(tx, ids.mail_id, reader), body);
      return readMail(tx, id, { ...reader, keyring, mails });
    },
  });
}
