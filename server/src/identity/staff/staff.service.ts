import { v7 as uuidv7 } from 'uuid';
import { type MailDependencies, mayMail, queueMail } from '../../mail/mail.service.ts';
import { afterCommit, type Queryable, type Tx } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { OperatorCaller } from '../../platform/http/route/types.ts';
import type { StaffRole } from '../../platform/operator-roles.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { FIRST_KEY_NAME } from '../operators/operators.service.ts';
import { inviterNotEntitled } from '../roles/roles.service.ts';
import { createLinkToken } from '../secrets/link-tokens.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { endSessionsOfUser } from '../sessions/sessions.public.queries.ts';
import { emailTaken, isEmailTaken } from '../users/users.public.queries.ts';
import {
  countInvitations,
  type Inviter,
  insertInvitation,
  lockInvitations,
  removeStaff,
  renewInvitation,
  selectOneOfStaff,
  selectStaff,
  updateRole,
} from './staff.operator.queries.ts';
import type { Staff, StaffBody, StaffList, StaffQuery } from './staff.schema.ts';

// For mails to them.
export { selectAdmins } from './staff.public.queries.ts';

/** How long the link of an invitation works. */
const VALID_SECONDS = 7 * 24 * 60 * 60;
const MAX_OPEN_INVITATIONS = 1_000;

export type StaffDependencies = { mail: MailDependencies; tokens: Pick<TokenAuthentication, 'forget' | 'forgetUser'> };

/** A page of the staff. */
export async function listStaff(db: Queryable, { page, perPage }: StaffQuery): Promise<StaffList> {
  return { page, perPage, ...(await selectStaff(db, { limit: perPage, offset: (page - 1) * perPage })) };
}

/** One of the staff. @throws ApiError not_found */
async function readStaff(db: Queryable, id: string): Promise<Staff> {
  const found = await selectOneOfStaff(db, id);
  if (found === null) throw notFound('staff');
  return found;
}

/**
 * Invites somebody by a mail, whose link is accepted once, within seven days.
 * @throws ApiError email_taken, already_invited, limit_reached, rate_limited
 */
export async function inviteStaff(
  tx: Tx,
  { email, role }: StaffBody,
  caller: OperatorCaller,
  { mail }: StaffDependencies,
): Promise<Staff> {
  if (await isEmailTaken(tx, email)) throw emailTaken();
  await lockInvitations(tx);
  if ((await countInvitations(tx)) >= MAX_OPEN_INVITATIONS) {
    throw new ApiError('limit_reached', `There can be at most ${MAX_OPEN_INVITATIONS} open invitations to the staff.`);
  }
  const id = uuidv7();
  const { token, hash: tokenHash } = createLinkToken('invitation');
  const inviter = inviterOf(caller);
  if (!(await insertInvitation(tx, { id, email, role, tokenHash, inviter, validSeconds: VALID_SECONDS }))) {
    const message =
      'There is an open invitation to this e-mail address. Send it again with POST /operator/staff/{id}/resend.';
    throw new ApiError('already_invited', message);
  }
  await sendInvitation(tx, { email, role, invitedBy: inviter.name, token }, mail);
  return readStaff(tx, id);
}

/** Sends an invitation again, with a new link and a new term. @throws ApiError not_found, permission_not_held, rate_limited */
export async function resendInvitation(tx: Tx, id: string, { mail }: StaffDependencies): Promise<Staff> {
  const { token, hash: tokenHash } = createLinkToken('invitation');
  const renewed = await renewInvitation(tx, id, { tokenHash, validSeconds: VALID_SECONDS });
  if (renewed === null) throw notFound('invitation');
  const { invitedBy, isInviterAdmin } = renewed;
  if (!isInviterAdmin) throw inviterNotEntitled();
  const staff = await readStaff(tx, id);
  await sendInvitation(tx, { ...staff, invitedBy, token }, mail);
  return staff;
}

async function sendInvitation(
  tx: Tx,
  { email: to, role, invitedBy, token }: { email: string; role: StaffRole; invitedBy: string; token: string },
  mail: MailDependencies,
): Promise<void> {
  if (!(await mayMail(tx, { type: 'invitation', to }, mail))) {
    const message = 'This address has received too many invitations. Try again later.';
    throw new ApiError('rate_limited', message, { retryAfterSeconds: 60 * 60 });
  }
  const inviterName = invitedBy === FIRST_KEY_NAME ? '' : invitedBy;
  const invitation = { inviterName, companyName: '', roleName: `Staff (${role})` };
  const link = { type: 'invitation' as const, token, validSeconds: VALID_SECONDS };
  await queueMail(tx, OPERATOR_SCOPE, { to, language: '', ...invitation, ...link }, mail);
}

function inviterOf(caller: OperatorCaller): Inviter {
  return caller.kind === 'operator'
    ? { id: caller.keyId, name: caller.keyName }
    : { id: caller.userId, name: caller.name };
}

/** Gives one of the staff another role, which holds from the commit on. @throws ApiError not_found */
export async function changeStaff(
  tx: Tx,
  id: string,
  role: StaffRole,
  caller: OperatorCaller,
  { tokens }: StaffDependencies,
): Promise<Staff> {
  await updateRole(tx, id, role, inviterOf(caller));
  afterCommit(tx, async () => tokens.forgetUser(id));
  return readStaff(tx, id);
}

/** Takes back an invitation, or closes an account and its sessions. @throws ApiError not_found */
export async function deleteStaff(tx: Tx, id: string, { tokens }: StaffDependencies): Promise<void> {
  await readStaff(tx, id);
  const ended = await endSessionsOfUser(tx, id, null);
  await removeStaff(tx, id);
  afterCommit(tx, async () => tokens.forget(ended));
}
