import { createPaydesk, isPaydeskError, type Paydesk, type Permissions, type UserProfile } from '@paydesk/client';
import { useSyncExternalStore } from 'react';
import { identityOf } from './identity.ts';
import { fetchInTurn } from './refresh.ts';

/**
 * Who uses the pages: a member or one of the staff (`cookie`), a product's customer (`customer`), an operator's key in the console
 * (`console`), or the operator who looks at a company (`view`). Each has a cookie of its own, which no script can read.
 */
export type SessionKind = 'cookie' | 'customer' | 'console' | 'view';

export type Session = {
  kind: SessionKind;
  /** The member or one of the staff; null for a key, a customer session or a view. */
  user: UserProfile | null;
  /** Who it is of, and of which company: to be compared only. */
  identity: string;
  /** What the session may do in a company; null in the console. */
  permissions: Permissions | null;
  /** What the operator's person or key may do; null in a company. */
  operatorRole: OperatorRole | null;
  /** The name that the pages show. */
  name: string;
  /** The company that the operator looks at; null in every other session. */
  viewedCompanyId: string | null;
  /** The page of the product to which a customer goes back; null without one. */
  returnUrl: string | null;
};

export type OperatorRole = 'viewer' | 'finance' | 'admin' | 'integration';

type App = 'app' | 'console';

/** The answer of a refresh or a login, of any kind. */
type Grant = {
  access_token: string;
  expires_in: number;
  user?: UserProfile;
  operator?: { id: string; name: string; role: OperatorRole };
  /** Of a customer session, with the name that its product gave. */
  permission?: Permissions;
  name?: string;
  return_url?: string | null;
  company?: { id: string; name: string; email?: string; externalId?: string | null };
};

type Begun = { begun: string; kind: SessionKind };

/** The tabs of a browser tell one another that a session of some kind has ended, or which one has begun. */
const channel = new BroadcastChannel('paydesk-session');
/** Which cookies the browser may have besides the member's. It holds names of kinds, no secrets. */
const KINDS_KEY = 'paydesk.session-kinds';

const listeners = new Set<() => void>();
let session: Session | null = null;
/** For the operations that take a token without needing one. */
let accessToken: string | null = null;
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
    if (grant !== null && isOf(app, kind, grant)) return startSession(kind, resumed, grant, app);
    if (grant === null) forgetKind(kind);
  }
  return null;
}

/** A member has no page in the console. */
function isOf(app: App, kind: SessionKind, { user }: Grant): boolean {
  return app === 'app' || kind === 'console' || user?.staff_role != null;
}

/** Creates the client with which somebody logs in. */
export function createClient(kind: SessionKind): Paydesk {
  const created: Paydesk = createPaydesk({
    url: location.origin,
    session: kind,
    fetch: fetchInTurn,
    timeoutMs: 30_000,
    onRefresh: (tokens) => {
      if (created !== client) return;
      refuseOther(tokens.accessToken);
      accessToken = tokens.accessToken;
    },
  });
  return created;
}

/**
 * The cookies are the browser's: another tab may have begun a session of somebody else with the same one. What this page shows or has been
 * told belongs to its own session, so it loads again as what the browser now is, and the request that needed the token is not sent.
 */
function refuseOther(token: string): void {
  if (session === null || identityOf(token) === session.identity) return;
  leave(location.pathname + location.search);
  throw new Error('Another tab has begun a session of somebody else.');
}

/**
 * Creates a client for what anybody may do, and which has a further effect for who is logged in: accepting an invitation, and showing that
 * an address is theirs.
 *
 * @param kind - of the session that an answer begins
 */
export function createClientForOpener(kind: SessionKind): Paydesk {
  return createPaydesk({
    url: location.origin,
    session: kind,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      if (accessToken !== null) headers.set('authorization', `Bearer ${accessToken}`);
      return fetch(input, { ...init, headers });
    },
  });
}

