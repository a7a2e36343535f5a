import { recordAudit } from '../../../audit/audit.service.ts';
import { afterCommit, type Queryable, type Tx, transaction } from '../../../platform/database/database.ts';
import { ApiError, type ErrorDetail, notFound } from '../../../platform/errors.ts';
import type { UserPrincipal } from '../../../platform/http/route/types.ts';
import { type AccountDependencies, type Newcomer, signUp } from '../../accounts/accounts.service.ts';
import type { Client } from '../../checks/client.ts';
import { trustSinceSignUp } from '../../email/email.public.queries.ts';
import { describeOwnAct, startSession } from '../../login/login.service.ts';
import { findProfile } from '../../profile/profile.public.queries.ts';
import { inviterNotEntitled } from '../../roles/roles.service.ts';
import { roleOf, type StoredRole } from '../../roles/stored-role.ts';
import { hashLinkToken, invalidLink } from '../../secrets/link-tokens.ts';
import type { TokenAuthentication } from '../../sessions/authentication.ts';
import type { OpenedSession } from '../../sessions/sessions.service.ts';
import { findStaffInvitation, type StaffInvitation, takeStaffInvitation } from '../../staff/staff.public.queries.ts';
import { emailKey, emailTaken, isEmailTaken } from '../../users/users.public.queries.ts';
import {
  findInvitationTo,
  findOpenInvitation,
  type InvitationTo,
  joinCompany,
  lockJoiningUser,
  type OpenInvitationRow,
  takeInvitation,
  takeInvitationTo,
  type UsedInvitation,
} from './acceptance.public.queries.ts';
import type { AcceptanceBody, OpenInvitation } from './acceptance.schema.ts';
import { isInviterEntitled } from './inviter.ts';

/** An open invitation into a company or to the operator's staff. */
export type FoundInvitation = Pick<OpenInvitationRow, 'email' | 'companyName' | 'expiresAt'> &
  StoredRole & { inviterName: string; isOfStaff: boolean };

export type AcceptanceDependencies = AccountDependencies & { forgetUser: TokenAuthentication['forgetUser'] };

/** Who invites whom. @throws ApiError not_found when the invitation is not open */
export async function readOpenInvitation(db: Queryable, token: string): Promise<OpenInvitation> {
  const found = await findInvitation(db, token);
  if (found === null) throw notFound('invitation');
  const data = {
    company: { name: found.companyName },
    invited_by: { name: found.inviterName },
    email: found.email,
    staff: found.isOfStaff,
    role: { name: roleOf(found).name },
    expires_at: found.expiresAt,
  };
  return { error: null, data };
}

/** The open invitation of a token. @throws ApiError invalid_token */
export async function requireInvitation(db: Queryable, token: string): Promise<FoundInvitation> {
  const found = await findInvitation(db, token);
  if (found === null) throw invalidLink();
  return found;
}

async function findInvitation(db: Queryable, token: string): Promise<FoundInvitation | null> {
  const hash = hashLinkToken('invitation', token);
  const open = await findOpenInvitation(db, hash);
  if (open !== null) return { ...open, inviterName: open.shownName, isOfStaff: false };
  const ofStaff = await findStaffInvitation(db, hash);
  return ofStaff === null ? null : { ...ofStaff, isOfStaff: true };
}

/** Signs the invited address up as a member. @throws ApiError as a sign-up; invalid_token, permission_not_held */
export async function acceptBySignUp(
  dependencies: AccountDependencies,
  { email }: FoundInvitation,
  body: AcceptanceBody,
  client: Client,
): Promise<OpenedSession> {
  const { token, first_name = '', last_name = '', password = '' } = body;
  return signUp(dependencies, { first_name, last_name, password, email }, client, async (tx, user) => {
    const staff = await takeStaffInvitation(tx, hashLinkToken('invitation', token));
    if (staff?.isInviterAdmin === false) throw inviterNotEntitled();
    if (staff !== null) return beginAsStaff(tx, staff, user, client);
    const { company, hasCards, systemRole, customRole, ...invitation } = await take(tx, token);
    await recordAcceptance(tx, company.id, { ...invitation, systemRole, customRole }, user, client);
    return { company, hasCards, systemRole, customRole, isEmailVerified: true };
  });
}

