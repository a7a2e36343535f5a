import { createHmac, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newEmail } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  addProvider,
  begin,
  CLIENT_SECRET,
  comeBack,
  cookieOf,
  type IdentityServer,
  makeKey,
  sessionOf,
  signIn,
  startIdentityServer,
  visit,
} from '../../../../test/identity/identity-server.ts';
import { ATTEMPT_SECONDS } from './attempt.ts';

type Json = Record<string, unknown>;

let service: TestService;
let server: IdentityServer;
let admin: Actor;
let name: string;
beforeAll(async () => {
  [service, server] = await Promise.all([startTestService(), startIdentityServer()]);
  admin = await signUpAdmin(service);
  name = await addProvider(service, server, { companyId: admin.companyId });
});
afterAll(() => Promise.all([service?.stop(), server?.stop()]));
beforeEach(() => server.setPerson(newPerson()));
afterEach(() => server.tamper('/token', null));

function newPerson() {
  return { sub: randomUUID(), email: newEmail(), email_verified: true, given_name: 'Grace', family_name: 'Hopper' };
}

function expectFailure(answer: Answer, code = 'sso_failed'): void {
  const location = `${service.config.publicUrl}/app/login?error=${code}`;
  expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
  expect(cookieOf(answer, '__Host-paydesk')).toBeNull();
}

const expectSuccess = async (answer: Answer) => (await sessionOf(service, answer)).userId;
const parametersOf = (path: string) => new URL(path, 'http://localhost').searchParams;

/** A browser that has signed in at the provider, and is sent back. */
async function beginAndVisit(provider = name) {
  const { location, cookie } = await begin(service, provider);
  return { path: await visit(location), cookie };
}

/** A path with another value of a parameter; null for none. */
function withParameter(path: string, parameter: string, value: string | null): string {
  const url = new URL(path, 'http://localhost');
  if (value === null) url.searchParams.delete(parameter);
  else url.searchParams.set(parameter, value);
  return url.pathname + url.search;
}

describe('an answer of the provider', () => {
  // Security (Accounts and permissions): An answer of a provider is good once, also for requests at once
  it('is good once, also of several requests at the same time', async () => {
    const { path, cookie } = await beginAndVisit();
    const before = server.requests('/token');
    const answers = await Promise.all([1, 2, 3].map(() => comeBack(service, path, cookie)));
    const failed = answers.filter(({ headers }) => headers.get('location')?.includes('error='));
    expect(failed).toHaveLength(2);
    for (const answer of [...failed, await comeBack(service, path, cookie)]) expectFailure(answer);
    expect(server.requests('/token')).toBe(before + 1);
  });

  // Security (Accounts and permissions): An answer of a provider is good only in the browser that has begun the sign-in, with its own
  // state
  // ASVS 10.1.2
  it('is good in the browser that has begun alone, with its own state', async () => {
    const { path, cookie } = await beginAndVisit();
    const other = await beginAndVisit();
    const before = server.requests('/token');
    expectFailure(await comeBack(service, path, null));
    expectFailure(await comeBack(service, path, other.cookie));
    expectFailure(await comeBack(service, path, `${cookie.slice(0, -2)}${cookie.endsWith('A') ? 'B' : 'A'}`));
    expectFailure(await comeBack(service, path, `${cookie.split('=')[0]}=x`));
    for (const state of [null, '', 'x', parametersOf(other.path).get('state')])
      expectFailure(await comeBack(service, withParameter(path, 'state', state), cookie));
    expectFailure(await comeBack(service, withParameter(path, 'error', 'access_denied'), null));
    expect(server.requests('/token')).toBe(before);
    await expectSuccess(await comeBack(service, path, cookie));
  });

  it('is good for ten minutes', async () => {
    const { path, cookie } = await beginAndVisit();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ATTEMPT_SECONDS * 1_000 + 1_000 });
    expectFailure(await comeBack(service, path, cookie).finally(() => vi.useRealTimers()));
    await expectSuccess(await comeBack(service, path, cookie));
  });

  // Security (Accounts and permissions): A code of somebody else is refused (PKCE)
  it('with the code of somebody else is refused, since that code belongs to another verifier', async () => {
    const victim = await beginAndVisit();
    const attacker = await beginAndVisit();
    const code = parametersOf(victim.path).get('code');
    expectFailure(await comeBack(service, withParameter(attacker.path, 'code', code), attacker.cookie));
  });

  // Security (Accounts and permissions): An answer of one provider is not one of another (mix-up, RFC 9207)
  // ASVS 10.2.2
  it('of one provider is not one of another (mix-up, RFC 9207)', async () => {
    const otherServer = await startIdentityServer();
    const other = await addProvider(service, otherServer);
    const { path, cookie } = await beginAndVisit();
    expectFailure(await comeBack(service, path.replace(`/${name}/`, `/${other}/`), cookie));
    expect(otherServer.requests('/token')).toBe(0);
    for (const iss of [otherServer.issuer, null, '', `${server.issuer}/`]) {
      const again = await beginAndVisit();
      expectFailure(await comeBack(service, withParameter(again.path, 'iss', iss), again.cookie));
    }
    await otherServer.stop();
  });

  it.each([
    ['error=login_required', 'sso_failed'],
    ['error=access_denied&error_description=<script>', 'access_denied'],
    ['error=temporarily_unavailable', 'provider_unavailable'],
    ['code=a&code=b', 'sso_failed'],
    ['id_token=x', 'sso_failed'],
    ['response=x', 'sso_failed'],
    ['code=', 'sso_failed'],
    ['', 'sso_failed'],
  ])('%j leads to the page of the login with %s', async (parameters, code) => {
    const { location, cookie } = await begin(service, name);
    const state = new URL(location).searchParams.get('state');
    const iss = encodeURIComponent(server.issuer);
    const path = `/auth/oidc/${name}/callback?state=${state}&iss=${iss}&${parameters}`;
    expectFailure(await comeBack(service, path, cookie), code);
  });

  it('that is refused is in the audit log of the company, with its reason alone', async () => {
    const newcomer = await signUpAdmin(service);
    const own = await addProvider(service, server, { companyId: newcomer.companyId });
    const { path } = await beginAndVisit(own);
    expectFailure(await comeBack(service, path, null));
    const { token } = newcomer;
    const { data } = (await service.call('GET', '/company/audit-log?action=login.failed', { token })).body;
    const target = { kind: 'sign_in_provider', id: own, name: own };
    expect(data).toMatchObject([
      { target, actor: { kind: 'anonymous' }, changes: { after: { reason: 'sso_failed' } } },
    ]);
  });
});

