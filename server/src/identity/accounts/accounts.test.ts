import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, newEmail, signUpBody } from '../../../test/customers/accounts.ts';
import {
  CARDS,
  expectStatus,
  PASSWORD,
  saveCard,
  signUpAdmin,
  signUpCustomer,
} from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ENDPOINTS = ['/auth/signup/admin', '/auth/signup/customer', '/auth/local'];
const SIGN_UPS = ['/auth/signup/admin', '/auth/signup/customer'];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.stop());

const post = (path: string, body: unknown) => service.call('POST', path, { body });

/** Both permission groups, with every flag set to the value. */
function permission(value: boolean) {
  const flags = { all: value, view: value };
  return {
    platform: { applications: flags, admins: flags, roles: flags, billing: flags },
    application: {
      applications: null,
      tickets: flags,
      agents: flags,
      customers: flags,
      live_map: flags,
      labels: flags,
      settings: flags,
    },
  };
}

/** The whole profile of a new user. */
function newProfile(email: string, differs: object) {
  return {
    id: expect.stringMatching(UUID),
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '',
    email,
    country: '',
    city: '',
    avatar: '',
    address: null,
    language: '',
    timezone: '',
    default_app: '',
    email_verified: false,
    staff_role: null,
    two_factor: false,
    ...differs,
  };
}

function tokens() {
  return { access_token: expect.any(String), expires_in: 3_600, refresh_token: expect.any(String) };
}

function adminProfile(email: string) {
  return newProfile(email, {
    company: { id: expect.stringMatching(UUID), name: '', phone: '', address: '', describe: '', email: '' },
    role: {
      id: expect.stringMatching(UUID),
      name: 'Admin',
      description: expect.any(String),
      category: 'SYSTEM ROLE',
      permission: permission(true),
    },
    state: 'CARD_NOT_FOUND',
  });
}

function customerProfile(email: string) {
  return newProfile(email, {
    company: { id: '', name: '', phone: '', address: '', describe: '', email: '' },
    role: {
      id: expect.stringMatching(UUID),
      name: 'Customer',
      description: expect.any(String),
      category: 'SYSTEM ROLE',
      permission: permission(false),
    },
    state: 'ACTIVED',
  });
}

describe('the user profile has every field, with its value', () => {
  it('for an Admin: every flag true, a company with empty profile fields, CARD_NOT_FOUND', async () => {
    const body = signUpBody();
    const signedUp = await post('/auth/signup/admin', body);
    expect(signedUp.status).toBe(201);
    expect(signedUp.body).toEqual({
      error: null,
      data: { ...tokens(), user: adminProfile(body.email) },
    });
    const loggedIn = await post('/auth/local', { email: body.email, password: body.password });
    expect(loggedIn.status).toBe(200);
    expect(loggedIn.body).toEqual({
      error: null,
      data: { ...tokens(), user: signedUp.body.data.user },
    });
  });

  it('for a Customer: every flag false, an empty company id, ACTIVED', async () => {
    const body = signUpBody();
    const signedUp = await post('/auth/signup/customer', body);
    expect(signedUp.status).toBe(201);
    expect(signedUp.body).toEqual({
      error: null,
      data: { ...tokens(), user: customerProfile(body.email) },
    });
    const loggedIn = await post('/auth/local', { email: body.email, password: body.password });
    expect(loggedIn.status).toBe(200);
    expect(loggedIn.body).toEqual({
      error: null,
      data: { ...tokens(), user: signedUp.body.data.user },
    });
  });

  it('is answered with the names trimmed and otherwise as sent', async () => {
    const { body } = await post(
      '/auth/signup/admin',
      signUpBody({ first_name: '  Zoë 🎉 ', last_name: "\tO'Neill\n" }),
    );
    expect(body.data.user).toMatchObject({ first_name: 'Zoë 🎉', last_name: "O'Neill" });
  });
});

describe('an admin sign-up creates a company', () => {
  it('of its own, with an empty billing-information record', async () => {
    const [one, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    expect(one.companyId).not.toBe(other.companyId);
    const answer = await service.call('GET', '/payments/billing-information', { token: one.token });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ companyId: one.companyId, firstName: '', country: '', paymentId: null });
  });

  it('and a customer sign-up creates none', async () => {
    const count = async () => (await service.database.owner`SELECT count(*)::int AS count FROM companies`)[0]?.count;
    const before = await count();
    await signUpCustomer(service);
    expect(await count()).toBe(before);
  });
});

