import { recordAudit } from '../../../audit/audit.service.ts';
import { afterCommit, type Queryable, type Tx, transaction } from '../../../platform/database/database.ts';
import { ApiError, type ErrorDetail, notFound } from '../../../platform/errors.ts';
import type { UserPrincipal } from '../../../platform/http/route/types.ts';
import { type AccountDependencies, signUp } from '../../accounts/accounts.service.ts';
import type { Client } from '../../login/client.ts';
import { describeOwnAct, startSession } from '../../login/login.service.ts';
import { findProfile } from '../../profile/profile.public.queries.ts';
import { roleOf } from '../../roles/stored-role.ts';
import { hashLinkToken, invalidLink } from '../../secrets/link-tokens.ts';
import type { TokenAuthentication } from '../../sessions/authentication.ts';
import type { AuthAnswer } from '../../sessions/sessions.schema.ts';
import { answerTokens } from '../../sessions/sessions.service.ts';
import { emailKey } from '../../users/users.public.queries.ts';
import {
  findOpenInvitation,
  joinCompany,
  lockJoiningUser,
  type OpenInvitationRow,
  takeInvitation,
  type UsedInvitation,
} from './acceptance.public.queries.ts';
import type { AcceptanceBody, OpenInvitation } from './acceptance.schema.ts';

export type AcceptanceDependencies = AccountDependencies & { forgetUser: TokenAuthentication['forgetUser'] };

/** Who invites whom. @throws ApiError not_found when the invitation is not open */
export async function readOpenInvitation(db: Queryable, token: string): Promise<OpenInvitation> {
  const found = await findOpenInvitation(db, hashLinkToken('invitation', token));
  if (found === null) throw notFound('invitation');
  const { companyName, inviterName, email, expiresAt } = found;
  const data = {
    company: { name: companyName },
    invited_by: { name: inviterName },
    email,
    role: { name: roleOf(found).name },
    expires_at: expiresAt,
  };
  return { error: null, data };
}

/** The open invitation of a token. @throws ApiError invalid_token */
export async function requireInvitation(db: Queryable, token: string): Promise<OpenInvitationRow> {
  const found = await findOpenInvitation(db, hashLinkToken('invitation', token));
  if (found === null) throw invalidLink();
  return found;
}

/** Signs the invited address up as a member. @throws ApiError as a sign-up; 400 for a field that is missing; invalid_token */
export async function acceptBySignUp(
  dependencies: AccountDependencies,
  { email }: OpenInvitationRow,
  body: AcceptanceBody,
  client: Client,
): Promise<AuthAnswer> {
  const { token, first_name = '', last_name = '', password = '' } = body;
  return signUp(dependencies, { first_name, last_name, password, email }, client, async (tx, user) => {
    const { company, hasCards, systemRole, customRole, ...invitation } = await take(tx, token);
    await recordAcceptance(tx, company.id, { ...invitation, systemRole, customRole }, user, client);
    return { company, hasCards, systemRole, customRole, isEmailVerified: true };
  });
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
 * @throws ApiError invalid_token, wrong_account, has_company, unauthenticated, rate_limited
 */
export async function acceptAsCustomer(
  dependencies: AcceptanceDependencies,
  { userId }: UserPrincipal,
  token: string,
  client: Client,
): Promise<AuthAnswer> {
  const { user, tokens } = await transaction(dependencies.db, async (tx) => {
    const invitation = await take(tx, token);
    const account = await lockJoiningUser(tx, userId);
    if (account === null) throw new ApiError('unauthenticated', 'The account was closed.');
    if (account.emailKey !== emailKey(invitation.email)) {
      throw new ApiError('wrong_account', 'The invitation is for another e-mail.');
    }
    if (account.companyId !== null) throw new ApiError('has_company', 'The account belongs to a company.');
    const companyId = invitation.company.id;
    await joinCompany(tx, userId, { ...invitation, companyId });
    await recordAcceptance(tx, companyId, invitation, account, client);
    afterCommit(tx, async () => dependencies.forgetUser(userId));
    const joined = await findProfile(tx, userId);
    if (joined === null) throw new Error('A locked account is gone.');
    return { user: joined, tokens: await startSession(tx, dependencies, 'login', userId, client) };
  });
  return answerTokens(dependencies, user, tokens);
}

async function take(tx: Tx, token: string): Promise<UsedInvitation> {
  const taken = await takeInvitation(tx, hashLinkToken('invitation', token));
  if (taken === null) throw invalidLink();
  return taken;
}

async function recordAcceptance(
  tx: Tx,
  companyId: string,
  invitation: Pick<UsedInvitation, 'id' | 'email' | 'systemRole' | 'customRole'>,
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
