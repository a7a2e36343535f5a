/** A company and its people from the sign-up on, with all that happens to their access, and what the audit log tells of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePasskey, usePasskey } from '../customers/authenticator.ts';
import { type App, createClock, openApp, originOf } from '../customers/second-factors.ts';
import { runPaydesk } from '../harness/paydesk-command.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { only } from '../identity/roles.ts';
import { meet, type Person } from './people.ts';

const PASSWORD = 'Correct-horse-7';
const NEW_PASSWORD = 'Better-battery-8';

const time = createClock();
let service: TestService;
/** The people of Analytical Engines. */
let ada: Person;
let grace: Person;
let alan: Person;
let joan: Person;
let passkey: ReturnType<typeof makePasskey>['device'];
let app: App;

beforeAll(async () => {
  service = await startTestService({ clock: time.clock });
  [ada, grace, alan, joan] = [
    meet(service, 'Ada'),
    meet(service, 'Grace'),
    meet(service, 'Alan'),
    meet(service, 'Joan'),
  ];
});
afterAll(async () => service?.stop());

describe('access to a company', () => {
  it('begins with a sign-up and a link that verifies the e-mail address', async () => {
    const name = { first_name: 'Ada', last_name: 'Lovelace' };
    await ada.does('POST /auth/signup/admin', { ...name, email: ada.email, password: PASSWORD });
    await ada.does('PUT /company', { name: 'Analytical Engines' });
    await ada.does('POST /auth/email/verify', { token: await ada.linkOf('verify_email') });
    const { data } = await ada.does('GET /auth/me');
    expect(data).toMatchObject({ role: { name: 'Admin' }, email_verified: true, two_factor: false });
  });

  it('needs more than the password once its admin has a passkey and an authenticator app', async () => {
    const { data: options } = await ada.does('POST /auth/passkeys/options', { password: PASSWORD });
    const made = makePasskey(originOf(service), options);
    passkey = made.device;
    const registered = await ada.does('POST /auth/passkeys', { name: 'Phone', passkey: made.passkey });
    expect(registered.data.recovery_codes).toHaveLength(10);

    const { data } = await ada.does('POST /auth/totp', { password: PASSWORD });
    app = openApp(data.secret, time);
    await ada.does('POST /auth/totp/confirm', { code: app.code() });

    const login = await ada.logsIn(PASSWORD);
    expect(login.data).toEqual({
      second_factor: expect.objectContaining({ methods: ['totp', 'recovery_code', 'passkey'] }),
    });
  });

  it('is by a passkey alone, or by the password and a code', async () => {
    const { data: options } = await ada.does('POST /auth/passkeys/login/options');
    await ada.does('POST /auth/passkeys/login', { passkey: usePasskey(originOf(service), passkey, options) });

    time.goOn(1);
    const { data } = await ada.logsIn(PASSWORD);
    await ada.does('POST /auth/local/second-factor', { token: data.second_factor.token, code: app.code() });
    expect((await ada.does('GET /auth/sessions')).data).toHaveLength(3);
    await ada.does('DELETE /auth/sessions');
    expect((await ada.does('GET /auth/sessions')).data).toHaveLength(1);
  });

  it('is given to three others by invitations, each with a role', async () => {
    const { data: roles } = await ada.does('GET /company/roles');
    const roleNamed = (name: string) => roles.find((role: { name: string }) => role.name === name).id;
    const joins = async (person: Person, role: string, first_name: string, last_name: string) => {
      await ada.does('POST /company/invitations', { email: person.email, role_id: roleNamed(role) });
      const token = await person.linkOf('invitation');
      const { data } = await person.does(`GET /auth/invitations/${token}`);
      expect(data).toMatchObject({ company: { name: 'Analytical Engines' }, invited_by: { name: 'Ada Lovelace' } });
      await person.does('POST /auth/invitations/accept', { token, first_name, last_name, password: PASSWORD });
    };
    await joins(grace, 'Billing manager', 'Grace', 'Hopper');
    await joins(alan, 'Support agent', 'Alan', 'Turing');
    await joins(joan, 'Viewer', 'Joan', 'Clarke');

    await grace.does('PUT /payments/billing-information', { organization: 'Analytical Engines Ltd' });
    await joan.does('GET /payments/billing-information');
    expect(await joan.isRefused('PUT /payments/billing-information', { city: 'Cheltenham' })).toBe('403 forbidden');
    expect(await alan.isRefused('GET /payments/billing-information')).toBe('403 forbidden');
    await alan.does('POST /labels', {
      name: 'Priority',
      description: 'Answer within the hour',
      color: '#ff8800',
      userName: 'Alan Turing',
    });
  });

  it('is regained by who has forgotten the password: the link ends every session, and logs nobody in', async () => {
    await grace.does('POST /auth/password/forgot', { email: grace.email });
    const reset = { token: await grace.linkOf('reset_password'), new_password: NEW_PASSWORD };
    await grace.does('POST /auth/password/reset', reset);
    expect(await grace.isRefused('GET /auth/me')).toBe('401 unauthenticated');
    expect(await grace.isRefused('POST /auth/password/reset', reset)).toBe('400 invalid_token');

    grace.closesTheApp();
    expect(await grace.isRefused('POST /auth/local', { email: grace.email, password: PASSWORD })).toBe(
      '401 invalid_credentials',
    );
    await grace.logsIn(NEW_PASSWORD);
  });

  it('ends at once for who leaves; the account stays, without a company', async () => {
    const { data: members } = await ada.does('GET /company/members');
    const { id } = members.find(({ email }: { email: string }) => email === alan.email);
    await ada.does(`DELETE /company/members/${id}`);
    expect(await alan.isRefused('GET /labels')).toBe('401 unauthenticated');

    alan.closesTheApp();
    const { data } = await alan.logsIn(PASSWORD);
    expect(data.user.role.name).toBe('Customer');
    expect(await alan.isRefused('GET /labels')).toBe('403 forbidden');
  });

  it('by an API key ends when a stolen one is deleted; the log says what the thief has done with it', async () => {
    const permission = only('platform.billing', { view: true, all: true });
    const { id, key } = await ada.does('POST /company/api-keys', { name: 'Bookkeeping', permission });
    const program = meet(service, 'Bookkeeping', { key });
    await program.does('GET /payments/orders');

    const burglar = meet(service, 'Burglar', { key });
    await burglar.does('PUT /payments/billing-information', { organization: 'Mallory Ltd' });
    expect(await burglar.isRefused('GET /company/members')).toBe('403 forbidden');

    const { data: deeds } = await ada.does(`GET /company/audit-log?actor=${id}`);
    expect(deeds).toMatchObject([
      {
        actor: { kind: 'api_key', name: 'Bookkeeping' },
        action: 'billing_information.updated',
        changes: { before: { organization: 'Analytical Engines Ltd' }, after: { organization: 'Mallory Ltd' } },
      },
    ]);
    await ada.does(`DELETE /company/api-keys/${id}`);
    for (const holder of [burglar, program]) {
      expect(await holder.isRefused('GET /payments/orders')).toBe('401 unauthenticated');
    }
    await grace.does('PUT /payments/billing-information', { organization: 'Analytical Engines Ltd' });
  });

  it('with a stolen refresh token ends when its owner uses the same token: all tokens of that session are refused', async () => {
    const thief = meet(service, 'Mallory');
    const stolen = joan.refreshToken();
    await thief.does('POST /auth/refresh', { refresh_token: stolen });
    await thief.refreshes();
    await thief.does('GET /company/members');

    expect(await joan.isRefused('POST /auth/refresh', { refresh_token: stolen })).toBe('401 session_revoked');
    expect(await thief.isRefused('GET /company/members')).toBe('401 unauthenticated');
    expect(await thief.isRefused('POST /auth/refresh', { refresh_token: thief.refreshToken() })).toBe(
      '401 session_revoked',
    );
    joan.closesTheApp();
    await joan.logsIn(PASSWORD);
  });

  it('is in the audit log from the first entry to the last', async () => {
    const { data } = await ada.does('GET /company/audit-log?per_page=1000');
    expect(writeLog(data.toReversed())).toEqual(
      readLog(`
        Ada Lovelace    user.signed_up               ada@example.com
        Ada Lovelace    company.updated              Analytical Engines
        Ada Lovelace    user.email_verified          ada@example.com
        Ada Lovelace    passkey.created              Phone
        Ada Lovelace    totp.enabled                 ada@example.com
        Ada Lovelace    login.succeeded              ada@example.com
        Ada Lovelace    login.succeeded              ada@example.com
        Ada Lovelace    session.ended                (session)
        Ada Lovelace    session.ended                (session)
        Ada Lovelace    invitation.created           grace@example.com
        Grace Hopper    invitation.accepted          grace@example.com
        Grace Hopper    user.signed_up               grace@example.com
        Ada Lovelace    invitation.created           alan@example.com
        Alan Turing     invitation.accepted          alan@example.com
        Alan Turing     user.signed_up               alan@example.com
        Ada Lovelace    invitation.created           joan@example.com
        Joan Clarke     invitation.accepted          joan@example.com
        Joan Clarke     user.signed_up               joan@example.com
        Grace Hopper    billing_information.updated  (billing_information)
        Alan Turing     label.created                Priority
        Grace Hopper    user.password_reset          grace@example.com
        (anonymous)     login.failed                 grace@example.com
        Grace Hopper    login.succeeded              grace@example.com
        Ada Lovelace    member.deleted               alan@example.com
        Ada Lovelace    api_key.created              Bookkeeping
        Bookkeeping     billing_information.updated  (billing_information)
        Ada Lovelace    api_key.deleted              Bookkeeping
        Grace Hopper    billing_information.updated  (billing_information)
        (anonymous)     session.reuse_detected       (session)
        Joan Clarke     login.succeeded              joan@example.com
      `),
    );
    const reuse = data.find(({ action }: Entry) => action === 'session.reuse_detected');
    expect(reuse.changes.after).toEqual({ user_id: (await joan.does('GET /auth/me')).data.id });
  });

  it('has a log that nobody has changed: its chain verifies', async () => {
    const { code, stdout, stderr } = await runPaydesk(service, ['audit', 'verify']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^The audit log is genuine: \d+ entries checked\.\n$/);
  });
});

type Named = { kind: string; name: string };
type Entry = { actor: Named; action: string; target: Named | null };

/** Writes entries as lines: who, what, and to what; the kind of what has no name. */
function writeLog(entries: Entry[]): string[] {
  const nameOf = (one: Named | null) => one?.name || `(${one?.kind})`;
  return entries.map(({ actor, action, target }) => [nameOf(actor), action, nameOf(target)].join('  '));
}

/** Reads lines whose columns are aligned. */
function readLog(table: string): string[] {
  const lines = table.trim().split('\n');
  return lines.map((line) => line.trim().replace(/ {2,}/g, '  '));
}