describe('state', () => {
  const stateOf = async (email: string) => (await logIn(service, { email })).body.data.user.state;

  it('of an admin turns ACTIVED with the first card and CARD_NOT_FOUND once the last one is deleted', async () => {
    const admin = await signUpAdmin(service);
    expect(await stateOf(admin.email)).toBe('CARD_NOT_FOUND');
    const first = await saveCard(service, admin);
    expect(await stateOf(admin.email)).toBe('ACTIVED');
    const second = await saveCard(service, admin, { cardNumber: CARDS.mastercard });
    await service.call('DELETE', `/payments/cards/${first}`, { token: admin.token });
    expect(await stateOf(admin.email)).toBe('ACTIVED');
    await service.call('DELETE', `/payments/cards/${second}`, { token: admin.token });
    expect(await stateOf(admin.email)).toBe('CARD_NOT_FOUND');
  });

  it("does not follow another company's cards", async () => {
    const [admin, other] = await Promise.all([signUpAdmin(service), signUpAdmin(service)]);
    await saveCard(service, other);
    expect(await stateOf(admin.email)).toBe('CARD_NOT_FOUND');
  });
});

const BROKEN_PASSWORDS: [rule: string, password: string, message: string][] = [
  ['2: 8 characters are not enough', 'Abcde-7x', 'must be longer than 8 characters'],
  ['2: characters are code points, not UTF-16 units', 'Ab-7🎉🎉🎉🎉', 'must be longer than 8 characters'],
  ['3: an uppercase letter', 'correct-horse-7', 'must contain an uppercase letter'],
  ['3: a lowercase letter', 'CORRECT-HORSE-7', 'must contain a lowercase letter'],
  ['4: a special character', 'CorrectHorse7', 'must contain a special character'],
  ['4: a letter of another script is not special', 'CorrectHörse7猫', 'must contain a special character'],
  ['5: a digit', 'Correct-horse', 'must contain a digit'],
  ['at most 256 bytes', `Aa-7${'é'.repeat(127)}`, 'must have at most 256 bytes'],
];

const GOOD_PASSWORDS: [what: string, password: string][] = [
  ['9 characters', 'Abcde-7xy'],
  ['9 code points', 'Ab-7🎉🎉🎉🎉🎉'],
  ['a space as its special character', 'Correct horse 7'],
  ['an emoji as its special character', 'CorrectHorse7🐎'],
  ['letters of another script alone', 'Правильная-лошадь-7'],
  ['a digit of another script', 'Correct-horse-٧'],
  ['129 characters of two bytes, 256 bytes in all', `É-7${'é'.repeat(126)}`],
];

const BAD_EMAILS = [
  ...[
    '',
    '   ',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'ada@example..com',
    '.ada@example.com',
  ],
  ...[
    'ada.@example.com',
    'ada lovelace@example.com',
    'ada@exam ple.com',
    'ada@-example.com',
    'ada@example.com, b@example.com',
  ],
  ...[
    'Ada <ada@example.com>',
    'ada@example.com\nbcc: b@example.com',
    `${'a'.repeat(250)}@example.com`,
    'ada@[127.0.0.1]',
  ],
];

