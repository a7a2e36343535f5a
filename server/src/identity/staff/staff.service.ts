import { v7 as uuidv7 } from 'uuid';
import { type MailDependencies, queueMail } from '../../mail/mail.service.ts';
import { afterCommit, type Queryable, type Tx } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { OperatorCaller } from '../../platform/http/route/types.ts';
import type { OperatorRole } from '../../platform/operator-roles.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { FIRST_KEY_NAME } from '../operators/operators.service.ts';
import { createLinkToken } from '../secrets/link-tokens.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import { endSessionsOfUser } from '../sessions/sessions.public.queries.ts';
import { emailTaken, isEmailTaken } from '../users/users.public.queries.ts';
import { insertInvitation, removeStaff, selectOneOfStaff, selectStaff, updateRole } from './staff.operator.queries.ts';
import type { Staff, StaffBody, StaffList, StaffQuery } from './staff.schema.ts';

// For mails to them.
export { selectAdmins } from './staff.public.queries.ts';

/** How long the link of an invitation works. */
const VALID_SECONDS = 7 * 24 * 60 * 60;

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
 * @throws ApiError email_taken, already_invited
 */
export async function inviteStaff(
  tx: Tx,
  { email, role }: StaffBody,
  caller: OperatorCaller,
  { mail }: StaffDependencies,
): Promise<Staff> {
  if (await isEmailTaken(tx, email)) throw emailTaken();
  const id = uuidv7();
  const { token, hash: tokenHash } = createLinkToken('invitation');
  const invitedBy = nameOf(caller);
  if (!(await insertInvitation(tx, { id, email, role, tokenHash, invitedBy, validSeconds: VALID_SECONDS })))
    throw new ApiError('already_invited', 'There is an open invitation to this e-mail; delete it first.');
  const inviterName = invitedBy === FIRST_KEY_NAME ? '' : invitedBy;
  const invitation = { inviterName, companyName: '', roleName: `Staff (${role})` };
  const link = { type: 'invitation' as const, token, validSeconds: VALID_SECONDS };
  await queueMail(tx, OPERATOR_SCOPE, { to: email, language: '', ...invitation, ...link }, mail);
  return readStaff(tx, id);
}

function nameOf(caller: OperatorCaller): string {
  return caller.kind === 'operator' ? caller.keyName : caller.name;
}

/** Gives one of the staff another role, which holds from the commit on. @throws ApiError not_found */
export async function changeStaff(
  tx: Tx,
  id: string,
  role: OperatorRole,
  { tokens }: StaffDependencies,
): Promise<Staff> {
  await updateRole(tx, id, role);
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
