import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, pollUntil } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { assembleToken, readToken, signedBy, signingKeyOf, type TokenParts } from '../../../test/customers/tokens.ts';
import type { Answer } from '../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(async () => service.stop());

const stranger = generateKeyPairSync('ed25519').privateKey;

const askWith = (authorization: string) => service.call('GET', '/labels', { headers: { authorization } });
const ask = (token: string) => askWith(`Bearer ${token}`);

function expectRefused(answer: Answer): void {
  expect(answer.status, answer.text).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.body.error).toMatchObject({ code: 'unauthenticated', details: [] });
}

/** The admin's own token with some parts changed, signed again, with the service's own key by default. */
function altered({ header = {}, claims = {} }: Partial<TokenParts>, makeSignature = signedBy(signingKeyOf(service))) {
  const parts = readToken(admin.token);
  return assembleToken(
    { header: { ...parts.header, ...header }, claims: { ...parts.claims, ...claims } },
    makeSignature,
  );
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('the access token', () => {
  it('is accepted with Bearer in any case, and bare', async () => {
    for (const authorization of [`Bearer ${admin.token}`, `bearer ${admin.token}`, `BEARER   ${admin.token}`]) {
      expectStatus(await askWith(authorization), 200);
    }
    expectStatus(await askWith(admin.token), 200);
    const body = { name: randomUUID(), description: 'Any', color: '#fff', userName: 'Ada' };
    const headers = { authorization: admin.token };
    const label = expectStatus(await service.call('POST', '/labels', { body, headers }), 201).body;
    const changes = { body: { color: '#000' }, headers };
    expectStatus(await service.call('PUT', `/labels/${label.id}`, changes), 200);
  });

  it('is verified by a third party from /.well-known/jwks.json alone', async () => {
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
    const expected = { issuer: 'paydesk', audience: 'paydesk', algorithms: ['EdDSA'], typ: 'at+jwt' };
    const { payload, protectedHeader } = await jwtVerify(admin.token, keys, expected);
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    expect(payload).toEqual({
      iss: 'paydesk',
      aud: 'paydesk',
      sub: admin.userId,
      sid: expect.any(String),
      company_id: admin.companyId,
      role: 'Admin',
      client_id: 'paydesk',
      jti: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
      iat: expect.any(Number),
      exp: Number(payload.iat) + service.config.accessTokenLifetimeSeconds,
    });
    const customer = await signUpCustomer(service);
    const verified = await jwtVerify(customer.token, keys, expected);
    expect(verified.payload).toMatchObject({ sub: customer.userId, company_id: null, role: 'Customer' });
  });

  it('has an id of its own, also of one session within a second', async () => {
    const { refreshToken } = await signUpAdmin(service);
    const refresh = async (refresh_token: string) =>
      expectStatus(await service.call('POST', '/auth/refresh', { body: { refresh_token } }), 200).body.data;
    const first = await refresh(refreshToken);
    const tokens = [first, await refresh(refreshToken), await refresh(first.refresh_token)];
    const ids = tokens.map(({ access_token }) => decodeJwt(access_token).jti);
    expect(new Set(ids).size).toBe(3);
  });

  it('publishes its public keys in the JWK Set, and nothing private', async () => {
    const { body, headers } = expectStatus(await service.call('GET', '/.well-known/jwks.json'), 200);
    const { kid } = readToken(admin.token).header;
    expect(body).toEqual({
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid, alg: 'EdDSA', use: 'sig' }],
    });
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  // ASVS 9.2.4
  it('has the configured issuer, audience and lifetime', async () => {
    const settings = { tokenIssuer: 'https://pay.example', tokenAudience: 'platform', accessTokenLifetimeSeconds: 77 };
    const other = await startTestService(settings);
    try {
      const { token } = await signUpAdmin(other);
      const { claims } = readToken(token);
      expect(claims).toMatchObject({ iss: 'https://pay.example', aud: 'platform', exp: Number(claims.iat) + 77 });
      expectStatus(await other.call('GET', '/labels', { token }), 200);
      expectRefused(await other.call('GET', '/labels', { token: admin.token }));
    } finally {
      await other.stop();
    }
  });
});

// Security (Accounts and permissions): A token that is forged, expired, for another audience, or contains its own key is 401 with
// `WWW-Authenticate`
// ASVS 7.2.1
describe('without a token that the service signed, the answer is 401 with WWW-Authenticate', () => {
  it('when the token was signed again with the service key and nothing was changed, it is accepted', async () => {
    // The control: the refusals below are due to what is changed, not to how these tests build a token.
    expectStatus(await ask(altered({})), 200);
  });

  it('missing, empty, junk and other schemes', async () => {
    expectRefused(await service.call('GET', '/labels'));
    const junk = ['', 'Bearer', 'Bearer ', 'Bearer null', 'Bearer undefined', 'null', '.', '..', '...', 'Bearer ..'];
    const basic = Buffer.from(`${admin.email}:x`).toString('base64');
    const others = [
      `Basic ${basic}`,
      `Token ${admin.token}`,
      `Bearer ${admin.token} ${admin.token}`,
      `JWT ${admin.token}`,
    ];
    const cut = [
      admin.token.slice(0, -1),
      admin.token.slice(1),
      `${admin.token}x`,
      `${admin.token}.`,
      `.${admin.token}`,
    ];
    const shaped = ['e30.e30.e30', 'a.b.c', 'eyJhbGciOiJFZERTQSJ9.e30.', `${'x'.repeat(8_000)}.y.z`];
    for (const authorization of [...junk, ...others, ...cut, ...shaped]) expectRefused(await askWith(authorization));
  });

  // ASVS 9.1.2
  it.each(['none', 'None', 'NONE', 'nOnE', ''])('alg "%s", with no signature and with the old one', async (alg) => {
    expectRefused(await ask(altered({ header: { alg } }, () => Buffer.alloc(0))));
    const old = Buffer.from(admin.token.split('.')[2] ?? '', 'base64url');
    expectRefused(await ask(altered({ header: { alg } }, () => old)));
  });

  it('alg HS256, HS384 or HS512 with the public key as the secret, in any of its forms', async () => {
    const { body } = await service.call('GET', '/.well-known/jwks.json');
    const [jwk] = body.keys;
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const pem = key.export({ type: 'spki', format: 'pem' }).toString();
    const der = key.export({ type: 'spki', format: 'der' });
    for (const secret of [pem, pem.trim(), der, Buffer.from(jwk.x, 'base64url'), jwk.x, JSON.stringify(jwk), '']) {
      for (const bits of ['256', '384', '512']) {
        const mac = (input: Buffer) => createHmac(`sha${bits}`, secret).update(input).digest();
        expectRefused(await ask(altered({ header: { alg: `HS${bits}` } }, mac)));
      }
    }
  });

  it('alg RS256 and ES256 with keys of a stranger', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const rs = (input: Buffer) => sign('sha256', input, rsa);
    const es = (input: Buffer) => sign('sha256', input, { key: elliptic, dsaEncoding: 'ieee-p1363' });
    expectRefused(await ask(altered({ header: { alg: 'RS256' } }, rs)));
    expectRefused(await ask(altered({ header: { alg: 'ES256' } }, es)));
  });

  it("EdDSA of a stranger's key under the service's kid, or with random bytes", async () => {
    expectRefused(await ask(altered({}, signedBy(stranger))));
    expectRefused(await ask(altered({}, () => randomBytes(64))));
    expectRefused(await ask(altered({}, () => Buffer.alloc(64))));
  });

  it('a kid that is unknown, missing, of another type, or that tries paths and SQL', async () => {
    const kids = [randomUUID(), '', null, 7, {}, ['a'], '__proto__', 'constructor', "' OR 1=1 --", '../../keys.json'];
    const paths = ['/dev/null', '../../../../../../dev/null', 'keys.json', 'file:///dev/null', '%2e%2e%2fkeys.json'];
    for (const kid of [...kids, ...paths, undefined]) {
      expectRefused(await ask(altered({ header: { kid } })));
      expectRefused(
        await ask(altered({ header: { kid } }, (input) => createHmac('sha256', '').update(input).digest())),
      );
    }
  });

  // ASVS 9.1.3
  it('a key that the token brings or points to (jwk, jku, x5u, x5c), which is never fetched', async () => {
    let visits = 0;
    const jwk = { ...stranger.export({ format: 'jwk' }), d: undefined, kid: 'stranger', alg: 'EdDSA', use: 'sig' };
    const thief = createServer((_request, response) => {
      visits += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const jku = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/jwks.json`;
    try {
      for (const kid of ['stranger', readToken(admin.token).header.kid]) {
        for (const lure of [{ jwk }, { jku }, { jku, jwk }, { x5u: jku }, { x5c: ['MIIB'] }]) {
          expectRefused(await ask(altered({ header: { kid, ...lure } }, signedBy(stranger))));
        }
      }
      expect(visits).toBe(0);
      // The control: this key set does verify the token, so it is the service that ignores it.
      const token = altered({ header: { kid: 'stranger' } }, signedBy(stranger));
      await jwtVerify(token, createLocalJWKSet({ keys: [jwk] as never }));
    } finally {
      thief.close();
    }
  });

  // ASVS 9.2.1
  it('expired, not yet valid, or without an expiry', async () => {
    expectRefused(await ask(altered({ claims: { exp: nowSeconds() - 1 } })));
    expectRefused(await ask(altered({ claims: { exp: 0 } })));
    expectRefused(await ask(altered({ claims: { exp: undefined } })));
    expectRefused(await ask(altered({ claims: { exp: 'tomorrow' } })));
    expectRefused(await ask(altered({ claims: { nbf: nowSeconds() + 3_600 } })));
  });

  // ASVS 9.2.2, 9.2.3, 10.3.1
  it('another or no issuer, audience or type', async () => {
    for (const iss of ['other', 'Paydesk', '', undefined]) expectRefused(await ask(altered({ claims: { iss } })));
    for (const aud of ['other', [], ['other'], '', undefined]) expectRefused(await ask(altered({ claims: { aud } })));
    for (const typ of ['JWT', 'id+jwt', undefined]) expectRefused(await ask(altered({ header: { typ } })));
  });

  it('an unknown session, or none', async () => {
    for (const sid of [randomUUID(), undefined, null, 7]) expectRefused(await ask(altered({ claims: { sid } })));
  });

  it('a critical extension that the service does not know', async () => {
    expectRefused(await ask(altered({ header: { crit: ['x'], x: 1 } })));
  });

  // Security (Accounts and permissions): A token with any one bit flipped is refused
  // ASVS 9.1.1
  it('any one bit flipped, in header, claims and signature', async () => {
    const { token } = admin;
    const flipped = Array.from(token, (character, index) => {
      const bits = index === token.length - 1 ? [1, 2, 4, 8, 16, 32] : [1 << (index % 6)];
      return character === '.'
        ? []
        : bits.map((bit) => token.slice(0, index) + flip(character, bit) + token.slice(index + 1));
    }).flat();
    expect(flipped.length).toBeGreaterThan(400);
    const accepted = await Promise.all(flipped.map(async (one) => ((await ask(one)).status === 401 ? [] : [one])));
    expect(accepted.flat()).toEqual([]);
    expectStatus(await ask(token), 200);
  });
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function flip(character: string, bit: number): string {
  return ALPHABET[ALPHABET.indexOf(character) ^ bit] ?? '';
}

describe('the database decides, not the claims of a token', () => {
  // ASVS 8.3.1
  it('a token that a key thief signed with another company, role and user shows its own session only', async () => {
    const other = await signUpAdmin(service);
    const claims = { company_id: other.companyId, role: 'Admin', sub: other.userId };
    const answer = await service.call('GET', '/payments/billing-information', { token: altered({ claims }) });
    expect(answer.body.companyId).toBe(admin.companyId);
  });
});

// Security (Accounts and permissions): A token ends with its session or its user
// ASVS 7.4.1
describe('revocation', () => {
  const call = (token: string) => service.call('GET', '/payments/addresses', { token });

  it('by POST /auth/logout is immediate and ends only this session', async () => {
    const { email, token } = await signUpAdmin(service);
    const again = (await logIn(service, { email })).body.data.access_token;
    expectStatus(await call(token), 200);
    const answer = await service.call('POST', '/auth/logout', { token });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expectRefused(await call(token));
    expectStatus(await call(again), 200);
  });

  it('by POST /auth/logout ends a customer’s token too, and a second logout is a 401 within the envelope', async () => {
    const { token } = await signUpCustomer(service);
    expectStatus(await service.call('POST', '/auth/logout', { token }), 204);
    const again = await service.call('POST', '/auth/logout', { token });
    expectRefused(again);
    expect(again.body.data).toBeNull();
  });

  it('by POST /auth/logout is immediate while many requests are running', async () => {
    const { token } = await signUpAdmin(service);
    let isOver = false;
    const busy = Array.from({ length: 8 }, async () => {
      while (!isOver) await call(token);
    });
    expectStatus(await service.call('POST', '/auth/logout', { token }), 204);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(token)));
    isOver = true;
    await Promise.all(busy);
    for (const answer of answers) expectRefused(answer);
  });

  it('refuses the operator, who has no session', async () => {
    expectStatus(await service.call('POST', '/auth/logout', { token: service.operatorKey }), 403);
  });

  it("refuses a disabled user's tokens within about a second, and accepts them again when the user is enabled", async () => {
    const { token, userId } = await signUpAdmin(service);
    expectStatus(await call(token), 200);
    await service.database.owner`UPDATE users SET disabled_at = now() WHERE id = ${userId}`;
    expectRefused(
      await pollUntil(
        () => call(token),
        ({ status }) => status !== 200,
      ),
    );
    expectRefused(await call(token));
    await service.database.owner`UPDATE users SET disabled_at = NULL WHERE id = ${userId}`;
    expectStatus(await call(token), 200);
  });

  it('by another process is seen within about a second', async () => {
    const { token } = await signUpAdmin(service);
    expectStatus(await call(token), 200);
    const { sid } = readToken(token).claims;
    await service.database.owner`UPDATE sessions SET revoked_at = now() WHERE id = ${String(sid)}`;
    expectRefused(
      await pollUntil(
        () => call(token),
        ({ status }) => status !== 200,
      ),
    );
  });

  it('applies to a session that has expired in the database', async () => {
    const { token } = await signUpAdmin(service);
    const { sid } = readToken(token).claims;
    await service.database.owner`UPDATE sessions SET expires_at = now() WHERE id = ${String(sid)}`;
    expectRefused(
      await pollUntil(
        () => call(token),
        ({ status }) => status !== 200,
      ),
    );
  });

  it('happens automatically when the token expires, even while it is in use', async () => {
    const short = await startTestService({ accessTokenLifetimeSeconds: 1 });
    try {
      const { token } = await signUpAdmin(short);
      const askShort = () => short.call('GET', '/labels', { token });
      expectRefused(await pollUntil(askShort, ({ status }) => status !== 200));
      expectRefused(await askShort());
    } finally {
      await short.stop();
    }
  });
});
