import { v7 as uuidv7 } from 'uuid';
import { type Flags, type PermissionSet, SYSTEM_ROLES, type SystemRoleName } from '../../src/platform/permissions.ts';
import { newEmail } from '../customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';
import { mailsTo, tokenIn } from '../mail/mails.ts';

/** Everything off but for one entry, such as `platform.billing`. */
export function only(entry: string, flags: Flags): PermissionSet {
  const { platform, application } = structuredClone(SYSTEM_ROLES.Customer.permission);
  const [group, name = ''] = entry.split('.');
  Object.assign(group === 'platform' ? platform : application, { [name]: flags });
  return { platform, application };
}

/** Gives a user another role: one of the system, or a new one of the company with these permissions. */
export async function giveRole(
  { database: { owner } }: Pick<TestService, 'database'>,
  { companyId, userId }: Actor,
  role: SystemRoleName | PermissionSet,
): Promise<void> {
  if (typeof role === 'string') {
    await owner`UPDATE users SET role = ${role}, role_id = NULL WHERE id = ${userId}`;
    return;
  }
  const id = uuidv7();
  await owner`
    INSERT INTO roles (company_id, id, name, description, permission)
    VALUES (${companyId}, ${id}, ${id}, '', ${JSON.stringify(role)}::text::jsonb)`;
  await owner`UPDATE users SET role = NULL, role_id = ${id} WHERE id = ${userId}`;
}

/** Signs up a user with a company of their own and another role than Admin. */
export async function signUpWithRole(service: TestService, role: SystemRoleName | PermissionSet): Promise<Actor> {
  const actor = await signUpAdmin(service);
  await giveRole(service, actor, role);
  return actor;
}

/** Adds a member to the company of an admin, with a role of the system or a new one. */
export async function addMember(
  service: TestService,
  { companyId }: Actor,
  role: SystemRoleName | PermissionSet,
): Promise<Actor> {
  const member = { ...(await signUpCustomer(service)), companyId };
  const { owner } = service.database;
  await owner`UPDATE users SET company_id = ${companyId}, role = 'Viewer' WHERE id = ${member.userId}`;
  await giveRole(service, member, role);
  return member;
}

/** A valid body for a role, with a name of its own. */
export function roleBody(changes: object = {}) {
  const permission = only('platform.billing', { all: false, view: true });
  return { name: `Role ${uuidv7()}`, description: 'Reads the invoices', permission, ...changes };
}

/** Creates a role over HTTP. @returns it */
export async function createRole(service: TestService, { token }: Actor, changes: object = {}) {
  return expectStatus(await service.call('POST', '/company/roles', { token, body: roleBody(changes) }), 201).body;
}

/** Invites an address over HTTP. @returns the invitation, and the token of the link in its mail */
export async function invite(
  service: TestService,
  { token }: Pick<Actor, 'token'>,
  { email = newEmail(), roleId = SYSTEM_ROLES.Viewer.id }: { email?: string; roleId?: string } = {},
) {
  const body = { email, role_id: roleId };
  const invitation = expectStatus(await service.call('POST', '/company/invitations', { token, body }), 201).body;
  const [mail] = await mailsTo(service, email);
  return { ...invitation, token: tokenIn(mail.text) };
}
