/** PayPal's access tokens (https://developer.paypal.com/api/rest/authentication/), one for all requests until shortly before its end. */
import { GatewayError } from '../../gateway/gateway.ts';

/** A request that is under way takes its token along. */
const MARGIN_SECONDS = 60;
/** Longer than PayPal gives. */
const LONGEST_SECONDS = 86_400;

export type Tokens = {
  /** @throws GatewayError `unauthorized`, `rate_limited` or `not_sent`: what was to follow was not sent in any case */
  get(fetchToken: () => Promise<IssuedToken>): Promise<string>;
  /** The one at hand is not taken any more. */
  forget(): void;
};
type IssuedToken = { accessToken: string; expiresIn?: bigint };
type HeldToken = { accessToken: string; goodUntilMs: number };

/** Requests at the same time wait for the same token. */
export function createTokens(): Tokens {
  let held: HeldToken | null = null;
  let fetching: Promise<HeldToken> | null = null;
  return {
    forget: () => {
      held = null;
    },
    async get(fetchToken) {
      if (held !== null && performance.now() < held.goodUntilMs) return held.accessToken;
      fetching ??= hold(fetchToken).finally(() => {
        fetching = null;
      });
      held = await fetching;
      return held.accessToken;
    },
  };
}

async function hold(fetchToken: () => Promise<IssuedToken>): Promise<HeldToken> {
  const askedAtMs = performance.now();
  try {
    const { accessToken, expiresIn = 0n } = await fetchToken();
    if (!/^[\x21-\x7e]{1,4096}$/.test(accessToken)) throw new Error('no token');
    const seconds = Math.min(Number(expiresIn), LONGEST_SECONDS) - MARGIN_SECONDS;
    return { accessToken, goodUntilMs: askedAtMs + Math.max(0, seconds) * 1_000 };
  } catch (error) {
    throw toFailure(error);
  }
}

/** Without a token nothing else is sent, so the outcome of that is known. */
function toFailure(error: unknown): GatewayError {
  const kind = error instanceof GatewayError ? error.kind : null;
  if (kind === 'unauthorized') return new GatewayError(kind, "PayPal refused our client's id or secret.");
  if (kind === 'rate_limited') return new GatewayError(kind, 'PayPal asks for fewer requests.');
  return new GatewayError('not_sent', 'PayPal gave no access token, so nothing was sent.');
}
