import type { FastifyRequest } from 'fastify';
import { forgetEverywhere, recordAudit } from '../../audit/audit.service.ts';
import { deleteMailsTo } from '../../mail/mail.service.ts';
import { type Db, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import type { UserPrincipal } from '../../platform/http/route/types.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { confirmPassword } from '../checks/confirmation.ts';
import { endMembership } from '../members/members.service.ts';
import { keepAdmin } from '../roles/last-admin.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { eraseUser, findCompanyOf } from './deletion.public.queries.ts';
import { findUsersToForget, markForgotten } from './deletion.worker.queries.ts';

export type DeletionDependencies = { db: Db; keyring: Keyring } & Pick<TokenAuthentication, 'forgetUser'>;

/**
 * Deletes the account of the caller: ends the membership and all sessions, removes the personal data, and empties it in the audit log.
 * @throws ApiError last_admin, service_unavailable; as `confirmPassword`
 */
export async function deleteAccount(
  dependencies: DeletionDependencies,
  caller: { user: UserPrincipal; request: FastifyRequest },
  password: string | undefined,
): Promise<void> {
  const user = await confirmPassword(dependencies, caller, password);
  await transaction(dependencies.db, async (tx) => {
    const { id, email } = user;
    // The user may have joined or left a company since the password was checked.
    const companyId = await findCompanyOf(tx, id);
    if (companyId === undefined) throw closed();
    if (companyId !== null) await keepAdmin(tx, companyId, () => endMembership(tx, companyId, id));
    const otherAddresses = await eraseUser(tx, id);
    if (otherAddresses === null) throw (await findCompanyOf(tx, id)) === undefined ? closed() : changedMeanwhile();
    await deleteMails(tx, companyId, [email, ...otherAddresses]);
    await forgetEverywhere(tx, { userId: id, email }, companyId);
    const actor = { ...actorOf(caller.request), name: '' };
    const target = { kind: 'user', id, name: '' };
    await recordAudit(tx, companyId, { audience: 'company', actor, action: 'user.deleted', target, changes: null });
  });
  dependencies.forgetUser(user.id);
}

function closed(): ApiError {
  return new ApiError('unauthenticated', 'The account was closed.');
}

function changedMeanwhile(): ApiError {
  const message = 'The account changed at the same time. Nothing was deleted. Try again.';
  return new ApiError('service_unavailable', message, { retryAfterSeconds: 1 });
}

async function deleteMails(tx: Tx, companyId: string | null, addresses: readonly string[]): Promise<void> {
  const scopes = companyId === null ? [OPERATOR_SCOPE] : [companyId, OPERATOR_SCOPE];
  for (const scope of scopes) {
    for (const address of new Set(addresses)) await deleteMailsTo(tx, scope, address);
  }
}

/**
 * Empties deleted users in the audit log a second time, a minute later: a request of another process may have written an entry just after
 * the deletion. @returns how many users
 */
export async function forgetDeletedUsers(db: Db, limit: number): Promise<number> {
  const userIds = await findUsersToForget(db, limit);
  for (const userId of userIds) {
    await transaction(db, async (tx) => {
      await forgetEverywhere(tx, { userId, email: null }, null);
      await markForgotten(tx, userId);
    });
  }
  return userIds.length;
}
