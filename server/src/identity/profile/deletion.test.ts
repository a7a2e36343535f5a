import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newEmail, signUpBody } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { registerPasskey } from '../../../test/customers/second-factors.ts';
import { dumpDatabase } from '../../../test/harness/database/database-dump.ts';
import { sendDuring } from '../../../test/harness/database/deadlock.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { addMember } from '../../../test/identity/roles.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';
import { recordAudit } from '../../audit/audit.service.ts';
import { runHousekeeping } from '../../housekeeping.ts';
import type { Tx } from '../../platform/database/database.ts';
import { SYSTEM } from '../../platform/http/route/actor.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const remove = ({ token }: Pick<Actor, 'token'>, body: object = { password: PASSWORD }) =>
  service.call('DELETE', '/auth/me', { token, body });
const readMe = async ({ token }: Pick<Actor, 'token'>) => (await service.call('GET', '/auth/me', { token })).status;

async function operator(path: string) {
  return expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
}

// ASVS 7.4.2
describe('a deleted account', () => {
  it.each([
    ['of a customer', signUpCustomer],
    ['of an admin beside another', async () => addMember(service, await signUpAdmin(service), 'Admin')],
  ])('%s ends at once with its sessions, and its e-mail is free', async (_whose, sign) => {
    const user = await sign(service);
    const { data } = expectStatus(await logIn(service, { email: user.email }), 200).body;
    expect([await readMe(user), await readMe({ token: data.access_token })]).toEqual([200, 200]);
    const answer = expectStatus(await remove(user), 204);
    expect(answer.text).toBe('');
    expect([await readMe(user), await readMe({ token: data.access_token })]).toEqual([401, 401]);
    const body = { refresh_token: user.refreshToken };
    expectStatus(await service.call('POST', '/auth/refresh', { body }), 401);
    expectStatus(await logIn(service, { email: user.email }), 401);
    expectStatus(await service.call('POST', '/auth/signup/customer', { body: signUpBody({ email: user.email }) }), 201);
  });

  it('is no member any more, and what it made stays', async () => {
    const admin = await signUpAdmin(service);
    const member = await addMember(service, admin, 'Admin');
    const body = { name: 'Kept', description: '', color: '#ff8800', userName: 'Grace' };
    expectStatus(
      await service.call('POST', '/labels', { token: member.token, body: { ...body, description: 'x' } }),
      201,
    );
    expectStatus(await remove(member), 204);
    const { data } = expectStatus(await service.call('GET', '/company/members', { token: admin.token }), 200).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([admin.userId]);
    const labels = expectStatus(await service.call('GET', '/labels', { token: admin.token }), 200).body;
    expect(labels.data).toMatchObject([{ name: 'Kept', userId: member.userId }]);
  });

  it('leaves links of its mails that do not work', async () => {
    const user = await signUpCustomer(service);
    const [{ text }] = await mailsTo(service, user.email);
    expectStatus(
      await service.call('PUT', '/auth/email', { token: user.token, body: { email: newEmail(), password: PASSWORD } }),
      202,
    );
    const [notice] = await mailsTo(service, user.email);
    expectStatus(await remove(user), 204);
    for (const [path, mail] of [
      ['/auth/email/verify', text],
      ['/auth/email/revert', notice.text],
    ])
      expectStatus(await service.call('POST', path, { body: { token: tokenIn(mail) } }), 400);
  });

  // Security (Accounts and permissions): A deleted account leaves no personal data in the database
  it('leaves no personal data in the database', async () => {
    const own = await startTestService();
    const [email, former, wanted] = ['Zoe.Quux@quux.example', 'former@quux.example', 'wanted@quux.example'];
    const person = { first_name: 'Zoequux', last_name: 'Wibblequux', email: former };
    const call = (method: string, path: string, body: object, token = '') => own.call(method, path, { token, body });
    const { data } = expectStatus(await call('POST', '/auth/signup/customer', signUpBody(person)), 201).body;
    const profile = {
      phone: '+1 555 0142',
      city: 'Quuxtown',
      country: 'Quuxland',
      avatar: 'https://quux.example/a.png',
    };
    expectStatus(await call('PUT', '/auth/me', profile, data.access_token), 200);
    expectStatus(await call('PUT', '/auth/email', { email, password: PASSWORD }, data.access_token), 202);
    const [change] = await mailsTo(own, email);
    expectStatus(await call('POST', '/auth/email/verify', { token: tokenIn(change.text) }), 204);
    expectStatus(await call('PUT', '/auth/email', { email: wanted, password: PASSWORD }, data.access_token), 202);
    expectStatus(await logIn(own, { email: email, password: 'Wrong-horse-7' }), 401);
    const traces = /quux|555 0142/i;
    const found = async () => (await dumpDatabase(own.database.owner)).filter(({ text }) => traces.test(text));
    expect(new Set((await found()).map(({ table }) => table)).size).toBeGreaterThan(3);
    expectStatus(await call('DELETE', '/auth/me', { password: PASSWORD }, data.access_token), 204);
    expect((await found()).map(({ table, text }) => `${table}: ${text}`)).toEqual([]);
    await own.stop();
  });

  it('leaves no row that belongs to it, in whichever table', async () => {
    const { owner } = service.database;
    const references = await owner<{ table: string; column: string }[]>`
      SELECT conrelid::regclass::text AS table, attname AS column
      FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'f' AND confrelid = 'users'::regclass AND conrelid <> 'labels'::regclass`;
    expect(references.map(({ table }) => table)).toContain('sessions');
    const user = await signUpCustomer(service);
    const token = user.token;
    const rowsOf = async () => {
      const counts = await Promise.all(
        references.map(async ({ table, column }) => {
          const rows = await owner`SELECT FROM ${owner(table)} WHERE ${owner(column)} = ${user.userId}`;
          return rows.length > 0 ? [table] : [];
        }),
      );
      return counts.flat();
    };
    const body = { password: PASSWORD };
    expectStatus(await service.call('POST', '/auth/totp', { token, body }), 200);
    expectStatus(await service.call('POST', '/auth/passkeys/options', { token, body }), 200);
    expectStatus(await service.call('PUT', '/auth/email', { token, body: { ...body, email: newEmail() } }), 202);
    expect(await rowsOf()).toEqual(
      expect.arrayContaining(['sessions', 'known_networks', 'email_tokens', 'email_reverts', 'totp_secrets']),
    );
    expectStatus(await remove(user), 204);
    expect(await rowsOf()).toEqual([]);
  });

  // Security (Accounts and permissions): A deleted account leaves its id in the audit log, whose chain still verifies
  // ASVS 10.3.3
  it('is in the audit log with its id, without its name, its e-mail and those of its passkeys, and the chain verifies', async () => {
    const admin = await signUpAdmin(service);
    const member = await addMember(service, admin, 'Admin');
    expectStatus(await service.call('PUT', '/auth/me', { token: member.token, body: { city: 'London' } }), 200);
    await registerPasskey(service, member, { name: 'Phone of Ada' });
    expectStatus(await remove(member), 204);
    const log = await service.call('GET', `/company/audit-log?actor=${member.userId}`, { token: admin.token });
    const { data } = expectStatus(log, 200).body;
    expect(data[0]).toMatchObject({ action: 'user.deleted', target: { kind: 'user', id: member.userId, name: '' } });
    expect(data[1]).toMatchObject({ action: 'passkey.created', target: { kind: 'passkey', name: '' }, changes: null });
    expect(data[2]).toMatchObject({ action: 'user.updated', changes: null });
    for (const { actor } of data) expect(actor).toMatchObject({ kind: 'user', id: member.userId, name: '' });
    expect(log.text).not.toMatch(new RegExp(`${member.email}|Lovelace|of Ada`));
    const all = await operator(`/operator/audit-log?target=${member.userId}&perPage=1000`);
    expect(JSON.stringify(all)).not.toMatch(new RegExp(`${member.email}|Lovelace`));
    let cursor = '';
    do {
      const { problems, nextCursor } = await operator(`/operator/audit-log/verification${cursor}`);
      expect(problems).toEqual([]);
      cursor = nextCursor === null ? '' : `?cursor=${nextCursor}`;
    } while (cursor !== '');
  });

  it('is deleted by one of several requests at once; the others are 401', async () => {
    const user = await signUpCustomer(service);
    const answers = await Promise.all([1, 2, 3].map(() => remove(user)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401]);
  });

  // Security (Accounts and permissions): An account that joins a company while it is deleted leaves no member
  it('is no member of a company that it joins at the same time: 503, and the next request deletes it', async () => {
    const admin = await signUpAdmin(service);
    const user = await signUpCustomer(service);
    const join = (tx: Tx) =>
      tx`UPDATE users SET company_id = ${admin.companyId}, role = 'Viewer' WHERE id = ${user.userId}`;
    const members = async () =>
      expectStatus(await service.call('GET', '/company/members', { token: admin.token }), 200).body.total;
    expectStatus(await sendDuring(service.database, join, () => remove(user)), 503);
    expect(await members()).toBe(2);
    expectStatus(await remove(user), 204);
    expect(await members()).toBe(1);
  });

  it('is forgotten in entries too that other processes wrote while it was deleted', async () => {
    const admin = await signUpAdmin(service);
    const member = await addMember(service, admin, 'Admin');
    expectStatus(await remove(member), 204);
    const { db, owner } = service.database;
    const actor = { ...SYSTEM, kind: 'user' as const, id: member.userId, name: 'Ada Lovelace' };
    await recordAudit(db, admin.companyId, {
      audience: 'company',
      actor,
      action: 'label.created',
      target: null,
      changes: null,
    });
    const names = async () => {
      const { data } = await operator(`/operator/audit-log?actor=${member.userId}&companyId=${admin.companyId}`);
      return data.map((entry: { actor: { name: string } }) => entry.actor.name);
    };
    expect((await names())[0]).toBe('Ada Lovelace');
    await owner`UPDATE users SET deleted_at = deleted_at - interval '2 minutes' WHERE id = ${member.userId}`;
    await runHousekeeping({ db, usageRetentionYears: 10 });
    expect(new Set(await names())).toEqual(new Set(['']));
  });
});

