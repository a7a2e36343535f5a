import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../../audit/audit.service.ts';
import { type MailDependencies, queueMail } from '../../../mail/mail.service.ts';
import { type Db, transaction } from '../../../platform/database/database.ts';
import { invalidField } from '../../../platform/errors.ts';
import { clientNetwork } from '../../../platform/http/limits/client-network.ts';
import { actorOf } from '../../../platform/http/route/actor.ts';
import type { UserPrincipal } from '../../../platform/http/route/types.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { confirmPassword, wrongPassword } from '../../login/confirmation.ts';
import type { ConfirmedUser } from '../../login/login.public.queries.ts';
import { describeOwnAct } from '../../login/login.service.ts';
import type { TokenAuthentication } from '../../sessions/authentication.ts';
import { endSessionsOfUser } from '../../sessions/sessions.public.queries.ts';
import { emailKey } from '../../users/users.public.queries.ts';
import { commonPasswordProblems } from '../common-passwords.ts';
import { withHashingSlot } from '../hashing.ts';
import { hashPassword, type PasswordCost } from '../password.ts';
import { replacePassword } from './change.public.queries.ts';
import type { PasswordChangeBody } from './change.schema.ts';

export type PasswordDependencies = {
  db: Db;
  keyring: Keyring;
  mail: MailDependencies;
  passwordCost: PasswordCost;
  forget: TokenAuthentication['forget'];
};

/**
 * Changes the password of the caller, ends all other sessions, and tells the user by mail.
 * @throws ApiError as `confirmPassword`; 400 on a common password
 */
export async function changePassword(
  dependencies: PasswordDependencies,
  caller: { user: UserPrincipal; request: FastifyRequest },
  { current_password: current, new_password: password }: PasswordChangeBody,
): Promise<void> {
  const { db, mail, forget } = dependencies;
  const user = await confirmPassword(dependencies, caller, current, 'current_password');
  const { id, companyId, email: to, language } = user;
  const passwordHash = await hashNewPassword(dependencies, user, password, caller.request);
  const ended = await transaction(db, async (tx) => {
    const isReplaced = await replacePassword(tx, { userId: id, from: user.passwordHash, to: passwordHash });
    if (!isReplaced) throw wrongPassword();
    const sessionIds = await endSessionsOfUser(tx, id, caller.user.sessionId);
    await queueMail(tx, companyId ?? OPERATOR_SCOPE, { type: 'password_changed', to, language }, mail);
    const act = describeOwnAct(user, { actor: actorOf(caller.request) });
    await recordAudit(tx, companyId, { ...act, action: 'user.password_changed', changes: null });
    return sessionIds;
  });
  forget(ended);
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
