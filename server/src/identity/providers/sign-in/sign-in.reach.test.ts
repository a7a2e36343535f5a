import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newEmail } from '../../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startNameServer } from '../../../../test/harness/network/name-server.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import {
  addProvider,
  begin,
  comeBack,
  type IdentityServer,
  sessionOf,
  signIn,
  startIdentityServer,
  visit,
} from '../../../../test/identity/identity-server.ts';
import { beginAttempt } from './attempt.ts';
import { createConversations } from './conversation.ts';

const CONFIGURATION = '/.well-known/openid-configuration';

let service: TestService;
let admin: Actor;
/** A fresh one for each test, so that its configuration is not known yet. */
let server: IdentityServer;
let name: string;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  server = await startIdentityServer();
  name = await addProvider(service, server, { companyId: admin.companyId });
  server.setPerson({ sub: randomUUID(), email: newEmail(), email_verified: true });
});
afterEach(() => server.stop());

const start = (provider = name) => service.call('GET', `/auth/oidc/${provider}/start`);

function expectFailure(answer: Answer, code: string): void {
  const location = `${service.config.publicUrl}/app/login?error=${code}`;
  expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
  expect(answer.headers.getSetCookie().filter((cookie) => !/Max-Age=0/.test(cookie))).toEqual([]);
}

const neverAnswer = () => undefined;

/** A server that should never be reached. */
async function startBystander() {
  const asked: string[] = [];
  const bystander = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => bystander.listen(0, '127.0.0.1', resolve));
  const { port } = bystander.address() as AddressInfo;
  return { port, asked, stop: () => new Promise((resolve) => bystander.close(resolve)) };
}

describe('a provider that is away', () => {
  it('sends the browser to the page of the login, there and back, until it is there again', async () => {
    const { location, cookie } = await begin(service, name);
    const path = await visit(location);
    await server.takeAway();
    expectFailure(await comeBack(service, path, cookie), 'provider_unavailable');
    expectFailure(await start(), 'provider_unavailable');
    await server.bringBack();
    await sessionOf(service, await signIn(service, name));
  });

  it.each<[string, number, string]>([
    ['500', 500, 'provider_unavailable'],
    ['429', 429, 'provider_unavailable'],
    ['404', 404, 'sso_failed'],
    ['a page', 200, 'sso_failed'],
  ])('answers %s', async (_what, status, code) => {
    server.answerAt(CONFIGURATION, (_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<p>Sorry</p>');
    });
    expectFailure(await start(), code);
    server.answerAt(CONFIGURATION, null);
    server.answerAt('/token', (_request, response) => void response.writeHead(status).end('<p>Sorry</p>'));
    expectFailure(await signIn(service, name), code);
  });

  it('never answers: the browser waits no longer than SIGN_IN_TIMEOUT_MS', async () => {
    const own = await startTestService({ signInTimeoutMs: 100 });
    const silent = await addProvider(own, server);
    server.answerAt(CONFIGURATION, neverAnswer);
    const answer = expectStatus(await own.call('GET', `/auth/oidc/${silent}/start`), 302);
    expect(answer.headers.get('location')).toContain('error=provider_unavailable');
    expect(own.logs()).toContain('the provider did not answer in time');
    await own.stop();
  });

  // Security (Accounts and permissions): A provider that does not answer stops nobody else
  it('stops nobody else, however many wait for it', async () => {
    const waiting: ServerResponse[] = [];
    const allWait = new Promise<void>((resolve) => {
      server.answerAt(CONFIGURATION, (_request: IncomingMessage, response) => {
        if (waiting.push(response) === 20) resolve();
      });
    });
    const held = Array.from({ length: 20 }, () => start());
    await allWait;
    expectFailure(await start(), 'provider_unavailable');
    expect(service.logs()).toContain('too many requests to the provider are open');
    const other = await startIdentityServer();
    other.setPerson({ sub: randomUUID(), email: newEmail(), email_verified: true });
    await sessionOf(service, await signIn(service, await addProvider(service, other, { companyId: admin.companyId })));
    for (const response of waiting) response.destroy();
    for (const answer of await Promise.all(held)) expectFailure(answer, 'provider_unavailable');
    server.answerAt(CONFIGURATION, null);
    await sessionOf(service, await signIn(service, name));
    await other.stop();
  });

  it('sends without an end', async () => {
    for (const path of [CONFIGURATION, '/jwks']) {
      server.answerAt(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const send = () => {
          if (!response.destroyed && response.write(' '.repeat(65_536))) setImmediate(send);
        };
        response.on('drain', send);
        send();
      });
      expectFailure(path === '/jwks' ? await signIn(service, name) : await start(), 'provider_unavailable');
      server.answerAt(path, null);
    }
    expect(service.logs().match(/an answer has more than 131072 bytes/g)).toHaveLength(2);
  });
});

