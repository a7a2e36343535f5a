import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../audit/audit.service.ts';
import { type FactorNames, type MailDependencies, mayMail, queueMail } from '../../mail/mail.service.ts';
import { type Db, type Tx, transaction, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { type Actor, actorOf } from '../../platform/http/route/actor.ts';
import type { UserPrincipal } from '../../platform/http/route/types.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { ConfirmedUser } from '../checks/attempts.public.queries.ts';
import { confirmPassword } from '../checks/confirmation.ts';
import { moveCredentialEpoch } from '../checks/guard.public.queries.ts';
import { describeOwnAct } from '../login/login.service.ts';
import { distrustSince, trustFromFirstProof } from '../second-factor/trust.public.queries.ts';
import { endDistrustedFactors } from '../second-factor/trust.service.ts';
import { deleteTokensOfUser } from '../secrets/link-tokens.public.queries.ts';
import { createLinkToken, hashLinkToken, invalidLink, issueLinkToken, takeLink } from '../secrets/link-tokens.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { endSessionsOfUser } from '../sessions/sessions.public.queries.ts';
import { emailTaken, isEmailTaken } from '../users/users.public.queries.ts';
import { lockConfirmedUser, replaceEmail } from './email.public.queries.ts';
import type { EmailChangeBody } from './email.schema.ts';
import { closeReverts, insertRevert, lockUserOfRevert, type Revert, unlinkSince } from './reverts.public.queries.ts';

export type EmailDependencies = { db: Db; keyring: Keyring; mail: MailDependencies } & Pick<
  TokenAuthentication,
  'authenticate' | 'forget' | 'forgetUser'
>;

/** Who follows a link, and with which session, if an access token is sent along. It may be one of another user. */
export type Follower = { actor: Actor; sessionId: string | null };

/** How long the link works that changes the address. It ends well before the way back from it. */
const CHANGE_VALID_SECONDS = 24 * 60 * 60;
/** How long the way back to the former address works. */
const REVERT_VALID_SECONDS = 72 * 60 * 60;

/**
 * Sends a link to the new address of the caller, and a notice with a way back to the address that the caller has. The address changes when
 * the link is followed. If one of the two has got enough such mails within the hour, none is sent, and a link that was sent keeps working.
 * @throws ApiError email_taken; as `confirmPassword`
 */
export async function requestEmailChange(
  dependencies: EmailDependencies,
  caller: { user: UserPrincipal; request: FastifyRequest },
  { email, password }: EmailChangeBody,
): Promise<void> {
  const { db } = dependencies;
  const user = await confirmPassword(dependencies, caller, password);
  if (await isEmailTaken(db, email, user.id)) throw emailTaken();
  await transaction(db, async (tx) => {
    if (!(await lockConfirmedUser(tx, user))) throw new ApiError('unauthenticated', 'Log in again.');
    if (!(await mayMail(tx, { type: 'email_changing', to: user.email }, dependencies.mail))) return;
    if (!(await mayMail(tx, { type: 'change_email', to: email }, dependencies.mail))) return;
    await sendLinks(tx, user, email, dependencies.mail);
    await recordAudit(tx, user.companyId, {
      ...describeOwnAct(user, { actor: actorOf(caller.request) }),
      action: 'user.email_change_requested',
      changes: { before: { email: user.email }, after: { email } },
    });
  });
}

async function sendLinks(tx: Tx, user: ConfirmedUser, newEmail: string, mail: MailDependencies): Promise<void> {
  const { id: userId, companyId, email, language } = user;
  const scope = companyId ?? OPERATOR_SCOPE;
  const link = { userId, email: newEmail, newEmail, validSeconds: CHANGE_VALID_SECONDS };
  const token = await issueLinkToken(tx, 'change_email', link);
  const back = createLinkToken('revert_email');
  await insertRevert(tx, { userId, email, hash: back.hash, validSeconds: REVERT_VALID_SECONDS });
  const change = { type: 'change_email' as const, to: newEmail, language, token, validSeconds: CHANGE_VALID_SECONDS };
  await queueMail(tx, scope, change, mail);
  const notice = { type: 'email_changing' as const, to: email, language, newEmail, token: back.token };
  await queueMail(tx, scope, { ...notice, validSeconds: REVERT_VALID_SECONDS }, mail);
}

/**
 * Gives the user of a link the new address. Links that went to the former one do not work any more, except the way back.
 * @returns the user's id
 * @throws ApiError invalid_token; email_taken when the address has an account by now
 */
export async function changeEmail(tx: Tx, token: string, { actor, sessionId }: Follower): Promise<string> {
  const user = await takeLink(tx, 'change_email', token);
  if (user === null || user.newEmail === null) throw invalidLink();
  if (await isEmailTaken(tx, user.newEmail, user.id)) throw emailTaken();
  await deleteTokensOfUser(tx, user.id);
  await takeAddress(tx, user, { email: user.newEmail, sessionId }, actor);
  return user.id;
}

/**
 * Goes back to the address that a user had when the change was asked for, whether it has been made or not. Ends all sessions of the user,
 * the second factors that may be of somebody else and the links to providers that were made since, and closes all other links, because
 * somebody else may have asked for the change. Tells the user by mail.
 * @throws ApiError invalid_token; email_taken
 */
export async function revertEmail(dependencies: EmailDependencies, token: string, actor: Actor): Promise<void> {
  const { db, forget, forgetUser } = dependencies;
  const hash = hashLinkToken('revert_email', token);
  const { userId, sessions } = await transaction(db, async (tx) => {
    const user = await lockUserOfRevert(tx, hash);
    if (user === null || !(await closeReverts(tx, hash))) throw invalidLink();
    await deleteTokensOfUser(tx, user.id);
    await unlinkSince(tx, user.id, user.askedAt);
    const { formerEmail: email } = user;
    if (user.email !== email) await takeAddress(tx, user, { email, sessionId: null }, actor);
    else await recordCancellation(tx, user, actor);
    await distrustSince(tx, user.id, user);
    const owner = { ...user, email };
    const factors = await endDistrustedFactors(tx, owner, describeOwnAct(owner, { actor }).actor);
    await trustFromFirstProof(tx, user.id);
    await moveCredentialEpoch(tx, user.id);
    await tellOfWayBack(tx, owner, factors, dependencies.mail);
    return { userId: user.id, sessions: await endSessionsOfUser(tx, user.id, null) };
  });
  forget(sessions);
  forgetUser(userId);
}

async function recordCancellation(tx: Tx, user: Revert, actor: Actor): Promise<void> {
  const act = { ...describeOwnAct(user, { actor }), action: 'user.email_change_canceled' as const, changes: null };
  await recordAudit(tx, user.companyId, act);
}

async function tellOfWayBack(
  tx: Tx,
  { companyId, email: to, language }: Revert,
  factors: { ended: FactorNames; kept: FactorNames },
  mail: MailDependencies,
): Promise<void> {
  const notice = { type: 'email_kept' as const, to, language, ...factors };
  if (await mayMail(tx, notice, mail)) await queueMail(tx, companyId ?? OPERATOR_SCOPE, notice, mail);
}

type AddressOwner = { id: string; companyId: string | null; firstName: string; lastName: string; email: string };

/** @throws ApiError email_taken */
async function takeAddress(
  tx: Tx,
  user: AddressOwner,
  { email, sessionId }: { email: string; sessionId: string | null },
  actor: Actor,
): Promise<void> {
  await replaceEmail(tx, user.id, { email, sessionId }).catch((error) => {
    throw violatedConstraint(error) === 'users_email_key' ? emailTaken() : error;
  });
  await recordAudit(tx, user.companyId, {
    ...describeOwnAct({ ...user, email }, { actor }),
    action: 'user.email_changed',
    changes: { before: { email: user.email }, after: { email } },
  });
}