describe.each(ENDPOINTS)('POST %s', (path) => {
  // Security (Accounts and permissions): Each password rule is checked separately, including the lengths
  // ASVS 6.2.1
  it.each(BROKEN_PASSWORDS)('refuses a password that breaks rule %s', async (_rule, password, message) => {
    const answer = await post(path, signUpBody({ password }));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ data: null, error: { code: 'invalid_request' } });
    expect(answer.body.error.details).toEqual([{ field: 'password', message }]);
  });

  it('names every rule that a password breaks', async () => {
    const { body } = await post(path, signUpBody({ password: '' }));
    expect(body.error.details).toHaveLength(5);
  });

  it.each(BAD_EMAILS)('refuses %j, which is not a valid e-mail address (rule 1)', async (email) => {
    const answer = await post(path, signUpBody({ email }));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ data: null, error: { code: 'invalid_request' } });
    const fields = answer.body.error.details.map(({ field }: { field: string }) => field);
    expect(new Set(fields)).toEqual(new Set(['email']));
  });

  it.each(['email', 'password'])('requires %s, as a string', async (field) => {
    for (const value of [undefined, null, 12, true, ['ada@example.com'], { a: 'b' }]) {
      const answer = await post(path, signUpBody({ [field]: value }));
      expect(answer.status).toBe(400);
      expect(answer.body.data).toBeNull();
      expect(answer.body.error.details).toMatchObject([{ field }]);
    }
  });

  // Security (Accounts and permissions): A password of a megabyte is 400
  it('answers a password of nearly 1 MB with 400', async () => {
    const answer = await post(path, signUpBody({ password: `Aa-7${'x'.repeat(1_000_000)}` }));
    expect(answer.status).toBe(400);
  });

  it.each([
    ['no body', {}, 400],
    ['JSON that does not parse', { rawBody: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['another media type', { rawBody: 'email=a', headers: { 'content-type': 'text/plain' } }, 415],
    ['a body over 1 MiB', { body: { email: 'x'.repeat(1_100_000) } }, 413],
  ])('answers %s within the envelope: an error, and data null', async (_what, request, status) => {
    const answer = await service.call('POST', path, request);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ data: null, error: expect.objectContaining({ code: expect.any(String) }) });
  });

  it('answers another method with 405 within the envelope', async () => {
    const answer = await service.call('GET', path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('POST');
    expect(answer.body).toEqual({ data: null, error: expect.objectContaining({ code: 'method_not_allowed' }) });
  });

  it('ignores an Authorization header', async () => {
    const body = signUpBody();
    await post('/auth/signup/customer', path === '/auth/local' ? body : signUpBody());
    const answer = await service.call('POST', path, { body, token: 'not-a-token' });
    expect(answer.body.error).toBeNull();
  });
});

describe.each(SIGN_UPS)('POST %s', (path) => {
  // Security (Accounts and permissions): Passwords of nine characters, other scripts and 129 characters are accepted
  // ASVS 6.2.9
  it.each(GOOD_PASSWORDS)('takes a password with %s, which then logs in', async (_what, password) => {
    const body = signUpBody({ password });
    expectStatus(await post(path, body), 201);
    expectStatus(await logIn(service, { email: body.email, password }), 200);
  });

  it.each(['first_name', 'last_name'])('requires %s: a string of 1 to 255 characters once trimmed', async (field) => {
    for (const value of [undefined, null, 7, '', '  ', 'x'.repeat(256)]) {
      const answer = await post(path, signUpBody({ [field]: value }));
      expect(answer.status).toBe(400);
      expect(answer.body.data).toBeNull();
      expect(answer.body.error.details).toMatchObject([{ field }]);
    }
    expectStatus(await post(path, signUpBody({ [field]: '🎉'.repeat(255) })), 201);
  });

  it('names every field that is missing at once', async () => {
    const { body } = await post(path, {});
    const fields = body.error.details.map(({ field }: { field: string }) => field);
    expect(fields.toSorted()).toEqual(['email', 'first_name', 'last_name', 'password']);
  });

  it('takes common forms of e-mail addresses', async () => {
    for (const local of ["o'neill", 'a.b+tag', 'x_y-z', '!#$%&*/=?^`{|}~', '1']) {
      const email = `${local}@${newEmail().replace('@', '.mail.')}`;
      const answer = await post(path, signUpBody({ email }));
      expect(answer.body.data.user.email).toBe(email);
    }
  });

  it('answers a second sign-up of an e-mail with 409 email_taken, regardless of case and spaces', async () => {
    const email = newEmail();
    const [first] = SIGN_UPS;
    expectStatus(await post(first ?? path, signUpBody({ email: `  ${email.replace('example', 'EXAMPLE')} ` })), 201);
    for (const again of [email, email.toUpperCase(), `\t${email}\n`]) {
      const answer = await post(path, signUpBody({ email: again, password: 'Another-one-8' }));
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ data: null, error: { code: 'email_taken', details: [{ field: 'email' }] } });
    }
    expectStatus(await logIn(service, { email }), 200);
  });

  it('returns the e-mail as it was sent, trimmed, and logs it in regardless of case and spaces', async () => {
    const email = newEmail().replace('example', 'Example');
    const answer = await post(path, signUpBody({ email: ` ${email}  ` }));
    expect(answer.body.data.user.email).toBe(email);
    for (const variant of [email.toLowerCase(), email.toUpperCase(), `  ${email} `]) {
      const loggedIn = await logIn(service, { email: variant });
      expect(loggedIn.body.data.user.email).toBe(email);
    }
  });

  // Security (Accounts and permissions): A sign-up ignores role, company, state and permission in the body
  it('ignores unknown keys (role, companyId, state, permission and others)', async () => {
    const stranger = await signUpAdmin(service);
    const body = signUpBody({
      id: stranger.userId,
      role: 'Admin',
      company: { id: stranger.companyId, name: 'Mine' },
      company_id: stranger.companyId,
      companyId: stranger.companyId,
      permission: permission(true),
      state: 'BANNED',
      phone: '+1 555 0100',
      password_hash: 'x',
      disabled_at: '2020-01-01T00:00:00.000Z',
      createdAt: '2020-01-01T00:00:00.000Z',
    });
    const answer = expectStatus(await post(path, body), 201);
    const { user } = answer.body.data;
    expect(user).toEqual(path.endsWith('admin') ? adminProfile(body.email) : customerProfile(body.email));
    expect([user.id, user.company.id]).not.toContain(stranger.userId);
    expect([user.id, user.company.id]).not.toContain(stranger.companyId);
    expectStatus(await logIn(service, { email: body.email }), 200);
  });

  it('ignores an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newEmail() };
    const body = signUpBody();
    expectStatus(await service.call('POST', path, { body, headers }), 201);
    expectStatus(await service.call('POST', path, { body, headers }), 409);
  });

  it('never returns the password, nor stores it in clear text', async () => {
    const body = signUpBody({ password: `Secret-${newEmail()}` });
    const answer = await post(path, body);
    expect(answer.text).not.toContain(body.password);
    await post(path, { ...body, first_name: '' });
    await logIn(service, { email: body.email, password: `${body.password}!` });
    expect(service.logs()).not.toContain(body.password);
    const [stored] = await service.database.owner`SELECT users::text AS row FROM users WHERE email_key = ${body.email}`;
    expect(stored?.row).not.toContain(body.password);
  });
});