/** Replaces the ID token of the next sign-ins. */
function forge(change: (claims: Json, token: string) => unknown): void {
  server.tamper('/token', async (answer) => {
    const token = String(answer.id_token);
    return { ...answer, id_token: await change(decodeJwt(token), token) };
  });
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signWithSecret(claims: Json, secret: string): string {
  const signed = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);

// ASVS 6.8.2, 10.5.1, 10.5.4
describe('an ID token', () => {
  const stranger = makeKey();

  // Security (Accounts and permissions): An ID token that is unsigned, signed with a shared secret or another key, of another issuer,
  // client, nonce or time is refused
  it.each<[string, (claims: Json, token: string) => unknown]>([
    ['without a signature', (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`],
    [
      'with the signature of other claims',
      (claims, token) => token.replace(/\.[^.]+\./, `.${encode({ ...claims, sub: 'x' })}.`),
    ],
    ['signed with the secret of the client (HS256)', (claims) => signWithSecret(claims, CLIENT_SECRET)],
    ['signed with a key of somebody else', (claims) => server.signToken(claims, stranger)],
    [
      'signed by an unknown key under a known name',
      (claims) => server.signToken(claims, { ...stranger, kid: server.key().kid }),
    ],
    ['of another issuer', (claims) => server.signToken({ ...claims, iss: 'https://login.example.com' })],
    ['for another client', (claims) => server.signToken({ ...claims, aud: 'another' })],
    [
      'for several clients, given to another one',
      (claims) => server.signToken({ ...claims, aud: ['paydesk', 'another'], azp: 'another' }),
    ],
    ['that has expired', (claims) => server.signToken({ ...claims, exp: nowSeconds() - 120 })],
    ['of the future', (claims) => server.signToken({ ...claims, nbf: nowSeconds() + 120 })],
    ['without an end', (claims) => server.signToken({ ...claims, exp: undefined })],
    ['with the nonce of another sign-in', (claims) => server.signToken({ ...claims, nonce: 'x' })],
    ['without a nonce', (claims) => server.signToken({ ...claims, nonce: undefined })],
    ['without a subject', (claims) => server.signToken({ ...claims, sub: undefined })],
    ['with a subject that nobody can have', (claims) => server.signToken({ ...claims, sub: 'x'.repeat(256) })],
    ['about somebody else than the e-mail', (claims) => server.signToken({ ...claims, sub: 'somebody-else' })],
    ['that is no token', () => 'x.y'],
    ['that is missing', () => undefined],
  ])('%s is refused', async (_what, change) => {
    forge(change);
    expectFailure(await signIn(service, name));
  });

  it('signed with the public key as a secret is refused (HS256)', async () => {
    const jwks = await (await fetch(`${server.issuer}/jwks`)).text();
    const { publicKey } = server.key();
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    for (const secret of [pem, JSON.stringify(publicKey.export({ format: 'jwk' })), jwks]) {
      forge((claims) => signWithSecret(claims, secret));
      expectFailure(await signIn(service, name));
    }
  });

  // Security (Accounts and permissions): A provider cannot allow ID tokens that are unsigned or signed with a shared secret
  it('is refused too when the provider claims to sign so', async () => {
    const liar = await startIdentityServer();
    const algorithms = ['none', 'HS256', 'ES256'];
    const path = '/.well-known/openid-configuration';
    liar.tamper(path, (answer) => ({ ...answer, id_token_signing_alg_values_supported: algorithms }));
    const provider = await addProvider(service, liar, { companyId: admin.companyId });
    for (const sign of [
      (claims: Json) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
      (claims: Json) => signWithSecret(claims, CLIENT_SECRET),
    ]) {
      liar.setPerson(newPerson());
      liar.tamper('/token', (answer) => ({ ...answer, id_token: sign(decodeJwt(String(answer.id_token))) }));
      expectFailure(await signIn(service, provider));
    }
    liar.tamper('/token', null);
    await expectSuccess(await signIn(service, provider));
    await liar.stop();
  });

  it('of a clock that is less than a minute off is accepted', async () => {
    for (const times of [{ exp: nowSeconds() - 30 }, { iat: nowSeconds() + 30, nbf: nowSeconds() + 30 }]) {
      forge((claims) => server.signToken({ ...claims, ...times }));
      await expectSuccess(await signIn(service, name));
    }
  });

  // Security (Accounts and permissions): A provider's old key counts no longer than the provider publishes it
  it('signed with a new key is accepted at once, and one with the old key is not', async () => {
    const userId = await expectSuccess(await signIn(service, name));
    const old = server.key();
    server.rotateKeys();
    expect(await expectSuccess(await signIn(service, name))).toBe(userId);
    forge((claims) => server.signToken(claims, old));
    expectFailure(await signIn(service, name));
  });

  it('names an organization (hd) of the domains of the provider, if it names one', async () => {
    const own = await addProvider(service, server, { companyId: admin.companyId, emailDomains: ['example.com'] });
    for (const hd of ['example.net', 'sub.example.com', '', null, ['example.com']]) {
      forge((claims) => server.signToken({ ...claims, hd }));
      expectFailure(await signIn(service, own), 'email_domain_not_allowed');
    }
    forge((claims) => server.signToken({ ...claims, hd: 'Example.com' }));
    await expectSuccess(await signIn(service, own));
  });

  it('has an e-mail that counts only with its own verification', async () => {
    const victim = newPerson();
    server.setPerson(victim);
    const userId = await expectSuccess(await signIn(service, name));
    server.setPerson(newPerson());
    forge((claims) => server.signToken({ ...claims, email: victim.email }));
    expect(await expectSuccess(await signIn(service, name))).not.toBe(userId);
  });
});

// Security (Accounts and permissions): No code, token or secret of a sign-in is logged
it('no code, token or secret of a sign-in is in the log or the audit log', async () => {
  const { path, cookie } = await beginAndVisit();
  const tokens: string[] = [];
  server.tamper('/token', (answer) => {
    tokens.push(String(answer.id_token), String(answer.access_token));
    return { ...answer, id_token: 'x.y.z' };
  });
  expectFailure(await comeBack(service, path, cookie));
  const parameters = [...parametersOf(path)].filter(([key]) => key !== 'iss');
  const { text } = expectStatus(
    await service.call('GET', '/operator/audit-log?perPage=1000', { token: service.operatorKey }),
    200,
  );
  const secrets = [...tokens, ...parameters.map(([, value]) => value), cookie.split('=')[1] ?? '', CLIENT_SECRET];
  expect(secrets.filter((secret) => secret.length < 10)).toEqual([]);
  expect(secrets.filter((secret) => service.logs().includes(secret) || text.includes(secret))).toEqual([]);
});
