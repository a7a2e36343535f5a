import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newEmail, signUpBody } from '../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { mailsTo } from '../../test/mail/mails.ts';
import { runHousekeeping } from '../housekeeping.ts';
import { SYSTEM_ROLES } from '../platform/permissions.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Array.from({ length: count }, (_, index) => index).reduce<Promise<T[]>>(
    async (before, index) => [...(await before), await work(index)],
    Promise.resolve([]),
  );
/** The address with one letter after the other in upper case. */
const spell = (email: string, index: number) =>
  `${email.slice(0, index)}${email.charAt(index).toUpperCase()}${email.slice(index + 1)}`;
const count = async (email: string, type: string) =>
  (await mailsTo(service, email)).filter((mail) => mail.type === type).length;
const invite = ({ token }: Actor, email: string) =>
  service.call('POST', '/company/invitations', { token, body: { email, role_id: SYSTEM_ROLES.Viewer.id } });

describe('an address gets within an hour', () => {
  // Security (Mails): Nobody is flooded with mails by accounts that are made anew
  it('five verifications, also when it is signed up, deleted and signed up again', async () => {
    const email = `abcdefgh-${newEmail()}`;
    const mails = await times(7, async (index) => {
      const body = signUpBody({ email: spell(email, index) });
      const { data } = expectStatus(await service.call('POST', '/auth/signup/customer', { body }), 201).body;
      const sent = await count(spell(email, index), 'verify_email');
      const deletion = { token: data.access_token, body: { password: PASSWORD } };
      expectStatus(await service.call('DELETE', '/auth/me', deletion), 204);
      return sent;
    });
    expect(mails).toEqual([1, 1, 1, 1, 1, 0, 0]);
  });

  // Security (Mails): Nobody is flooded with invitations by other spellings of an address
  it('five invitations of a company, however it is spelled', async () => {
    const admin = await signUpAdmin(service);
    const email = `abcdefgh-${newEmail()}`;
    const statuses = await times(6, async (index) => {
      const { status, body } = await invite(admin, spell(email, index));
      if (status === 201)
        expectStatus(await service.call('DELETE', `/company/invitations/${body.id}`, { token: admin.token }), 204);
      return status;
    });
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  it('no invitation of a company that has sent two hundred', async () => {
    const admin = await signUpAdmin(service);
    expectStatus(await invite(admin, newEmail()), 201);
    const setCounts = (mails: number) => service.database.owner`
      UPDATE mail_counts SET written_at = array_fill(now()::timestamptz(3), ARRAY[${mails}::integer])`;
    await setCounts(200);
    expectStatus(await invite(admin, newEmail()), 429);
    expectStatus(await invite(await signUpAdmin(service), newEmail()), 201);
    await setCounts(199);
    expectStatus(await invite(admin, newEmail()), 201);
  });

  // Security (Mails): Nobody is flooded with invitations of many companies
  it('twenty of all companies together', async () => {
    const email = newEmail();
    const statuses = await times(21, async () => (await invite(await signUpAdmin(service), email)).status);
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
  });

  it('ten notices of a change of the e-mail, to whatever address', async () => {
    const { token, email } = await signUpAdmin(service);
    const wanted = await times(11, async () => {
      const body = { email: newEmail(), password: PASSWORD };
      expectStatus(await service.call('PUT', '/auth/email', { token, body }), 202);
      return body.email;
    });
    expect(await count(email, 'email_changing')).toBe(10);
    expect(await count(wanted.at(-1) ?? '', 'change_email')).toBe(0);
  });

  it('twenty notices of changed passwords', async () => {
    const { token, email } = await signUpAdmin(service);
    const passwordOf = (index: number) => (index === 0 ? PASSWORD : `Another-horse-${index}-x`);
    await times(21, async (index) => {
      const body = { current_password: passwordOf(index), new_password: passwordOf(index + 1) };
      expectStatus(await service.call('PUT', '/auth/password', { token, body }), 204);
    });
    expect(await count(email, 'password_changed')).toBe(20);
  });
});

it('the counts are over after an hour, and housekeeping removes them', async () => {
  const { token, email } = await signUpAdmin(service);
  const resend = async () => expectStatus(await service.call('POST', '/auth/email/verification', { token }), 202);
  await times(6, resend);
  expect(await count(email, 'verify_email')).toBe(5);
  const { owner } = service.database;
  await owner`
    UPDATE mail_counts SET expires_at = expires_at - interval '1 hour',
      written_at = ARRAY(SELECT at - interval '1 hour' FROM unnest(written_at) AS at)`;
  await resend();
  expect(await count(email, 'verify_email')).toBe(6);
  await runHousekeeping({ db: service.database.db, usageRetentionYears: 10 });
  expect((await owner`SELECT cardinality(written_at) AS mails FROM mail_counts`).map(({ mails }) => mails)).toEqual([
    1,
  ]);
});
