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
      'Send the token of the link in the mail, which follows `#token=`. The mail is either about the verification of an ' +
      'address, or about a change of the address. A token about a change gives the user the new address. If the request has ' +
      'a valid access token of the same user, the passkeys and TOTP of the account count as set up by the owner of the ' +
      'address. A later reset of the password then keeps them.',
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
      'Sends a mail with a new link, which replaces the previous link. The answer is the same, but no mail is sent, if the ' +
      'e-mail address is already verified or if there were more than five requests within an hour.',
    access: 'user',
    response: { 202: NoData },
    errors: [],
    audit: { unrecorded: 'The request sends a mail again and changes nothing.' },
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
      'Sends a link to the new address. The current address gets a mail with a link that undoes the change. The address ' +
      'changes when somebody follows the link to the new address, within 24 hours (`POST /auth/email/verify`). A newer link ' +
      'replaces the previous one. An address gets at most five links an hour.',
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
      'Send the token of the mail about the change of the address. It works for 72 hours, before and after the change. The ' +
      'request ends all sessions of the user. It also removes the passkeys, TOTP and recovery codes that the person who ' +
      'asked for the change may have set up, and a mail names them. During the 72 hours, nobody else can get the former ' +
      'address.',
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
