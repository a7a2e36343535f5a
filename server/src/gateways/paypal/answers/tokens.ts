/** Shares an access token among all requests until shortly before it expires (https://developer.paypal.com/api/rest/authentication/). */
import { GatewayError } from '../../gateway/gateway.ts';

/** The time in which a running request may still use its token. */
const MARGIN_SECONDS = 60;
/** The longest time for which a token is used, whatever lifetime PayPal states. */
const MAX_LIFETIME_SECONDS = 86_400;

export type Tokens = {
  /** @throws GatewayError `unauthorized`, `rate_limited` or `not_sent`; the request that needs the token was not sent */
  get(fetchToken: () => Promise<IssuedToken>): Promise<string>;
  /** Drops the current token, because PayPal rejected it. */
  forget(): void;
};
type IssuedToken = { accessToken: string; expiresIn?: bigint };
type CachedToken = { accessToken: string; validUntilMs: number };

/** Creates the store of the token. Concurrent requests wait for the same token. */
export function createTokens(): Tokens {
  let cached: CachedToken | null = null;
  let fetching: Promise<CachedToken> | null = null;
  return {
    forget: () => {
      cached = null;
    },
    async get(fetchToken) {
      if (cached !== null && performance.now() < cached.validUntilMs) return cached.accessToken;
      fetching ??= fetchCacheableToken(fetchToken).finally(() => {
        fetching = null;
      });
      cached = await fetching;
      return cached.accessToken;
    },
  };
}

async function fetchCacheableToken(fetchToken: () => Promise<IssuedToken>): Promise<CachedToken> {
  const askedAtMs = performance.now();
  try {
    const { accessToken, expiresIn = 0n } = await fetchToken();
    if (!/^[\x21-\x7e]{1,4096}$/.test(accessToken)) throw new Error('no token');
    const seconds = Math.min(Number(expiresIn), MAX_LIFETIME_SECONDS) - MARGIN_SECONDS;
    return { accessToken, validUntilMs: askedAtMs + Math.max(0, seconds) * 1_000 };
  } catch (error) {
    throw toFailure(error);
  }
}

/** Without a token the request is not sent, so its outcome is known. */
function toFailure(error: unknown): GatewayError {
  const kind = error instanceof GatewayError ? error.kind : null;
  if (kind === 'unauthorized') return new GatewayError(kind, "PayPal refused our client's id or secret.");
  if (kind === 'rate_limited') return new GatewayError(kind, 'PayPal asks for fewer requests.');
  return new GatewayError('not_sent', 'PayPal issued no access token, so the request was not sent.');
}
