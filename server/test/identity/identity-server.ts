/** A real provider of OpenID Connect on loopback, and what a browser does between it and the service. */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { type Actor, expectStatus, PASSWORD } from '../customers/actors.ts';
import { freePort, keepPort } from '../harness/network/kept-port.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { putProvider } from './providers.ts';

/** Somebody with an account at the provider. */
export type Person = {
  sub: string;
  email?: string;
  email_verified?: unknown;
  given_name?: string;
  family_name?: string;
  name?: string;
};

type Key = { kid: string; privateKey: KeyObject; publicKey: KeyObject };
type Json = Record<string, unknown>;

export type IdentityServer = {
  issuer: string;
  /** Who sits at the browser; null for somebody who says no. */
  setPerson: (person: Person | null) => void;
  /** Changes the JSON of its answers below a path; null for none. */
  tamper: (path: string, change: ((answer: Json) => Json | Promise<Json>) | null) => void;
  /** Answers requests to a path in place of the provider; null for the provider again. */
  answerAt: (path: string, answer: ((request: IncomingMessage, response: ServerResponse) => void) | null) => void;
  /** Signs an ID token as the provider does, or with another key. */
  signToken: (claims: Json, key?: Key) => Promise<string>;
  /** The key that it signs with now. */
  key: () => Key;
  /** A new key, in place of the one before. */
  rotateKeys: () => void;
  /** How often a path was asked for. */
  requests: (path: string) => number;
  takeAway: () => Promise<void>;
  bringBack: () => Promise<void>;
  stop: () => Promise<void>;
};

const CLIENT_ID = 'paydesk';
export const CLIENT_SECRET = 'the secret of the client: 7%+&';
const NAMES = 60;

/** The names that providers of a server may have in the service, of which each has a redirect URI. */
const PROVIDER_NAMES = Array.from({ length: NAMES }, (_, index) => `provider-${index}`);

/** Makes a key to sign tokens with. */
export function makeKey(): Key {
  return { kid: randomUUID(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** @param configuration - changes of the package's own */
export async function startIdentityServer(
  configuration: object = {},
  publicUrl = 'http://localhost:3000',
): Promise<IdentityServer> {
  const people = new Map<string, Person>();
  let person: Person | null = null;
  let key = makeKey();
  const changes = new Map<string, (answer: Json) => Json | Promise<Json>>();
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const asked: string[] = [];
  const server = createServer();
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const open = () => openProvider(issuer, key, people, { publicUrl, configuration });
  let provider = open();

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', issuer).pathname;
    asked.push(path);
    const answer = answers.get(path);
    if (answer !== undefined) return answer(request, response);
    if (path.startsWith('/interaction/')) {
      const result = person === null ? { error: 'access_denied' } : { login: { accountId: person.sub } };
      return void provider.interactionFinished(request, response, result);
    }
    const change = changes.get(path);
    if (change !== undefined) changeAnswer(response, change);
    provider.callback()(request, response);
  });

  return {
    issuer,
    setPerson: (next) => {
      person = next;
      if (next !== null) people.set(next.sub, next);
    },
    tamper: (path, change) => void (change === null ? changes.delete(path) : changes.set(path, change)),
    answerAt: (path, answer) => void (answer === null ? answers.delete(path) : answers.set(path, answer)),
    signToken: (claims, { kid, privateKey } = key) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey),
    key: () => key,
    rotateKeys: () => {
      key = makeKey();
      provider = open();
    },
    requests: (path) => asked.filter((one) => one === path).length,
    takeAway: async () => {
      await close(server);
      await keepPort(port);
    },
    bringBack: async () => {
      await listen(server, port);
      freePort(port);
    },
    stop: () => close(server),
  };
}

function openProvider(
  issuer: string,
  { kid, privateKey }: Key,
  people: ReadonlyMap<string, Person>,
  { publicUrl, configuration }: { publicUrl: string; configuration: object },
): Provider {
  const provider: Provider = new Provider(issuer, {
    adapter: createStore(),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: PROVIDER_NAMES.map((name) => `${publicUrl}/auth/oidc/${name}/callback`),
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    cookies: { keys: ['a key for cookies'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ ...people.get(accountId) }),
    }),
    loadExistingGrant: async ({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ...configuration,
  });
  return provider;
}

/** Keeps what the provider has to know between two requests, in memory. */
function createStore() {
  const entries = new Map<string, Json>();
  return (model: string) => ({
    upsert: async (id: string, entry: Json) => void entries.set(`${model} ${id}`, entry),
    find: async (id: string) => entries.get(`${model} ${id}`),
    findByUid: async (uid: string) => [...entries.values()].find((entry) => entry.uid === uid),
    consume: async (id: string) =>
      void entries.set(`${model} ${id}`, { ...entries.get(`${model} ${id}`), consumed: true }),
    destroy: async (id: string) => void entries.delete(`${model} ${id}`),
    revokeByGrantId: async (grantId: string) => {
      for (const [key, entry] of entries) if (entry.grantId === grantId) entries.delete(key);
    },
  });
}