/** The account gets the invitation's id, by which the list of the staff goes on. */
async function beginAsStaff(tx: Tx, { id, email, role: staffRole }: StaffInvitation, user: Newcomer, client: Client) {
  const role = { systemRole: 'Staff', customRole: null } as const;
  await recordAudit(tx, null, {
    ...describeOwnAct({ ...user, id, staffRole }, client),
    audience: 'operator',
    action: 'invitation.accepted',
    target: { kind: 'invitation', id, name: email },
    changes: { before: {}, after: { user_id: id, role: staffRole } },
  });
  return { ...role, id, staffRole, company: null, hasCards: false, isEmailVerified: true };
}

/** @throws ApiError 400 unless all that a sign-up needs is there */
export function requireSignUpFields(body: AcceptanceBody): void {
  const missing = (['first_name', 'last_name', 'password'] as const).filter((field) => body[field] === undefined);
  const details: ErrorDetail[] = missing.map((field) => ({ field, message: 'is required' }));
  if (details.length === 0) return;
  throw new ApiError('invalid_request', `${missing.join(', ')}: required without an access token.`, { details });
}

/**
 * Makes the customer of the request a member, and starts another session.
 * @throws ApiError invalid_token, permission_not_held, forbidden, wrong_account, has_company, email_taken, unauthenticated, rate_limited
 */
export async function acceptAsCustomer(
  dependencies: AcceptanceDependencies,
  { userId, sessionId, staffRole }: UserPrincipal,
  token: string,
  client: Client,
): Promise<OpenedSession> {
  if (staffRole !== null) throw new ApiError('forbidden', 'Staff of the operator cannot join a company.');
  await refuseForStaff(dependencies.db, token);
  return transaction(dependencies.db, async (tx) => {
    const invitation = await take(tx, token);
    const account = await lockJoiningUser(tx, userId);
    if (account === null) throw new ApiError('unauthenticated', 'The account was closed.');
    if (account.emailKey !== emailKey(invitation.email)) {
      throw new ApiError('wrong_account', 'The invitation is for another e-mail address.');
    }
    if (account.companyId !== null) throw new ApiError('has_company', 'The account already belongs to a company.');
    const companyId = invitation.company.id;
    await joinCompany(tx, userId, { ...invitation, companyId });
    await trustSinceSignUp(tx, userId, sessionId);
    await recordAcceptance(tx, companyId, invitation, account, client);
    afterCommit(tx, async () => dependencies.forgetUser(userId));
    const joined = await findProfile(tx, userId);
    if (joined === null) throw new Error('A locked account is gone.');
    return { user: joined, tokens: await startSession(tx, dependencies, 'login', userId, client) };
  });
}

/** Nobody joins the operator's staff with an account. @throws ApiError email_taken, wrong_account */
async function refuseForStaff(db: Queryable, token: string): Promise<void> {
  const invitation = await findStaffInvitation(db, hashLinkToken('invitation', token));
  if (invitation === null) return;
  if (await isEmailTaken(db, invitation.email)) throw emailTaken();
  throw new ApiError('wrong_account', 'The invitation is for another e-mail address.');
}

/** @throws ApiError invalid_token, permission_not_held */
async function take(tx: Tx, token: string): Promise<UsedInvitation> {
  const hash = hashLinkToken('invitation', token);
  const open = await findOpenInvitation(tx, hash);
  if (open === null) throw invalidLink();
  if (!(await isInviterEntitled(tx, open.companyId, open))) throw inviterNotEntitled();
  const taken = await takeInvitation(tx, hash);
  if (taken === null) throw invalidLink();
  return taken;
}

/**
 * Uses the open invitation of an e-mail into a company up, for who joins by a provider. @returns null when there is none, or its inviter
 * could not send it now
 */
export async function takeInvitationOf(tx: Tx, companyId: string, email: string): Promise<InvitationTo | null> {
  const open = await findInvitationTo(tx, companyId, email);
  if (open === null || !(await isInviterEntitled(tx, companyId, open))) return null;
  return takeInvitationTo(tx, companyId, open.id);
}

/** Records who has used an invitation up. */
export async function recordAcceptance(
  tx: Tx,
  companyId: string,
  invitation: InvitationTo,
  user: Parameters<typeof describeOwnAct>[0],
  client: Client,
): Promise<void> {
  await recordAudit(tx, companyId, {
    ...describeOwnAct(user, client),
    action: 'invitation.accepted',
    target: { kind: 'invitation', id: invitation.id, name: invitation.email },
    changes: { before: {}, after: { user_id: user.id, role: roleOf(invitation).name } },
  });
}
