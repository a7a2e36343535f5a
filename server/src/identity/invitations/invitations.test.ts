import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { newEmail } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { addMember, createRole, invite, only } from '../../../test/identity/roles.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';
import { runHousekeeping } from '../../housekeeping.ts';
import type { Tx } from '../../platform/database/database.ts';
import { SYSTEM_ROLES } from '../../platform/permissions.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService({ publicUrl: 'https://billing.example.com' });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  admin = await signUpAdmin(service);
});

const ALL = { all: true, view: true };
const VIEWER = SYSTEM_ROLES.Viewer.id;

const call = ({ token }: Actor, method: string, path: string, body?: object) =>
  service.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const create = (caller: Actor, email: string, roleId = VIEWER) =>
  call(caller, 'POST', '/company/invitations', { email, role_id: roleId });
const show = (token: string) => service.call('GET', `/auth/invitations/${token}`);
const list = async () => (await call(admin, 'GET', '/company/invitations')).body;
const expire = (id: string) => service.database.owner`UPDATE invitations SET expires_at = now() WHERE id = ${id}`;

describe('an invitation', () => {
  it('goes out as a mail with one link, and says who invites whom', async () => {
    await call(admin, 'PUT', '/company', { name: 'Analytical Engines' });
    const email = newEmail().replace('example', 'Example');
    const { token, ...invitation } = await invite(service, admin, { email });
    expect(invitation).toEqual({
      id: expect.any(String),
      email,
      role: { id: VIEWER, name: 'Viewer' },
      invited_by: { id: admin.userId, name: 'Ada Lovelace' },
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    const days = (Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    const [mail] = await mailsTo(service, email);
    expect(mail).toMatchObject({ type: 'invitation', companyId: admin.companyId, to: [email] });
    expect(mail.text).toContain(`https://billing.example.com/app/invitation#token=${token}`);
    for (const word of ['Ada Lovelace', 'Analytical Engines', 'Viewer']) expect(mail.text).toContain(word);

    const shown = expectStatus(await show(token), 200);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const { expires_at } = invitation;
    const company = { name: 'Analytical Engines' };
    const data = {
      company,
      invited_by: { name: 'Ada Lovelace' },
      email,
      staff: false,
      role: { name: 'Viewer' },
      expires_at,
    };
    expect(shown.body).toEqual({ error: null, data });
    expect(service.logs()).not.toContain(token);
  });

  it('is in the list while it is open, newest first, without its token', async () => {
    const [first, second, third] = [
      await invite(service, admin),
      await invite(service, admin),
      await invite(service, admin),
    ];
    await expire(second.id);
    const { token: _first, ...one } = first;
    const { token: _third, ...other } = third;
    expect(await list()).toEqual({ total: 2, page: 1, per_page: 10, data: [other, one] });
    const page = await call(admin, 'GET', '/company/invitations?page=2&per_page=1');
    expect(page.body.data).toEqual([one]);
  });

  it('leaves its entries in the audit log, without its token', async () => {
    const { id, email, token } = await invite(service, admin);
    expectStatus(await call(admin, 'POST', `/company/invitations/${id}/resend`), 200);
    expectStatus(await call(admin, 'DELETE', `/company/invitations/${id}`), 204);
    const { data } = (await call(admin, 'GET', `/company/audit-log?target=${id}`)).body;
    expect(data).toMatchObject([
      { action: 'invitation.deleted', target: { kind: 'invitation', id, name: email } },
      { action: 'invitation.resent' },
      { action: 'invitation.created', changes: { before: {}, after: { email, role: { name: 'Viewer' } } } },
    ]);
    expect(JSON.stringify(data)).not.toContain(token);
  });

  it('is made once for each Idempotency-Key, and sends one mail', async () => {
    const [email, key] = [newEmail(), randomUUID()];
    const request = { token: admin.token, body: { email, role_id: VIEWER }, headers: { 'idempotency-key': key } };
    const first = expectStatus(await service.call('POST', '/company/invitations', request), 201);
    const second = expectStatus(await service.call('POST', '/company/invitations', request), 201);
    expect(second.body).toEqual(first.body);
    expect(await mailsTo(service, email)).toHaveLength(1);
  });

  it('is in the language of the account that it goes to, or else of the inviter', async () => {
    const customer = await signUpCustomer(service);
    await service.database.owner`UPDATE users SET language = 'de-AT' WHERE id = ${customer.userId}`;
    await service.database.owner`UPDATE users SET language = 'fr' WHERE id = ${admin.userId}`;
    await invite(service, admin, { email: customer.email });
    const stranger = newEmail();
    await invite(service, admin, { email: stranger });
    const languageOf = async (email: string) => (await mailsTo(service, email))[0].language;
    expect([await languageOf(customer.email), await languageOf(stranger)]).toEqual(['de', 'fr']);
  });
});

describe('an invitation is refused', () => {
  it('to an address that has an open one, in any case: 409 already_invited', async () => {
    const { id, email } = await invite(service, admin);
    expectRefusal(await create(admin, email.toUpperCase()), 409, 'already_invited');
    expectStatus(await create(await signUpAdmin(service), email), 201);
    await expire(id);
    expectStatus(await create(admin, email), 201);
  });

  it('except one of twenty simultaneous invitations to one address', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(admin, email)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.error.code)).toEqual(Array(19).fill('already_invited'));
    expect((await list()).total).toBe(1);
  });

  it('to a member: 409 already_member', async () => {
    const member = await addMember(service, admin, 'Viewer');
    expectRefusal(await create(admin, member.email.toUpperCase()), 409, 'already_member');
    const other = await signUpAdmin(service);
    expectStatus(await create(admin, other.email), 201);
  });

  it.each([
    ['Customer', async () => SYSTEM_ROLES.Customer.id],
    ['unknown', async () => randomUUID()],
    ['no id', async () => 'Viewer'],
    ['another company’s', async () => (await createRole(service, await signUpAdmin(service))).id],
  ])('with a role that is %s: 400 on role_id', async (_what, makeId) => {
    const answer = await create(admin, newEmail(), await makeId());
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toMatchObject([{ field: 'role_id' }]);
  });

  it('by who lacks a permission of the role: 403 permission_not_held, also when it is sent again', async () => {
    const manager = await addMember(service, admin, only('platform.admins', ALL));
    expectRefusal(await create(manager, newEmail()), 403, 'permission_not_held');
    const { id } = await invite(service, admin);
    expectRefusal(await call(manager, 'POST', `/company/invitations/${id}/resend`), 403, 'permission_not_held');
    expectStatus(await call(manager, 'DELETE', `/company/invitations/${id}`), 204);
    const { id: roleId } = await createRole(service, admin, { permission: only('platform.admins', ALL) });
    expectStatus(await create(manager, newEmail(), roleId), 201);
  });

  it('after five mails to the address within an hour: 429', async () => {
    const { id, email } = await invite(service, admin);
    const resend = () => call(admin, 'POST', `/company/invitations/${id}/resend`);
    for (let mails = 2; mails <= 5; mails += 1) expectStatus(await resend(), 200);
    const refused = await resend();
    expectRefusal(refused, 429, 'rate_limited');
    expect(await mailsTo(service, email)).toHaveLength(5);
  });
});