/** Begins the session that a login with `loggedIn` has opened. */
export function startSession(kind: SessionKind, loggedIn: Paydesk, grant: Grant, app: App): Session {
  client = loggedIn;
  accessToken = grant.access_token;
  if (kind !== 'cookie') rememberKind(kind);
  session = readGrant(kind, grant, app);
  channel.postMessage({ begun: session.identity, kind } satisfies Begun);
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
  const ended = session?.kind ?? 'cookie';
  await client.auth.logOut().catch((error) => {
    // A session that has ended already is what was asked for.
    if (!isPaydeskError(error) || error.status !== 401) throw error;
  });
  forgetEverywhere(ended);
  // What this tab has begun is not to go on at the next login.
  sessionStorage.clear();
  leave(loginPath);
}

/** The service has ended the session already, such as with the account: forgets it here and in the other tabs. */
export function endedElsewhere(loginPath: string): void {
  forgetEverywhere(session?.kind ?? 'cookie');
  leave(loginPath);
}

/** Ends the look at a company, with the session of whoever looks, and goes back to the company's page in the console. */
export async function leaveView(): Promise<void> {
  const companyId = session?.viewedCompanyId;
  for (const kind of ['console', 'cookie'] as const) {
    const opener = createClient(kind);
    const grant = await refresh(opener);
    if (companyId == null || grant === null || !isOf('console', kind, grant)) continue;
    await opener.operator.companies.endViews(companyId);
    break;
  }
  forgetEverywhere('view');
  leave(companyId == null ? '/console' : `/console/companies/${companyId}`);
}

function forgetEverywhere(kind: SessionKind): void {
  forgetKind(kind);
  channel.postMessage(kind);
}

/**
 * Leads on after a login of a person: staff to the console, and who lacks a second factor that is demanded to the page that sets one up.
 *
 * @param wanted - the path of this app, where nothing else comes first
 * @returns the path of this app to go to; null when another page is loading
 */
export async function enter(loggedIn: Paydesk, grant: Grant & { user: UserProfile }, app: App, wanted: string) {
  const { user } = grant;
  const security = user.staff_role === null ? '/app/security' : '/console/security';
  const isDemanded = !user.two_factor && (user.staff_role !== null || (await demandsSecondFactor(loggedIn, user)));
  const path = isDemanded ? `${security}?demanded=second_factor` : wanted;
  if (app === 'app' && user.staff_role !== null) {
    location.replace(isDemanded ? path : '/console');
    return null;
  }
  for (const kind of app === 'app' ? (['view', 'customer'] as const) : []) forgetKind(kind);
  startSession(app === 'console' ? 'console' : 'cookie', loggedIn, grant, app);
  return path;
}

async function demandsSecondFactor(loggedIn: Paydesk, { company }: UserProfile): Promise<boolean> {
  if (company.id === '') return false;
  return loggedIn.company.get().then(
    () => false,
    (error) => isPaydeskError(error, 'second_factor_required'),
  );
}

/**
 * Follows a session that another tab ends or begins with the same cookie, and loads again when the browser shows a page again that was left
 * after a logout.
 */
export function followOtherTabs(loginPath: string): void {
  channel.onmessage = ({ data }: MessageEvent<SessionKind | Begun>) => {
    if (session === null) return;
    if (typeof data === 'string') {
      if (data === session.kind) leave(loginPath);
    } else if (data.kind === session.kind && data.begun !== session.identity) {
      leave(location.pathname + location.search);
    }
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
  const { user = null, operator, permission, name, company, return_url: returnUrl = null } = grant;
  const isConsole = app === 'console';
  return {
    kind,
    user,
    identity: identityOf(grant.access_token),
    permissions: isConsole ? null : (permission ?? user?.role?.permission ?? null),
    operatorRole: isConsole ? (operator?.role ?? user?.staff_role ?? null) : null,
    name: user !== null ? nameOf(user) : operator?.name || nameOfCompany(company) || name || '',
    viewedCompanyId: kind === 'view' ? (company?.id ?? null) : null,
    returnUrl,
  };
}

function nameOf({ first_name: first, last_name: last, email }: UserProfile): string {
  const name = `${first} ${last}`.trim();
  return name === '' ? email : name;
}

/** A company without a name goes by its e-mail, else by the id that its product gave it. */
function nameOfCompany(company: Grant['company']): string {
  return company?.name || company?.email || company?.externalId || '';
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

function kindsOf(app: App): SessionKind[] {
  // Staff who have logged in at /app have its cookie alone.
  if (app === 'console') return ['console', 'cookie'];
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

function forgetKind(kind: SessionKind): void {
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
