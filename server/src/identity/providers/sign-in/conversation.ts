import type { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import type { Configuration, ServerMetadata } from 'openid-client';
import { findUrlProblem } from '../../../platform/outbound/issuers.ts';
import { newResolver } from '../../../platform/outbound/lookups.ts';
import type { Provider } from '../setup/providers.service.ts';
import type { Attempt } from './attempt.ts';
import { type Claims, type Identity, readIdentity } from './claims.ts';
import { connectTo } from './connection.ts';
import { asFailure, SignInFailure } from './failures.ts';

/** How long the configuration of a provider is remembered. Its keys are not, so that a rotation holds at once. */
const CONFIGURATION_SECONDS = 300;
const MAX_CONFIGURATIONS = 100;
/** Of one provider, in this process: one that is slow does not hold the requests of others. */
const MAX_CONVERSATIONS = 20;
const CLOCK_TOLERANCE_SECONDS = 60;
const SCOPE = 'openid email profile';

/** Loaded at the first sign-in. */
const load = () => import('openid-client');

export type Conversations = {
  /** Where the browser is sent. @throws SignInFailure */
  begin: (provider: Provider, attempt: Attempt, redirectUri: string) => Promise<URL>;
  /**
   * Who has signed in, by the provider's answer to the browser: its address with the parameters that it came with. @throws SignInFailure
   */
  finish: (provider: Provider, attempt: Attempt, answer: URL) => Promise<Identity>;
};

type Options = { allowedHosts: readonly string[]; timeoutMs: number; resolver?: Resolver };

/** What is said to providers, each within the time that it has. */
export function createConversations({ allowedHosts, timeoutMs, resolver = newResolver() }: Options): Conversations {
  const configurations = new LRUCache<string, ServerMetadata>({
    max: MAX_CONFIGURATIONS,
    ttl: CONFIGURATION_SECONDS * 1_000,
  });
  const open = new Map<string, number>();

  const converse = async <T>(provider: Provider, talk: (client: Configuration) => Promise<T>): Promise<T> => {
    const { name, issuer } = provider;
    const others = open.get(name) ?? 0;
    if (others >= MAX_CONVERSATIONS)
      throw new SignInFailure('provider_unavailable', 'too many requests to the provider are open');
    open.set(name, others + 1);
    try {
      const fetch = connectTo({ issuer, allowedHosts, resolver, signal: AbortSignal.timeout(timeoutMs) });
      const server = configurations.get(issuer) ?? (await discover(issuer, fetch));
      if (!configurations.has(issuer)) configurations.set(issuer, server);
      return await talk(await openClient(provider, server, fetch));
    } catch (error) {
      // It may have changed.
      configurations.delete(issuer);
      throw asFailure(error);
    } finally {
      const left = (open.get(name) ?? 1) - 1;
      if (left === 0) open.delete(name);
      else open.set(name, left);
    }
  };

  return {
    begin: (provider, attempt, redirectUri) =>
      converse(provider, async (client) => {
        const url = await authorizationUrl(client, attempt, redirectUri);
        const problem = findUrlProblem(url, { issuer: new URL(provider.issuer), allowedHosts });
        if (problem !== null) throw new SignInFailure('sso_failed', `its authorization endpoint ${problem}`);
        return url;
      }),
    finish: (provider, attempt, answer) =>
      converse(provider, async (client) => readIdentity(provider.issuer, await exchangeCode(client, attempt, answer))),
  };
}

type Fetch = ReturnType<typeof connectTo>;

/** Reads the configuration of an issuer, which has to name itself exactly as it is known here. */
async function discover(issuer: string, fetch: Fetch): Promise<ServerMetadata> {
  const { allowInsecureRequests, customFetch, discovery } = await load();
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  const found = await discovery(new URL(issuer), 'paydesk', undefined, undefined, { [customFetch]: fetch, execute });
  const server = found.serverMetadata();
  if (server.issuer !== issuer)
    throw new SignInFailure('sso_failed', 'the configuration of the provider names another issuer');
  return server;
}

/**
 * A client for one conversation, with no keys of the provider yet. The signature of the ID token is verified, though it comes over TLS.
 */
async function openClient(
  { issuer, clientId, readSecret }: Provider,
  server: ServerMetadata,
  fetch: Fetch,
): Promise<Configuration> {
  const openid = await load();
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
  const authenticate = methods.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost;
  const settings = { [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const client = new openid.Configuration(server, clientId, settings, authenticate(readSecret()));
  client[openid.customFetch] = fetch;
  openid.enableNonRepudiationChecks(client);
  if (issuer.startsWith('http:')) openid.allowInsecureRequests(client);
  return client;
}

async function authorizationUrl(client: Configuration, attempt: Attempt, redirectUri: string): Promise<URL> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load();
  return buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  });
}

/** Exchanges the code of an answer for the claims about the user. Most providers tell the e-mail only at another endpoint. */
async function exchangeCode(client: Configuration, attempt: Attempt, answer: URL): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await load();
  const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = attempt;
  const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
  const tokens = await authorizationCodeGrant(client, answer, checks);
  const claims = tokens.claims();
  if (claims === undefined) throw new SignInFailure('sso_failed', 'the answer of the provider has no ID token');
  const { email, email_verified: isVerified, hd, ...rest } = claims;
  const isComplete = email !== undefined && isVerified !== undefined;
  if (isComplete || client.serverMetadata().userinfo_endpoint === undefined) return claims;
  // The e-mail and whether it is verified come from one place; the domain of the organization from the signed token alone.
  return { ...rest, ...(await fetchUserInfo(client, tokens.access_token, claims.sub)), hd };
}
