import { recordAudit } from '../../audit/audit.service.ts';
import { countRecentMails, type MailDependencies, queueMail } from '../../mail/mail.service.ts';
import type { Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { describeOwnAct } from '../login/login.service.ts';
import { createSecret, hashSecret } from '../secrets/secrets.ts';
import { lockUnverifiedUser, markVerified, replaceToken } from './email.public.queries.ts';

/** How long the link of a verification works. */
const VALID_SECONDS = 3 * 24 * 60 * 60;

const MAILS_PER_HOUR = 5;

export type Recipient = { id: string; companyId: string | null; email: string; language: string };

/** Writes the mail whose link verifies the user's e-mail. An older link does not work any more. */
export async function sendVerification(
  tx: Tx,
  { id, companyId, email, language }: Recipient,
  dependencies: MailDependencies,
): Promise<void> {
  const token = createSecret().toString('base64url');
  const hash = hashToken(token);
  await replaceToken(tx, { userId: id, email, hash, validSeconds: VALID_SECONDS });
  const mail = { type: 'verify_email' as const, to: email, language, token, validSeconds: VALID_SECONDS };
  await queueMail(tx, companyId ?? OPERATOR_SCOPE, mail, dependencies);
}

/** Sends the verification again, unless the e-mail is verified or has got enough mails within the hour. */
export async function resendVerification(tx: Tx, userId: string, dependencies: MailDependencies): Promise<void> {
  const user = await lockUnverifiedUser(tx, userId);
  if (user === null) return;
  const { companyId, email } = user;
  const sent = await countRecentMails(tx, companyId ?? OPERATOR_SCOPE, { to: email, type: 'verify_email' });
  if (sent < MAILS_PER_HOUR) await sendVerification(tx, user, dependencies);
}

/** Notes that the user of the token can read the address that it was sent to. @throws ApiError invalid_token */
export async function verifyEmail(tx: Tx, token: string, actor: Actor): Promise<void> {
  const user = await markVerified(tx, hashToken(token));
  if (user === null) {
    const message = 'The link does not work: it was used, has expired, or was replaced by a newer one.';
    throw new ApiError('invalid_token', message, { details: [{ field: 'token', message: 'does not work' }] });
  }
  await recordAudit(tx, user.companyId, {
    ...describeOwnAct(user, { actor }),
    action: 'user.email_verified',
    changes: { before: { email_verified: false }, after: { email_verified: true } },
  });
}

function hashToken(token: string): Buffer {
  return hashSecret('verify_email', Buffer.from(token));
}
