import { type Actor, expectStatus, PASSWORD } from '../customers/actors.ts';
import { enableTotp, type TestClock } from '../customers/second-factors.ts';
import type { TestService } from '../harness/service.ts';
import { mailsTo, tokenIn } from '../mail/mails.ts';

export type InvitedStaff = { id: string; email: string; role: string; status: string; createdAt: string };

/** Invites somebody to the staff as the first key. */
export async function inviteStaff(service: TestService, changes: object = {}): Promise<InvitedStaff> {
  const body = { email: `${crypto.randomUUID()}@example.com`, role: 'viewer', ...changes };
  return expectStatus(await service.call('POST', '/operator/staff', { token: service.operatorKey, body }), 201).body;
}

/** Accepts an invitation by the link of its mail. @returns the account, which has no second factor yet */
export async function acceptStaff(service: TestService, email: string): Promise<Actor> {
  const [mail] = await mailsTo(service, email);
  const body = { token: tokenIn(mail.text), first_name: 'Grace', last_name: 'Hopper', password: PASSWORD };
  const { data } = expectStatus(await service.call('POST', '/auth/invitations/accept', { body }), 201).body;
  const { access_token: token, refresh_token: refreshToken, user } = data;
  return { token, refreshToken, userId: user.id, companyId: user.company.id, email };
}

/** Makes somebody one of the staff, with a second factor. */
export async function addStaff(service: TestService, clock: TestClock, role: string) {
  const { email } = await inviteStaff(service, { role });
  const staff = await acceptStaff(service, email);
  const { app } = await enableTotp(service, clock, staff);
  return { ...staff, app };
}