describe('an account is not deleted', () => {
  it('with a wrong password, or without one', async () => {
    const user = await signUpCustomer(service);
    const wrong = expectStatus(await remove(user, { password: 'Wrong-horse-7' }), 401);
    expect(wrong.body.error.code).toBe('invalid_credentials');
    const without = expectStatus(await remove(user, {}), 400);
    expect(without.body.error.details).toEqual([{ field: 'password', message: 'is required' }]);
    expect(await readMe(user)).toBe(200);
  });

  it('if it is the last of its company that may change members and roles: 409 last_admin', async () => {
    const admin = await signUpAdmin(service);
    await addMember(service, admin, 'Viewer');
    const answer = expectStatus(await remove(admin), 409);
    expect(answer.body).toMatchObject({ data: null, error: { code: 'last_admin' } });
    expect(await readMe(admin)).toBe(200);
    const { data } = expectStatus(await service.call('GET', '/auth/me', { token: admin.token }), 200).body;
    expect(data).toMatchObject({ first_name: 'Ada', email: admin.email, company: { id: admin.companyId } });
  });

  it('if two last admins delete theirs at once: one of them stays', async () => {
    const admin = await signUpAdmin(service);
    const other = await addMember(service, admin, 'Admin');
    const answers = await Promise.all([remove(admin), remove(other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });
});

it('an account without a password is deleted in a session younger than ten minutes', async () => {
  const user = await signUpCustomer(service);
  const { owner } = service.database;
  await owner`UPDATE users SET password_hash = NULL WHERE id = ${user.userId}`;
  await owner`UPDATE sessions SET created_at = now() - interval '10 minutes' WHERE user_id = ${user.userId}`;
  expect(expectStatus(await remove(user, {}), 401).body.error.code).toBe('reauthentication_required');
  await owner`UPDATE sessions SET created_at = now() - interval '9 minutes' WHERE user_id = ${user.userId}`;
  expectStatus(await service.call('DELETE', '/auth/me', { token: user.token }), 204);
  expect(await readMe(user)).toBe(401);
});
