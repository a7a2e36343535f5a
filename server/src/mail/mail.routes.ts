import type { FastifyInstance } from 'fastify';
import { route } from '../platform/http/route/route.ts';
import type { Keyring } from '../platform/keys/keys.ts';
import { Mail, MailList, MailQuery } from './mail.schema.ts';
import { listMails, readMail } from './mail.service.ts';

/** The operator's list of mails. */
export function registerMailRoutes(app: FastifyInstance, keyring: Keyring): void {
  route(app, {
    method: 'GET',
    url: '/operator/mails',
    operationId: 'listMails',
    tag: 'Operator',
    summary: 'List mails',
    description: 'The mails of the last 30 days to the users of all companies, newest first.',
    access: 'operator',
    query: MailQuery,
    response: { 200: MailList },
    errors: [],
    handler: ({ query }, db) => listMails(db, query),
  });
  route(app, {
    method: 'GET',
    url: '/operator/mails/:mail_id',
    operationId: 'getMail',
    tag: 'Operator',
    summary: 'Read a mail',
    description: 'Returns the fields of the list, and the text of the mail.',
    access: 'operator',
    resource: 'mail',
    response: { 200: Mail },
    errors: [],
    handler: async ({ ids, reply }, db) => {
      reply.header('cache-control', 'no-store');
      return readMail(db, ids.mail_id, keyring);
    },
  });
}
