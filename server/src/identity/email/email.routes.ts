import type { FastifyInstance, FastifyRequest } from 'fastify';
import { transaction } from '../../platform/database/database.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import { readBearer } from '../../platform/http/route/credentials.ts';
import { route } from '../../platform/http/route/route.ts';
import { CONFIRMATION_ERRORS } from '../checks/confirmation.ts';
import { EmailChangeBody, NoData, TokenBody } from './email.schema.ts';
import { followLink, resendVerification } from './email.service.ts';
import { type EmailDependencies, requestEmailChange, revertEmail } from './email-change.ts';

const tag = 'Accounts';

/** Verification and change of e-mail addresses. */
export function registerEmailRoutes(app: FastifyInstance, dependencies: EmailDependencies): void {
  const { db, forgetUser } = dependencies;
  route(app, {
    method: 'POST',
    url: '/auth/email/verify',
    operationId: 'verifyEmail',
    tag,
    summary: 'Verify an e-mail address',
    description:
      'Takes the token of the link in the mail, which is after `#token=`: of a verification, or of a change, which gives the user the ' +
      'new address. With a good access token of that user, the passkeys and TOTP that the account has by then count as those of the ' +
      'owner of the address: a reset of the password does not end them.',
    access: 'public',
    body: TokenBody,
    response: { 204: null },
    errors: ['invalid_token', 'email_taken'],
    audit: { recordedBy: 'service' },
    handler: async ({ request, body }) => {
      const sessionId = await sessionOf(dependencies, request);
      const userId = await transaction(db, (tx) => followLink(tx, body.token, { actor: actorOf(request), sessionId }));
      forgetUser(userId);
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
      await resendVerification(tx, user.userId, dependencies.mail);
      return { error: null, data: null };
    },
  });
  registerEmailChange(app, dependencies);
}

/** The session of an access token that was sent along; null without one, and for one that is not good: the link works without it. */
async function sessionOf(
  { authenticate }: Pick<EmailDependencies, 'authenticate'>,
  { headers }: FastifyRequest,
): Promise<string | null> {
  const token = readBearer(headers.authorization);
  const principal = token === null ? null : await authenticate(token);
  return principal?.kind === 'user' ? principal.sessionId : null;
}

function registerEmailChange(app: FastifyInstance, dependencies: EmailDependencies): void {
  route(app, {
    method: 'PUT',
    url: '/auth/email',
    operationId: 'changeEmail',
    tag,
    summary: 'Change your e-mail address',
    description:
      'Sends a link to the new address, and a notice with a way back to the one that the account has. The address changes when the link ' +
      'is followed, within 24 hours (`POST /auth/email/verify`). A newer link replaces the one before; an address gets five an hour at ' +
      'most.',
    access: 'user',
    body: EmailChangeBody,
    response: { 202: NoData },
    errors: [...CONFIRMATION_ERRORS, 'email_taken'],
    audit: { recordedBy: 'service' },
    handler: async ({ user, body, request }) => {
      await requestEmailChange(dependencies, { user, request }, body);
      return { error: null, data: null };
    },
  });
  route(app, {
    method: 'POST',
    url: '/auth/email/revert',
    operationId: 'revertEmail',
    tag,
    summary: 'Go back to your former e-mail address',
    description:
      'Takes the token of the notice about a change, for 72 hours, before and after the change. Ends all sessions of the user, and ' +
      'the passkeys, TOTP and recovery codes that whoever asked for the change may have set up; a mail says which. Until then, nobody ' +
      'else gets the former address.',
    access: 'public',
    body: TokenBody,
    response: { 204: null },
    errors: ['invalid_token', 'email_taken'],
    audit: { recordedBy: 'service' },
    handler: async ({ request, body }) => {
      await revertEmail(dependencies, body.token, actorOf(request));
      return null;
    },
  });
}