describe('the configuration of a provider', () => {
  const configure = (changes: object) => server.tamper(CONFIGURATION, (answer) => ({ ...answer, ...changes }));

  it.each(['https://login.example.com', 'HTTP://127.0.0.1', '', 7])(
    'that names the issuer %j is refused',
    async (issuer) => {
      configure({ issuer });
      expectFailure(await start(), 'sso_failed');
    },
  );

  // ASVS 10.5.3
  it('with a slash more than the issuer is refused, as tokens name it otherwise', async () => {
    configure({ issuer: `${server.issuer}/` });
    expectFailure(await start(), 'sso_failed');
  });

  it.each(['javascript:alert(1)', 'http://login.example.com/auth', 'https://10.0.0.1/auth', 'x', undefined])(
    'sends no browser to %j',
    async (endpoint) => {
      configure({ authorization_endpoint: endpoint });
      expectFailure(await start(), 'sso_failed');
    },
  );

  // Security (Accounts and permissions): A provider leads to no address inside, by no field of its configuration
  it.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'leads to no address inside by its %s',
    async (field) => {
      const bystander = await startBystander();
      for (const url of [
        `http://127.0.0.1:${bystander.port}/`,
        `http://localhost:${bystander.port}/`,
        `https://127.0.0.1:${bystander.port}/`,
        `http://[::ffff:127.0.0.1]:${bystander.port}/`,
        `http://127.1:${bystander.port}/`,
        'https://169.254.169.254/latest',
        'https://10.0.0.1/',
        'http://login.example.com/',
        'file:///etc/passwd',
      ]) {
        configure({ [field]: url });
        const answer = await signIn(service, name);
        expect(answer.headers.get('location')).toMatch(/error=(provider_unavailable|sso_failed)$/);
      }
      expect(bystander.asked).toEqual([]);
      await bystander.stop();
      configure({});
      await sessionOf(service, await signIn(service, name));
    },
  );

  it('that redirects is not followed', async () => {
    const bystander = await startBystander();
    server.answerAt(CONFIGURATION, (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${bystander.port}/` }).end();
    });
    expectFailure(await start(), 'sso_failed');
    expect(bystander.asked).toEqual([]);
    await bystander.stop();
  });

  it('without the endpoints that a sign-in needs is refused', async () => {
    for (const field of ['token_endpoint', 'jwks_uri']) {
      configure({ [field]: undefined });
      expectFailure(await signIn(service, name), 'sso_failed');
    }
  });

  it('is asked for again after a failure, and otherwise not', async () => {
    await signIn(service, name);
    await signIn(service, name);
    expect(server.requests(CONFIGURATION)).toBe(1);
    await comeBack(service, await visit((await begin(service, name)).location), null);
    server.answerAt('/token', (_request, response) => void response.writeHead(500).end());
    await signIn(service, name);
    await begin(service, name);
    expect(server.requests(CONFIGURATION)).toBe(2);
  });
});

describe('the name of a provider', () => {
  const providerAt = (issuer: string) => ({
    ...{ name: 'acme', issuer, clientId: 'paydesk', readSecret: () => 'secret', emailDomains: [] },
    ...{ companyId: null, role: null },
  });

  // Security (Accounts and permissions): A provider leads to no address inside by a name that stands for one
  it('that stands for an address inside is connected to only if the operator allows its host', async () => {
    const names = await startNameServer({
      'inside.example': [['127.0.0.1']],
      'mixed.example': [['1.1.1.1', '10.0.0.1']],
      'metadata.example': [['169.254.169.254']],
    });
    const { begin: open } = createConversations({ allowedHosts: [], timeoutMs: 10_000, resolver: names.resolver });
    for (const host of ['inside.example', 'mixed.example', 'metadata.example']) {
      const opened = open(
        providerAt(`https://${host}`),
        beginAttempt(providerAt(`https://${host}`), { returnTo: '/app', consent: null }),
        'http://localhost/callback',
      );
      await expect(opened).rejects.toThrow(`${host}: the connection failed (ERR_PAYDESK_ADDRESS_REFUSED)`);
    }
    expect(names.asked()).toBe(3);
    names.stop();
  });

  it('is not asked for where the address itself is refused, or is this machine', async () => {
    const names = await startNameServer({});
    const { begin: open } = createConversations({ allowedHosts: [], timeoutMs: 10_000, resolver: names.resolver });
    const beginAt = (issuer: string) =>
      open(
        providerAt(issuer),
        beginAttempt(providerAt(issuer), { returnTo: '/app', consent: null }),
        'http://localhost/callback',
      );
    for (const issuer of ['https://10.0.0.1', 'https://[fd00::1]', 'http://login.example.com'])
      await expect(beginAt(issuer)).rejects.toMatchObject({ code: 'provider_unavailable' });
    const local = `http://localhost:${new URL(server.issuer).port}`;
    await expect(beginAt(local)).rejects.toMatchObject({ code: 'sso_failed' });
    expect(server.requests(CONFIGURATION)).toBe(1);
    expect(names.asked()).toBe(0);
    names.stop();
  });
});
