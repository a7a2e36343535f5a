import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPaydesk, isPaydeskError, PaydeskConnectionError, type PaydeskOptions } from '../src/index.ts';

type Sent = { method: string; path: string; token: string | null; key: string | null; body: string };

/** A service in memory with one session, whose access and refresh tokens are numbered. */
function startSession() {
  const state = { number: 1, isOver: false, refreshes: 0, losesAnswers: 0 };
  const sent: Sent[] = [];
  const answer = (status: number, body?: object) =>
    new Response(body === undefined ? null : JSON.stringify(body), { status });
  const refuse = (status: number, code: string) => answer(status, { error: { code, message: code, details: [] } });
  const tokens = () => ({
    access_token: `access-${state.number}`,
    refresh_token: `refresh-${state.number}`,
    expires_in: 3_600,
  });

  const refresh = (body: string): Response => {
    state.refreshes += 1;
    if (state.isOver) return refuse(401, 'session_revoked');
    const { refresh_token: given } = JSON.parse(body) as { refresh_token: string };
    // The one before the current one gets the same successor.
    if (given === `refresh-${state.number}`) state.number += 1;
    else if (given !== `refresh-${state.number - 1}`) return refuse(401, 'session_revoked');
    if (state.losesAnswers > 0) {
      state.losesAnswers -= 1;
      throw new TypeError('terminated');
    }
    return answer(200, { error: null, data: tokens() });
  };

  const fetch: PaydeskOptions['fetch'] = async (input, init) => {
    const { method = 'GET', body = '' } = init ?? {};
    const headers = new Headers(init?.headers);
    const path = new URL(String(input)).pathname;
    const token = headers.get('authorization');
    sent.push({ method, path, token, key: headers.get('idempotency-key'), body: String(body) });
    // Requests at once are all sent before the first is answered.
    await new Promise((resolve) => setImmediate(resolve));
    if (path === '/auth/refresh') return refresh(String(body));
    if (path === '/auth/local') return refuse(401, 'invalid_credentials');
    if (path === '/payments/addresses') return refuse(403, 'forbidden');
    return token === `Bearer access-${state.number}` ? answer(200, []) : refuse(401, 'unauthenticated');
  };
  return { state, sent, fetch };
}

const url = 'http://127.0.0.1:1';

