import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { addMember } from '../../../test/identity/roles.ts';
import type { Tx } from '../../platform/database/database.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const DEFAULTS = { require_second_factor: false, sign_in: 'password', break_glass_member_id: null };
const read = ({ token }: Actor) => service.call('GET', '/company/settings', { token });
const change = ({ token }: Actor, body: object) => service.call('PUT', '/company/settings', { token, body });

/** Gives a user TOTP, as if the first code had been shown. */
const giveSecondFactor = ({ userId }: Actor) => service.database.owner`
  INSERT INTO totp_secrets (user_id, secret, confirmed_at) VALUES (${userId}, ''::bytea, now())`;

it('a second factor is demanded by who has one, of all members at once', async () => {
  const admin = await signUpAdmin(service);
  const member = await addMember(service, admin, 'Viewer');
  expectStatus(await read(member), 200);
  expect((await read(admin)).body).toEqual(DEFAULTS);
  expectRefusal(await change(admin, { require_second_factor: true }), 403, 'second_factor_required');
  await giveSecondFactor(admin);
  const settings = { ...DEFAULTS, require_second_factor: true };
  expect(expectStatus(await change(admin, { require_second_factor: true }), 200).body).toEqual(settings);
  expect((await read(admin)).body).toEqual(settings);
  expectRefusal(await read(member), 403, 'second_factor_required');
  expect(expectStatus(await change(admin, { require_second_factor: false }), 200).body).toEqual(DEFAULTS);
  expectStatus(await read(member), 200);
  const { data } = (
    await service.call('GET', '/company/audit-log?action=company_settings.updated', { token: admin.token })
  ).body;
  expect(data[1].changes).toEqual({ before: { require_second_factor: false }, after: { require_second_factor: true } });
});

it('single sign-on without a provider is 409 no_sign_in_provider', async () => {
  const admin = await signUpAdmin(service);
  expectRefusal(await change(admin, { sign_in: 'sso' }), 409, 'no_sign_in_provider');
  expect((await change(admin, { sign_in: 'password' })).body).toEqual(DEFAULTS);
});

it('the break-glass member is one of the company, and nobody once that member leaves', async () => {
  const admin = await signUpAdmin(service);
  const member = await addMember(service, admin, 'Admin');
  for (const id of [randomUUID(), 'x', (await signUpAdmin(service)).userId]) {
    const answer = await change(admin, { break_glass_member_id: id });
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.error.details).toMatchObject([{ field: 'break_glass_member_id' }]);
  }
  const named = { ...DEFAULTS, break_glass_member_id: member.userId };
  expect((await change(admin, { break_glass_member_id: member.userId })).body).toEqual(named);
  expect((await change(admin, {})).body).toEqual(named);
  const path = `/company/members/${member.userId}`;
  expectStatus(await service.call('DELETE', path, { token: admin.token }), 204);
  expect((await read(admin)).body).toEqual(DEFAULTS);
});

it('the break-glass member is nobody who leaves at the same time: 400', async () => {
  const admin = await signUpAdmin(service);
  const { userId } = await addMember(service, admin, 'Admin');
  const leave = async (tx: Tx) => {
    await tx`SELECT 1 FROM companies WHERE id = ${admin.companyId} FOR NO KEY UPDATE`;
    await tx`UPDATE users SET company_id = NULL, role = 'Customer' WHERE id = ${userId}`;
  };
  const name = () => change(admin, { break_glass_member_id: userId });
  expectRefusal(await sendDuring(service.database, leave, name), 400, 'invalid_request');
});
