import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../audit/audit.service.ts';
import { type FactorNames, type MailDependencies, mayMail, queueMail } from '../../mail/mail.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { clientNetwork } from '../../platform/http/limits/client-network.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import type { UserPrincipal } from '../../platform/http/route/types.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { ConfirmedUser } from '../checks/attempts.public.queries.ts';
import { confirmPassword, wrongPassword } from '../checks/confirmation.ts';
import { moveCredentialEpoch } from '../checks/guard.public.queries.ts';
import { endGuessingLimit } from '../checks/login-limits.ts';
import { describeOwnAct } from '../login/login.service.ts';
import { commonPasswordProblems } from '../passwords/common-passwords.ts';
import { withHashingSlot } from '../passwords/hashing.ts';
import { hashPassword, type PasswordCost } from '../passwords/password.ts';
import { trustFromFirstProof, trustWithoutEnd } from '../second-factor/trust.public.queries.ts';
import { endDistrustedFactors } from '../second-factor/trust.service.ts';
import { deleteTokensOfUser } from '../secrets/link-tokens.public.queries.ts';
import { findLink, invalidLink, takeLink } from '../secrets/link-tokens.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { endSessionsOfUser } from '../sessions/sessions.public.queries.ts';
import { emailKey } from '../users/users.public.queries.ts';
import { replacePassword, unlinkUnverified } from './change.public.queries.ts';
import type { PasswordChangeBody, PasswordResetBody } from './change.schema.ts';

export type PasswordDependencies = {
  db: Db;
  keyring: Keyring;
  mail: MailDependencies;
  passwordCost: PasswordCost;
} & Pick<TokenAuthentication, 'forget' | 'forgetUser'>;

/**
 * Changes the password of the caller, ends all other sessions, and tells the user by mail.
 * @throws ApiError as `confirmPassword`; 400 on a common password
 */
export async function changePassword(
  dependencies: PasswordDependencies,
  caller: { user: UserPrincipal; request: FastifyRequest },
  { current_password: current, new_password: password }: PasswordChangeBody,
): Promise<void> {
  const user = await confirmPassword(dependencies, caller, current, 'current_password');
  const passwordHash = await hashNewPassword(dependencies, user, password, caller.request);
  const ended = await transaction(dependencies.db, async (tx) => {
    const isReplaced = await setPassword(tx, dependencies, user, passwordHash);
    if (!isReplaced) throw wrongPassword();
    const act = describeOwnAct(user, { actor: actorOf(caller.request) });
    await recordAudit(tx, user.companyId, { ...act, action: 'user.password_changed', changes: null });
    return endSessionsOfUser(tx, user.id, caller.user.sessionId);
  });
  dependencies.forget(ended);
}

/**
 * Gives the user of a link a new password, ends all sessions and the limit on guessing, and tells the user by mail. Nobody is logged in by
 * it, so that a second factor is asked for as ever; but those from before somebody has shown to read the address are ended.
 * @throws ApiError invalid_token; 400 on a common password, which leaves the link as it is
 */
export async function resetPassword(
  dependencies: PasswordDependencies,
  { token, new_password: password }: PasswordResetBody,
  request: FastifyRequest,
): Promise<void> {
  const found = await findLink(dependencies.db, 'reset_password', token);
  if (found === null) throw invalidLink();
  const passwordHash = await hashNewPassword(dependencies, found, password, request);
  const ended = await transaction(dependencies.db, async (tx) => {
    const user = await takeLink(tx, 'reset_password', token);
    if (user === null) throw invalidLink();
    const act = describeOwnAct(user, { actor: actorOf(request) });
    const factors = await endDistrustedFactors(tx, user, act.actor);
    if (!(await setPassword(tx, dependencies, user, passwordHash, factors))) throw invalidLink();
    await endGuessingLimit(tx, user.email);
    await unlinkUnverified(tx, user.id);
    await trustFromFirstProof(tx, user.id);
    await trustWithoutEnd(tx, user.id);
    await recordAudit(tx, user.companyId, { ...act, action: 'user.password_reset', changes: null });
    return { userId: user.id, sessions: await endSessionsOfUser(tx, user.id, null) };
  });
  dependencies.forget(ended.sessions);
  dependencies.forgetUser(ended.userId);
}

/** @throws ApiError 400 on a common password; service_unavailable */
async function hashNewPassword(
  { passwordCost }: PasswordDependencies,
  user: ConfirmedUser,
  password: string,
  request: FastifyRequest,
): Promise<string> {
  for (const message of commonPasswordProblems(password, user)) throw invalidField('new_password', message);
  const client = { kind: 'login' as const, network: clientNetwork(request.ip), account: emailKey(user.email) };
  return withHashingSlot(client, () => hashPassword(password, passwordCost));
}

/**
 * Replaces the password and writes the mail. Closes open links of resets, and of a change of the e-mail: whoever knew the old password may
 * have asked for it.
 * @param factors - which second factors a reset has ended, and which it has not
 * @returns false when the password was changed meanwhile
 */
async function setPassword(
  tx: Tx,
  { mail }: PasswordDependencies,
  { id: userId, companyId, email: to, language, passwordHash: from }: ConfirmedUser,
  passwordHash: string,
  factors: { ended?: FactorNames; kept?: FactorNames } = {},
): Promise<boolean> {
  if (!(await replacePassword(tx, { userId, from, to: passwordHash }))) return false;
  await moveCredentialEpoch(tx, userId);
  for (const purpose of ['reset_password', 'change_email'] as const) await deleteTokensOfUser(tx, userId, purpose);
  const notice = { type: 'password_changed' as const, to, language, ...factors };
  if (await mayMail(tx, notice, mail)) await queueMail(tx, companyId ?? OPERATOR_SCOPE, notice, mail);
  return true;
}