describe('POST /auth/local', () => {
  // ASVS 6.2.8
  it('compares every byte of the password: no trimming, no case folding, no truncation', async () => {
    const password = ' Correct-horse-7 ';
    const body = signUpBody({ password });
    expectStatus(await post('/auth/signup/customer', body), 201);
    for (const wrong of [password.trim(), password.toUpperCase().replace('C', 'c'), `${password} `]) {
      expect((await logIn(service, { email: body.email, password: wrong })).status).toBe(401);
    }
    expectStatus(await logIn(service, { email: body.email, password }), 200);
  });

  it('answers a wrong password with 401 invalid_credentials, WWW-Authenticate and data null', async () => {
    const { email } = await signUpCustomer(service);
    const answer = await logIn(service, { email, password: `${PASSWORD}x` });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.body).toMatchObject({ data: null, error: { code: 'invalid_credentials', details: [] } });
  });

  it('answers a disabled user as it answers an unknown e-mail', async () => {
    const { email, userId } = await signUpCustomer(service);
    await service.database.owner`UPDATE users SET disabled_at = now() WHERE id = ${userId}`;
    expect((await logIn(service, { email })).body.error.code).toBe('invalid_credentials');
  });

  // ASVS 7.2.2
  it('gives each login a token of its own', async () => {
    const { email } = await signUpAdmin(service);
    const tokens = await Promise.all(
      [1, 2, 3].map(async () => (await logIn(service, { email })).body.data.access_token),
    );
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) expectStatus(await service.call('GET', '/labels', { token }), 200);
  });
});

it('answers unknown paths under /auth within the envelope, and errors elsewhere without data', async () => {
  const inside = await post('/auth/nothing', {});
  expect(inside.status).toBe(404);
  expect(inside.body).toEqual({ data: null, error: expect.objectContaining({ code: 'not_found' }) });
  const outside = await service.call('GET', '/labels');
  expect(Object.keys(outside.body)).toEqual(['error']);
});
