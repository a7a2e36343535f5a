import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PaydeskConnectionError, SessionVerificationError, verifySession } from '../src/index.ts';
import { type Script, startScript } from './script.ts';

/** Another path for each test, because key sets are kept by the URL. */
let url: string;
let script: Script;
let tests = 0;
beforeAll(async () => {
  script = await startScript();
});
afterAll(() => script?.stop());
beforeEach(() => {
  tests += 1;
  url = `${script.url}/${tests}`;
});

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519').privateKey;

function serveKeys(...keyIds: string[]): void {
  const { kty, crv, x } = publicKey.export({ format: 'jwk' });
  script.play({ status: 200, body: { keys: keyIds.map((kid) => ({ kty, crv, x, kid, alg: 'EdDSA', use: 'sig' })) } });
}

const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600;
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

function signToken(
  claims: object = {},
  { header = {}, key = privateKey }: { header?: object; key?: KeyObject } = {},
): string {
  const whole = {
    ...{ iss: 'paydesk', aud: 'paydesk', sub: 'user-1', sid: 'session-1', role: '', exp: inAnHour() },
    ...{ company_id: 'company-1', company_external_id: 'acme' },
    ...claims,
  };
  const signed = `${encode({ alg: 'EdDSA', typ: 'at+jwt', kid: 'key-1', ...header })}.${encode(whole)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

describe('verifySession', () => {
  it('returns what the token says', async () => {
    serveKeys('key-1');
    const exp = inAnHour();
    expect(await verifySession(signToken({ exp }), { url: `${url}/` })).toEqual({
      ...{ companyId: 'company-1', companyExternalId: 'acme', sessionId: 'session-1', subject: 'user-1', role: '' },
      isCustomerSession: false,
      expiresAt: new Date(exp * 1_000),
    });
    const other = signToken({
      company_id: null,
      company_external_id: undefined,
      session: 'customer',
      iss: 'me',
      aud: 'us',
    });
    const session = await verifySession(other, { url, issuer: 'me', audience: 'us' });
    expect(session).toMatchObject({ companyId: null, companyExternalId: null, isCustomerSession: true });
  });

  it('reads the keys once for all tokens', async () => {
    serveKeys('key-1');
    await Promise.all([1, 2, 3].map(() => verifySession(signToken(), { url })));
    await verifySession(signToken(), { url });
    expect(script.asked.map(({ path }) => path)).toEqual([`/${tests}/.well-known/jwks.json`]);
  });

  it.each<[string, () => string]>([
    ['an expired token', () => signToken({ exp: Math.floor(Date.now() / 1_000) })],
    ['a token without an end', () => signToken({ exp: undefined })],
    ['another issuer', () => signToken({ iss: 'somebody' })],
    ['another audience', () => signToken({ aud: 'somebody' })],
    ['no session', () => signToken({ sid: undefined })],
    ['the session of an operator key', () => signToken({ company_id: null, session: 'operator' })],
    ['the view of a company by the operator', () => signToken({ session: 'view' })],
    ['an unknown key', () => signToken({}, { header: { kid: 'key-2' } })],
    ['the signature of another key', () => signToken({}, { key: stranger })],
    ['another algorithm', () => signToken({}, { header: { alg: 'none' } })],
    ['another type of token', () => signToken({}, { header: { typ: 'JWT' } })],
    ['changed claims', () => signToken().replace(/\.[^.]+\./, `.${encode({ sid: 'other' })}.`)],
    ['a second spelling of the signature', () => respell(signToken())],
    ['no signature', () => signToken().replace(/[^.]+$/, '')],
    ['three parts of anything', () => 'a.b.c'],
    ['no token', () => ''],
  ])('refuses %s', async (_name, token) => {
    serveKeys('key-1');
    await expect(verifySession(token(), { url })).rejects.toBeInstanceOf(SessionVerificationError);
  });

  it('says when the keys cannot be read, and reads them the next time', async () => {
    const fetchNothing = () => Promise.reject(new TypeError('fetch failed'));
    const failing = verifySession(signToken(), { url, fetch: fetchNothing });
    await expect(failing).rejects.toBeInstanceOf(PaydeskConnectionError);
    serveKeys('key-1');
    expect(await verifySession(signToken(), { url })).toMatchObject({ sessionId: 'session-1' });
  });
});

/** Changes the spare bits of the last character, which decoders ignore. */
function respell(token: string): string {
  const last = token.at(-1) ?? '';
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1];
}
