import { recordAudit } from '../../audit/audit.service.ts';
import { type MailDependencies, mayMail, queueMail } from '../../mail/mail.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { describeOwnAct } from '../login/login.service.ts';
import { issueLinkToken, takeLink } from '../secrets/link-tokens.ts';
import { lockUnverifiedUser, markVerified, trustSinceSignUp } from './email.public.queries.ts';
import { changeEmail, type Follower } from './email-change.ts';

/** How long the link of a verification works. */
const VALID_SECONDS = 3 * 24 * 60 * 60;

export type Recipient = { id: string; companyId: string | null; email: string; language: string };

/**
 * Writes the mail whose link verifies the user's e-mail, unless the address has got enough within the hour. An older link does not work any
 * more.
 */
export async function sendVerification(
  tx: Tx,
  { id: userId, companyId, email, language }: Recipient,
  dependencies: MailDependencies,
): Promise<void> {
  if (!(await mayMail(tx, { type: 'verify_email', to: email }, dependencies))) return;
  const token = await issueLinkToken(tx, 'verify_email', { userId, email, validSeconds: VALID_SECONDS });
  const mail = { type: 'verify_email' as const, to: email, language, token, validSeconds: VALID_SECONDS };
  await queueMail(tx, companyId ?? OPERATOR_SCOPE, mail, dependencies);
}

/** Sends the verification again, unless the e-mail is verified or has got enough mails within the hour. */
export async function resendVerification(tx: Tx, userId: string, dependencies: MailDependencies): Promise<void> {
  const user = await lockUnverifiedUser(tx, userId);
  if (user !== null) await sendVerification(tx, user, dependencies);
}

/**
 * Follows the link of a mail: verifies the address that the user has, or gives the user the new one. Who is logged in to the account
 * meanwhile has set up its second factors.
 * @returns the user's id
 * @throws ApiError invalid_token, email_taken
 */
export async function followLink(tx: Tx, token: string, { actor, sessionId }: Follower): Promise<string> {
  const user = await takeLink(tx, 'verify_email', token);
  if (user === null) return changeEmail(tx, token, { actor, sessionId });
  if (sessionId !== null) await trustSinceSignUp(tx, user.id, sessionId);
  await markVerified(tx, user.id);
  await recordAudit(tx, user.companyId, {
    ...describeOwnAct(user, { actor }),
    action: 'user.email_verified',
    changes: { before: { email_verified: false }, after: { email_verified: true } },
  });
  return user.id;
}