describe('an invitation that is sent again', () => {
  it('has another link and seven new days; the old link is dead', async () => {
    const { id, email, token } = await invite(service, admin);
    await service.database.owner`UPDATE invitations SET expires_at = now() + interval '1 hour' WHERE id = ${id}`;
    const again = expectStatus(await call(admin, 'POST', `/company/invitations/${id}/resend`), 200).body;
    expect(Date.parse(again.expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expectRefusal(await show(token), 404, 'not_found');
    const [mail] = await mailsTo(service, email);
    const shown = expectStatus(await show(tokenIn(mail.text)), 200).body;
    expect(shown.data.expires_at).toBe(again.expires_at);
  });

  it('is no longer there once it was deleted, used or expired: 404', async () => {
    const { id } = await invite(service, admin);
    await expire(id);
    for (const [method, path] of [
      ['POST', `/company/invitations/${id}/resend`],
      ['DELETE', `/company/invitations/${id}`],
    ] as const) {
      expectRefusal(await call(admin, method, path), 404, 'not_found');
    }
  });
});

describe('an invitation ends', () => {
  it('when it is deleted', async () => {
    const { id, token } = await invite(service, admin);
    expectStatus(await call(admin, 'DELETE', `/company/invitations/${id}`), 204);
    expectRefusal(await show(token), 404, 'not_found');
  });

  it('with the membership of who sent it', async () => {
    const second = await addMember(service, admin, 'Admin');
    const [hers, own] = [await invite(service, second), await invite(service, admin)];
    expectStatus(await call(admin, 'DELETE', `/company/members/${second.userId}`), 204);
    expectRefusal(await show(hers.token), 404, 'not_found');
    expectStatus(await show(own.token), 200);
  });

  // Security (Accounts and permissions): Nobody invites while they are removed
  it('before it begins when who sends it is removed at the same time: 403', async () => {
    const inviter = await addMember(service, admin, 'Admin');
    const remove = (tx: Tx) => tx`UPDATE users SET company_id = NULL, role = 'Customer' WHERE id = ${inviter.userId}`;
    expectRefusal(await sendDuring(service.database, remove, () => create(inviter, newEmail())), 403, 'forbidden');
    expect((await list()).total).toBe(0);
  });

  // ASVS 6.4.1
  it('after seven days, and housekeeping removes it', async () => {
    const { id, token } = await invite(service, admin);
    await expire(id);
    expectRefusal(await show(token), 404, 'not_found');
    await runHousekeeping({ db: service.database.db, usageRetentionYears: 10 });
    expect(await service.database.owner`SELECT 1 FROM invitations WHERE id = ${id}`).toEqual([]);
  });
});

it('a role with an open invitation is in use, and with an expired one is not', async () => {
  const role = await createRole(service, admin);
  const { id } = await invite(service, admin, { roleId: role.id });
  expectRefusal(await call(admin, 'DELETE', `/company/roles/${role.id}`), 409, 'role_in_use');
  await expire(id);
  expectStatus(await call(admin, 'DELETE', `/company/roles/${role.id}`), 204);
});

it('a text that is no token is 404', async () => {
  for (const token of ['x', randomUUID(), 'a'.repeat(43), 'a'.repeat(1_000), '%20'])
    expectRefusal(await show(token), 404, 'not_found');
});
