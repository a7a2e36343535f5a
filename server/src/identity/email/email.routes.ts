import type { FastifyInstance } from 'fastify';
import type { MailDependencies } from '../../mail/mail.service.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { route } from '../../platform/http/route/route.ts';
import { NoData, TokenBody } from './email.schema.ts';
import { resendVerification, verifyEmail } from './email.service.ts';

const tag = 'Accounts';

/** Verification of e-mail addresses. */
export function registerEmailRoutes(app: FastifyInstance, dependencies: MailDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/email/verify',
    operationId: 'verifyEmail',
    tag,
    summary: 'Verify an e-mail address',
    description: 'Takes the token of the link in the mail, which is after `#token=`.',
    access: 'public',
    body: TokenBody,
    response: { 204: null },
    errors: ['invalid_token'],
    audit: { recordedBy: 'service' },
    transaction: async ({ request, body }, tx) => {
      await verifyEmail(tx, body.token, actorOf(request));
      return null;
    },
  });
  route(app, {
    method: 'POST',
    url: '/auth/email/verification',
    operationId: 'sendVerification',
    tag,
    summary: 'Send the verification again',
    description:
      'Sends a new link, which replaces the one before. A user whose e-mail is verified gets the same answer and no mail, and so does ' +
      'who asks for more than five within an hour.',
    access: 'user',
    response: { 202: NoData },
    errors: [],
    audit: { unrecorded: 'a mail is sent again, and nothing changes' },
    transaction: async ({ user }, tx) => {
      await resendVerification(tx, user.userId, dependencies);
      return { error: null, data: null };
    },
  });
}