describe('a client with a refresh token', () => {
  it('refreshes when its access token is refused, and sends the call again with the same key', async () => {
    const { sent, fetch } = startSession();
    const stored: object[] = [];
    const onRefresh = async (tokens: object) => void stored.push(tokens);
    const paydesk = createPaydesk({ url, fetch, accessToken: 'old', refreshToken: 'refresh-1', onRefresh });
    await paydesk.invoices.pay('an-invoice');
    expect(sent.map(({ path, token }) => [path, token])).toEqual([
      ['/payments/orders/an-invoice/pay', 'Bearer old'],
      ['/auth/refresh', null],
      ['/payments/orders/an-invoice/pay', 'Bearer access-2'],
    ]);
    expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent[2]?.key).toBe(sent[0]?.key);
    expect(stored).toEqual([{ accessToken: 'access-2', refreshToken: 'refresh-2', expiresIn: 3_600 }]);
  });

  it('refreshes once for many requests at once, and again when that token is refused', async () => {
    const { state, fetch } = startSession();
    const paydesk = createPaydesk({ url, fetch, accessToken: 'old', refreshToken: 'refresh-1' });
    await Promise.all(Array.from({ length: 20 }, () => paydesk.cards.list()));
    expect([state.refreshes, state.number]).toEqual([1, 2]);
    state.number = 3;
    await expect(Promise.all([paydesk.cards.list(), paydesk.cards.list()])).resolves.toEqual([[], []]);
    expect(state.refreshes).toBe(2);
  });

  it('needs no access token: it gets the first one before the first request', async () => {
    const { sent, fetch } = startSession();
    const paydesk = createPaydesk({ url, fetch, refreshToken: 'refresh-1' });
    await paydesk.cards.list();
    expect(sent.map(({ path }) => path)).toEqual(['/auth/refresh', '/payments/cards']);
  });

  it('repeats a refresh whose answer is lost, and gets the same successor', async () => {
    const { state, fetch } = startSession();
    state.losesAnswers = 1;
    const paydesk = createPaydesk({ url, fetch, accessToken: 'old', refreshToken: 'refresh-1' });
    await paydesk.cards.list();
    expect([state.refreshes, state.number]).toEqual([2, 2]);
  });

  it('refreshes after no other refusal', async () => {
    const { state, fetch } = startSession();
    const paydesk = createPaydesk({ url, fetch, accessToken: 'access-1', refreshToken: 'refresh-1' });
    await expect(paydesk.addresses.list()).rejects.toMatchObject({ code: 'forbidden' });
    const login = paydesk.auth.logIn({ email: 'ada@example.com', password: 'wrong' });
    await expect(login).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(state.refreshes).toBe(0);
  });

  it('rejects with session_revoked once the session has ended, without printing a token', async () => {
    const { state, fetch } = startSession();
    state.isOver = true;
    const paydesk = createPaydesk({ url, fetch, accessToken: 'a-secret', refreshToken: 'r-secret' });
    const error: unknown = await paydesk.cards.list().catch((reason: unknown) => reason);
    expect(isPaydeskError(error, 'session_revoked')).toBe(true);
    expect(inspect([paydesk, error], { depth: 10, showHidden: true })).not.toContain('secret');
  });

  it('forgets its tokens with a logout: what follows is unauthenticated, and nothing is refreshed', async () => {
    const { state, sent, fetch } = startSession();
    const paydesk = createPaydesk({ url, fetch, accessToken: 'access-1', refreshToken: 'refresh-1' });
    await paydesk.auth.logOut();
    await expect(paydesk.cards.list()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect([state.refreshes, sent.at(-1)?.token]).toEqual([0, null]);
  });

  it('rejects with the connection’s error when no refresh is answered', async () => {
    const { state, fetch } = startSession();
    state.losesAnswers = 100;
    const paydesk = createPaydesk({ url, fetch, accessToken: 'old', refreshToken: 'refresh-1', maxRetries: 0 });
    await expect(paydesk.cards.list()).rejects.toBeInstanceOf(PaydeskConnectionError);
  });
});

describe('a client with a session cookie', () => {
  /** A service whose cookie is in `state`, as a browser would send it. */
  function startBrowser(isLoggedIn: boolean) {
    const state = { isLoggedIn };
    const paths: string[] = [];
    const data = { access_token: 'access', expires_in: 3_600 };
    const error = { code: 'unauthenticated', message: 'Log in.', details: [] };
    const fetch: PaydeskOptions['fetch'] = async (input, init) => {
      const { pathname, search } = new URL(String(input));
      paths.push(pathname + search);
      if (pathname === '/auth/logout') state.isLoggedIn = false;
      if (pathname === '/auth/local') state.isLoggedIn = true;
      if (pathname.startsWith('/auth/')) {
        return state.isLoggedIn ? Response.json({ error: null, data }) : new Response(null, { status: 204 });
      }
      const isKnown = new Headers(init?.headers).get('authorization') === 'Bearer access';
      return isKnown ? Response.json([]) : Response.json({ error }, { status: 401 });
    };
    return { paths, paydesk: createPaydesk({ url, fetch, session: 'cookie' }) };
  }

  it('gets its first access token by the cookie', async () => {
    const { paths, paydesk } = startBrowser(true);
    await paydesk.cards.list();
    expect(paths).toEqual(['/auth/refresh?session=cookie', '/payments/cards']);
  });

  it('takes the tokens of a login, and forgets them with a logout', async () => {
    const { paths, paydesk } = startBrowser(false);
    await paydesk.auth.logIn({ email: 'ada@example.com', password: 'Correct-horse-7' });
    await paydesk.cards.list();
    await paydesk.auth.logOut();
    await expect(paydesk.cards.list()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(paths.slice(0, 3)).toEqual(['/auth/local?session=cookie', '/payments/cards', '/auth/logout?session=cookie']);
  });
});

it('options that contradict each other are refused at once', () => {
  expect(() => createPaydesk({ url, accessToken: () => 'a', refreshToken: 'b' })).toThrow('must be a text');
  expect(() => createPaydesk({ url, session: 'cookie', refreshToken: 'b' })).toThrow('either refreshToken or session');
});