/** The JSON that is about to be sent is changed before. */
function changeAnswer(response: ServerResponse, change: (answer: Json) => Json | Promise<Json>): void {
  const end = response.end.bind(response) as (text: string) => ServerResponse;
  const changed = async (text: string) => {
    const next = JSON.stringify(await change(JSON.parse(text)));
    response.setHeader('content-length', Buffer.byteLength(next));
    end(next);
  };
  response.end = ((content: string | Buffer) => {
    void changed(String(content));
    return response;
  }) as typeof response.end;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** By the database of a service: how many names are taken there. Other test files may share this process. */
const used = new WeakMap<TestService['database'], number>();

/** Sets up a provider of the service at a server. @returns its name, which no other test of the service has */
export async function addProvider(
  service: TestService,
  server: IdentityServer,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const taken = used.get(service.database) ?? 0;
  const name = PROVIDER_NAMES[taken];
  if (name === undefined) throw new Error('The server knows no more names.');
  used.set(service.database, taken + 1);
  const client = { issuer: server.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  return putProvider(service, { ...client, ...changes }, name);
}

/** The value of the cookie that an answer sets, with its name, as a browser sends it; null when it sets none. */
export function cookieOf(answer: Pick<Answer, 'headers'>, name: string): string | null {
  const all = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith(`${name}=`));
  return all.at(-1)?.split(';', 1)[0] ?? null;
}

export const ATTEMPT_COOKIE = '__Host-paydesk-sign-in';

/** A browser on its way: where it is sent, and its cookie. */
export type Way = { location: string; cookie: string };

/** Begins a sign-in. */
export async function begin(service: TestService, name: string, query = ''): Promise<Way> {
  const answer = expectStatus(await service.call('GET', `/auth/oidc/${name}/start${query}`), 302);
  return { location: answer.headers.get('location') ?? '', cookie: cookieOf(answer, ATTEMPT_COOKIE) ?? '' };
}

/** Follows the redirects at the provider. @returns the path at the service that it sends the browser back to */
export async function visit(location: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let next = location; ; ) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const answer = await fetch(next, { redirect: 'manual', headers });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const to = answer.headers.get('location');
    if (to === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    const url = new URL(to, next);
    if (url.pathname.startsWith('/auth/oidc/')) return url.pathname + url.search;
    next = url.href;
  }
}

/** Comes back from the provider. */
export function comeBack(service: TestService, path: string, cookie: string | null): Promise<Answer> {
  return service.call('GET', path, cookie === null ? {} : { headers: { cookie } });
}

/** The whole way of a browser. */
export async function signIn(service: TestService, name: string, query = ''): Promise<Answer> {
  const { location, cookie } = await begin(service, name, query);
  return comeBack(service, await visit(location), cookie);
}

/** The session that a sign-in has begun, by the cookie that it sets. */
export async function sessionOf(service: TestService, answer: Answer): Promise<Actor> {
  const cookie = cookieOf(answer, '__Host-paydesk');
  if (cookie === null) throw new Error(`There is no session: ${answer.headers.get('location')}`);
  const headers = { cookie, origin: new URL(service.config.publicUrl).origin };
  const { data } = expectStatus(await service.call('POST', '/auth/refresh?session=cookie', { headers }), 200).body;
  const { user } = data;
  return { token: data.access_token, refreshToken: '', userId: user.id, companyId: user.company.id, email: user.email };
}

const LINK_COOKIE = '__Host-paydesk-link';

/** Begins to link an account, as its user. */
export async function beginLink(service: TestService, { token }: Pick<Actor, 'token'>, provider: string): Promise<Way> {
  const body = { provider, password: PASSWORD };
  const answer = expectStatus(await service.call('POST', '/auth/links', { token, body }), 200);
  return { location: answer.body.data.url, cookie: cookieOf(answer, LINK_COOKIE) ?? '' };
}

/** The whole way of the browser of a user who links the account. */
export async function linkAccount(service: TestService, actor: Pick<Actor, 'token'>, name: string): Promise<Answer> {
  const { location, cookie } = await beginLink(service, actor, name);
  const { pathname, search } = new URL(location);
  const started = expectStatus(await service.call('GET', pathname + search, { headers: { cookie } }), 302);
  const path = await visit(started.headers.get('location') ?? '');
  return comeBack(service, path, cookieOf(started, ATTEMPT_COOKIE));
}
