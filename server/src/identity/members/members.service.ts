import { unassignAgent } from '../../labels/assignments/assignments.service.ts';
import { afterCommit, type Queryable, type Tx, violatedConstraint } from '../../platform/database/database.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import type { PermissionSet } from '../../platform/permissions.ts';
import { removeApiKeysOf } from '../api-keys/api-keys.service.ts';
import { keepAdmin } from '../roles/last-admin.ts';
import { refuseBeyond, requireRole } from '../roles/roles.service.ts';
import { roleOf, toStored } from '../roles/stored-role.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { endSessionsOfUser } from '../sessions/sessions.public.queries.ts';
import {
  deleteInvitationsBy,
  deleteLinksOfCompany,
  type MemberRow,
  makeCustomer,
  selectMember,
  selectMembers,
  updateRoleOfMember,
} from './members.queries.ts';
import type { Member, MemberList, MemberQuery } from './members.schema.ts';

/** The tokens that this process knows, which follow a change at once. */
type Tokens = Pick<TokenAuthentication, 'forget' | 'forgetUser'>;

/** A page of the members, newest first. */
export async function listMembers(
  db: Queryable,
  companyId: string,
  { page, per_page: perPage }: MemberQuery,
): Promise<MemberList> {
  const { total, members } = await selectMembers(db, companyId, { limit: perPage, offset: (page - 1) * perPage });
  return { total, page, per_page: perPage, data: members.map(toMember) };
}

/** A member; null when the company has none with this id. */
export async function findMember(db: Queryable, companyId: string, userId: string): Promise<Member | null> {
  const row = await selectMember(db, companyId, userId);
  return row && toMember(row);
}

/** Gives a member another role. @throws ApiError 400, not_found, permission_not_held, last_admin */
export async function changeMember(
  tx: Tx,
  companyId: string,
  { userId, roleId, caller, tokens }: { userId: string; roleId: string; caller: PermissionSet; tokens: Tokens },
): Promise<Member> {
  const role = await requireRole(tx, companyId, roleId);
  await keepAdmin(tx, companyId, async () => {
    const member = await requireMember(tx, companyId, userId);
    refuseBeyond(caller, roleOf(member).permission);
    refuseBeyond(caller, role.permission);
    await updateRoleOfMember(tx, companyId, userId, toStored(role)).catch(refuseDeletedRole);
  });
  afterCommit(tx, async () => tokens.forgetUser(userId));
  return toMember(await requireMember(tx, companyId, userId));
}

/**
 * Removes a member, who keeps the account as a customer. Members may remove themselves whatever their permissions.
 * @throws ApiError not_found, permission_not_held, last_admin
 */
export async function removeMember(
  tx: Tx,
  companyId: string,
  { userId, caller, tokens }: { userId: string; caller: PermissionSet; tokens: Tokens },
): Promise<void> {
  const ended = await keepAdmin(tx, companyId, async () => {
    refuseBeyond(caller, roleOf(await requireMember(tx, companyId, userId)).permission);
    return endMembership(tx, companyId, userId);
  });
  afterCommit(tx, async () => {
    tokens.forget(ended);
    tokens.forgetUser(userId);
  });
}

/** Ends all sessions of a member, whose API keys go on. @throws ApiError not_found, permission_not_held */
export async function endSessionsOfMember(
  tx: Tx,
  companyId: string,
  { userId, caller, tokens }: { userId: string; caller: PermissionSet; tokens: Tokens },
): Promise<void> {
  refuseBeyond(caller, roleOf(await requireMember(tx, companyId, userId)).permission);
  const ended = await endSessionsOfUser(tx, userId, null);
  afterCommit(tx, async () => tokens.forget(ended));
}

/**
 * Ends all that a user has as a member of the company, within `keepAdmin`. The user is a customer then.
 * @returns the ids of the sessions that it ended: after the commit, forget them and the user, of whom this process may know API keys
 */
export async function endMembership(tx: Tx, companyId: string, userId: string): Promise<string[]> {
  await deleteLinksOfCompany(tx, companyId, userId);
  await makeCustomer(tx, companyId, userId);
  await deleteInvitationsBy(tx, companyId, userId);
  await unassignAgent(tx, companyId, userId);
  await removeApiKeysOf(tx, companyId, userId);
  return endSessionsOfUser(tx, userId, null);
}

async function requireMember(tx: Tx, companyId: string, userId: string): Promise<MemberRow> {
  const member = await selectMember(tx, companyId, userId);
  if (member === null) throw notFound('member');
  return member;
}

function toMember({ systemRole, customRole, ...member }: MemberRow): Member {
  const { id, name } = roleOf({ systemRole, customRole });
  return { ...member, role: { id, name } };
}

/** The role was deleted since it was read. */
function refuseDeletedRole(error: unknown): never {
  if (violatedConstraint(error) !== 'users_role_in_use') throw error;
  throw invalidField('role_id', 'must be the id of a role that members can have');
}
