import { OPERATIONS } from './operations.generated.ts';
import { keepsSession } from './request.ts';
import type { Operation, PaydeskOptions, RequestOptions, SessionTokens } from './types.ts';

/** A session that the client keeps going: it has the tokens, and gets the next ones when the service refuses the access token. */
export type Session = {
  /** The access token; before the first refresh by cookie there is none. */
  accessToken: () => string | undefined;
  /**
   * Gets the next tokens, unless that has happened since `refused` was sent. Requests at the same time share one refresh.
   * @returns whether there is another access token now
   * @throws PaydeskError, `session_revoked` if the user has to log in again; PaydeskConnectionError
   */
  refresh: (refused: string | undefined) => Promise<boolean>;
  /** Takes the tokens of a sign-up or login, and forgets all with a logout. @returns the answer */
  adopt: (answer: unknown) => unknown;
};

type SendRefresh = (operation: Operation, call: { body?: unknown; options?: RequestOptions }) => Promise<unknown>;
type Answer = { data: { access_token: string; refresh_token?: string; expires_in: number } } | undefined;
type Tokens = { accessToken: string | undefined; refreshToken: string | undefined };

/**
 * Creates the session of the options; null if they name neither a refresh token nor a cookie. @param send - sends the
 * refresh itself, which is never refreshed @throws TypeError if the options contradict each other
 */
export function createSession(options: PaydeskOptions, send: SendRefresh): Session | null {
  if (!keepsSession(options)) return null;
  if (typeof options.accessToken === 'function') {
    throw new TypeError('The option accessToken must be a text if the client refreshes it.');
  }
  if (options.refreshToken !== undefined && options.session !== undefined) {
    throw new TypeError('Set either refreshToken or session: the refresh token is in the cookie.');
  }
  let tokens: Tokens = { accessToken: options.accessToken, refreshToken: options.refreshToken };
  let running: Promise<boolean> | undefined;

  const refreshOnce = async (): Promise<boolean> => {
    // After a logout there is nothing to refresh with.
    if (tokens.refreshToken === undefined && options.session === undefined) return false;
    const answer = await sendRefresh(send, tokens.refreshToken);
    // By cookie: nobody is logged in.
    if (answer === undefined) return false;
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = answer.data;
    tokens = { accessToken, refreshToken };
    const next: SessionTokens = { accessToken, expiresIn, ...(refreshToken === undefined ? {} : { refreshToken }) };
    await options.onRefresh?.(next);
    return true;
  };

  return {
    accessToken: () => tokens.accessToken,
    refresh: (refused) => {
      if (tokens.accessToken !== refused) return Promise.resolve(true);
      running ??= refreshOnce().finally(() => {
        running = undefined;
      });
      return running;
    },
    adopt: (answer) => {
      const { access_token: accessToken, refresh_token: refreshToken } = (answer as Answer)?.data ?? {};
      tokens = { accessToken, refreshToken };
      return answer;
    },
  };
}

/** A refresh whose answer is lost is repeated, because the same token gets the same successor for ten seconds. */
async function sendRefresh(send: SendRefresh, refreshToken: string | undefined): Promise<Answer> {
  const operation = OPERATIONS['auth.refresh'];
  if (operation === undefined) throw new Error('The client does not know how to refresh.');
  const body = refreshToken === undefined ? undefined : { refresh_token: refreshToken };
  return (await send({ ...operation, isRepeatable: true }, { body, options: { totalTimeoutMs: 9_000 } })) as Answer;
}
