import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

const read = async ({ token }: Actor) => expectStatus(await service.call('GET', '/auth/me', { token }), 200).body;
const change = ({ token }: Actor, body: object) => service.call('PUT', '/auth/me', { token, body });
const changed = async (actor: Actor, body: object) => expectStatus(await change(actor, body), 200).body;

const FULL = {
  first_name: 'Grace',
  last_name: 'Hopper',
  phone: '+1 (555) 010-0199 ext. 12',
  country: 'US',
  city: 'Arlington',
  avatar: 'https://cdn.example.com/grace.png?size=200',
  language: 'es-419',
  timezone: 'America/New_York',
  default_app: 'billing',
};

describe('the profile', () => {
  it.each([
    ['an admin', signUpAdmin],
    ['a customer', signUpCustomer],
  ])('of %s is what the login answers', async (_who, signUp) => {
    const actor = await signUp(service);
    const { data } = expectStatus(await logIn(service, { email: actor.email }), 200).body;
    expect(await read(actor)).toEqual({ error: null, data: data.user });
    expect(data.user).toMatchObject({ email_verified: false, two_factor: false });
  });

  it('says that the e-mail is verified once it is', async () => {
    const actor = await signUpAdmin(service);
    const [{ text }] = await mailsTo(service, actor.email);
    expectStatus(await service.call('POST', '/auth/email/verify', { body: { token: tokenIn(text) } }), 204);
    expect((await read(actor)).data.email_verified).toBe(true);
  });
});

describe('a change of the profile', () => {
  it('takes every field, and answers and keeps them as they were sent', async () => {
    const actor = await signUpAdmin(service);
    const before = (await read(actor)).data;
    const answer = await changed(actor, FULL);
    expect(answer).toEqual({ error: null, data: { ...before, ...FULL } });
    expect(await read(actor)).toEqual(answer);
  });

  it.each(Object.entries(FULL))('of %s leaves the other fields as they are', async (name, value) => {
    const actor = await signUpCustomer(service);
    const before = (await read(actor)).data;
    expect((await changed(actor, { [name]: value })).data).toEqual({ ...before, [name]: value });
    expect((await changed(actor, {})).data).toEqual({ ...before, [name]: value });
  });

  it('unsets a field with an empty text', async () => {
    const actor = await signUpAdmin(service);
    await changed(actor, FULL);
    const { first_name, last_name, ...others } = FULL;
    const empty = Object.fromEntries(Object.keys(others).map((name) => [name, '']));
    expect((await changed(actor, empty)).data).toMatchObject({ first_name, last_name, ...empty });
  });

  it('takes the whole profile back, and changes nothing that is not the user’s to change', async () => {
    const actor = await signUpCustomer(service);
    const { data } = await read(actor);
    const wishes = { id: crypto.randomUUID(), email: 'other@example.com', email_verified: true, two_factor: true };
    const role = { ...data.role, name: 'Admin' };
    expect(await changed(actor, { ...data, ...wishes, role, company: { id: actor.userId }, state: 'x' })).toEqual({
      error: null,
      data,
    });
  });

  it('is in the audit log with the fields that changed', async () => {
    const actor = await signUpAdmin(service);
    await changed(actor, { first_name: 'Ada', city: 'London', timezone: 'Europe/London' });
    const log = await service.call('GET', '/company/audit-log', { token: actor.token });
    expect(expectStatus(log, 200).body.data[0]).toMatchObject({
      action: 'user.updated',
      actor: { kind: 'user', id: actor.userId },
      target: { kind: 'user', id: actor.userId, name: actor.email },
      changes: { before: { city: '', timezone: '' }, after: { city: 'London', timezone: 'Europe/London' } },
    });
  });

  it('decides in which language mails are', async () => {
    const actor = await signUpAdmin(service);
    await changed(actor, { language: 'fr-CA' });
    expectStatus(await service.call('POST', '/auth/email/verification', { token: actor.token }), 202);
    expect((await mailsTo(service, actor.email))[0]).toMatchObject({ type: 'verify_email', language: 'fr' });
  });

  it('made at once with another one mixes with it field by field', async () => {
    const actor = await signUpAdmin(service);
    const answers = await Promise.all(Object.entries(FULL).map(([name, value]) => change(actor, { [name]: value })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await read(actor)).data).toMatchObject(FULL);
  });
});

describe('a field that breaks its rule is 400', () => {
  const PLAIN_HTTP = ['http', '://cdn.example.com/a.png'].join('');
  it.each([
    ['first_name', ['', '  ', 'x'.repeat(256)]],
    ['last_name', ['', '\t']],
    ['phone', ['none', '12', 'call 555 0100', '5550100x', '+1 555 0100 ext. 12345678', '1'.repeat(26)]],
    [
      'avatar',
      [
        PLAIN_HTTP,
        'cdn.example.com/a.png',
        '//cdn.example.com',
        'https://',
        'https://a b.example.com/',
        'data:image/png,x',
      ],
    ],
    [
      'avatar',
      ['https://user:secret@cdn.example.com/', 'https:\\\\cdn.example.com', `https://x.example/${'a'.repeat(255)}`],
    ],
    ['language', ['english please', 'e', 'en_US', 'en-', 'en--US', '-', 'en, de', 'x'.repeat(20)]],
    ['timezone', ['Mars/Phobos', '+02:00', 'Berlin', '../etc']],
  ])('%s: %j', async (name, values) => {
    const actor = await signUpCustomer(service);
    const before = await read(actor);
    for (const value of values) {
      const answer = expectStatus(await change(actor, { [name]: value }), 400);
      expect(answer.body.error.details).toEqual([{ field: name, message: expect.any(String) }]);
    }
    expect(await read(actor)).toEqual(before);
  });

  it.each([
    ['phone', ['+44 20 7946 0000', '0800/123456', '555.0100', '(030) 12 34-56']],
    ['avatar', ['https://cdn.example.com', 'HTTPS://cdn.example.com/%C3%A4.png', 'https://bücher.example/ä.png']],
    ['language', ['de', 'de-AT', 'zh-Hant-TW', 'sr-latn-rs', 'en-u-ca-gregory']],
    ['timezone', ['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires']],
  ])('and others are taken: %s: %j', async (name, values) => {
    const actor = await signUpCustomer(service);
    for (const value of values) expect((await changed(actor, { [name]: value })).data[name]).toBe(value);
  });
});
