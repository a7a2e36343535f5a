import { createPaydesk, isPaydeskError, type Paydesk, type Permissions, type UserProfile } from '@paydesk/client';
import { useSyncExternalStore } from 'react';

/**
 * Who uses the pages: a member or one of the staff (`cookie`), a product's customer (`customer`), an operator's key in the console
 * (`console`), or the operator who looks at a company (`view`). Each has a cookie of its own, which no script can read.
 */
export type SessionKind = 'cookie' | 'customer' | 'console' | 'view';

export type Session = {
  kind: SessionKind;
  /** The member or one of the staff; null for a key, a customer session or a view. */
  user: UserProfile | null;
  /** What the session may do in a company; null in the console. */
  permissions: Permissions | null;
  /** What the operator's person or key may do; null in a company. */
  operatorRole: OperatorRole | null;
  /** The name that the pages show. */
  name: string;
};

export type OperatorRole = 'viewer' | 'finance' | 'admin' | 'integration';

type App = 'app' | 'console';

/** The answer of a refresh or a login, of any kind. */
type Grant = {
  expires_in: number;
  user?: UserProfile;
  operator?: { id: string; name: string; role: OperatorRole };
  permission?: Permissions;
  company?: { id: string; name: string };
};

/** The tabs of a browser tell one another that a session has ended. */
const channel = new BroadcastChannel('paydesk-session');
/** Which cookies the browser may have besides the member's. It holds names of kinds, no secrets. */
const KINDS_KEY = 'paydesk.session-kinds';

const listeners = new Set<() => void>();
let session: Session | null = null;
let client = createClient('cookie');

/** The client of the API, with the access token of the current session. The token is only in the memory of this page. */
export function paydesk(): Paydesk {
  return client;
}

export function currentSession(): Session | null {
  return session;
}

export function useSession(): Session | null {
  return useSyncExternalStore(listen, currentSession);
}

/** Opens the session that the browser's cookies grant, if any. Other kinds than the member's come first. */
export async function resumeSession(app: App): Promise<Session | null> {
  for (const kind of kindsOf(app)) {
    const resumed = createClient(kind);
    const grant = await refresh(resumed);
    if (grant !== null) return startSession(kind, resumed, grant, app);
    forgetKind(kind);
  }
  return null;
}

/** Creates the client with which somebody logs in. */
export function createClient(kind: SessionKind): Paydesk {
  return createPaydesk({
    url: location.origin,
    session: kind,
    fetch: fetchInTurn,
    timeoutMs: 30_000,
  });
}

/** Begins the session that a login with `loggedIn` has opened. */
export function startSession(kind: SessionKind, loggedIn: Paydesk, grant: Grant, app: App): Session {
  client = loggedIn;
  if (kind !== 'cookie') rememberKind(kind);
  session = readGrant(kind, grant, app);
  for (const notify of listeners) notify();
  return session;
}

/** The person has changed, such as the name, the language or the second factor. */
export function updateUser(user: UserProfile): void {
  if (session === null) return;
  session = { ...session, user, name: nameOf(user) };
  for (const notify of listeners) notify();
}

/** Ends the session here, at the service and in the other tabs, and leads to the login. */
export async function logOut(loginPath: string): Promise<void> {
  const ended = session?.kind;
  await client.auth.logOut().catch((error) => {
    // A session that has ended already is what was asked for.
    if (!isPaydeskError(error) || error.status !== 401) throw error;
  });
  if (ended !== undefined) forgetKind(ended);
  channel.postMessage('ended');
  leave(loginPath);
}

/** Leads to the login when another tab logs out, and when the browser shows a page again that was left after a logout. */
export function followOtherTabs(loginPath: string): void {
  channel.onmessage = () => {
    if (session !== null) leave(loginPath);
  };
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

/** A full load forgets everything that the page has in its memory. */
export function leave(path: string): void {
  session = null;
  location.replace(path);
}

function readGrant(kind: SessionKind, grant: Grant, app: App): Session {
  const { user = null, operator, permission, company } = grant;
  const isConsole = app === 'console';
  return {
    kind,
    user,
    permissions: isConsole ? null : (permission ?? user?.role?.permission ?? null),
    operatorRole: isConsole ? (operator?.role ?? user?.staff_role ?? null) : null,
    name: user !== null ? nameOf(user) : (operator?.name ?? company?.name ?? ''),
  };
}

function nameOf({ first_name: first, last_name: last, email }: UserProfile): string {
  const name = `${first} ${last}`.trim();
  return name === '' ? email : name;
}

async function refresh(resumed: Paydesk): Promise<Grant | null> {
  try {
    const answer = await resumed.auth.refresh({});
    return answer === undefined ? null : (answer.data as Grant);
  } catch (error) {
    if (isPaydeskError(error) && error.status < 500) return null;
    throw error;
  }
}

/** The tabs of a browser share a cookie: each refreshes in its turn, so that none sends a token that another has used up. */
function fetchInTurn(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const isRefresh = new URL(String(input), location.origin).pathname === '/auth/refresh';
  return isRefresh ? navigator.locks.request('paydesk-refresh', () => fetch(input, init)) : fetch(input, init);
}

function kindsOf(app: App): SessionKind[] {
  if (app === 'console') return ['console'];
  const remembered = rememberedKinds();
  const others: SessionKind[] = ['view', 'customer'];
  return [...others.filter((kind) => remembered.includes(kind)), 'cookie'];
}

function rememberedKinds(): string[] {
  return (localStorage.getItem(KINDS_KEY) ?? '').split(' ');
}

export function rememberKind(kind: SessionKind): void {
  localStorage.setItem(KINDS_KEY, [...new Set([...rememberedKinds(), kind])].join(' ').trim());
}

export function forgetKind(kind: SessionKind): void {
  localStorage.setItem(
    KINDS_KEY,
    rememberedKinds()
      .filter((one) => one !== kind)
      .join(' '),
  );
}

function listen(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
