import { recordAudit } from '../../audit/audit.service.ts';
import { type Db, type Queryable, type Tx, transaction } from '../../platform/database/database.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { findCompany } from '../companies/companies.service.ts';
import { createSecret } from '../secrets/secrets.ts';
import { signAccessToken } from '../sessions/access-tokens.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import {
  hashRefreshToken,
  type RefreshToken,
  readRefreshToken,
  succeed,
  writeRefreshToken,
} from '../sessions/refresh-tokens.ts';
import type { CompanyView, ConsoleSessionAnswer } from '../sessions/sessions.schema.ts';
import {
  type NextTokens,
  type OtherTokens,
  type SessionSettings,
  sessionRevoked,
} from '../sessions/sessions.service.ts';
import {
  endReusedSession,
  endSessionOfFamily,
  type FoundSession,
  findSuccessor,
  type OperatorSessionKind,
  rotateRefreshToken,
} from './operator-sessions.public.queries.ts';

/** What the refresh tokens of each kind begin with, which those of users and customers do not. */
const PREFIXES = { console: 'os_', view: 'vs_' } as const;
/** The names of the roles in the tokens. Other services see by them that nobody of a company is logged in. */
const [KEY_ROLE, VIEW_ROLE] = ['Operator key', 'Company view'];

export type OperatorTokenDependencies = {
  db: Db;
  keyring: Keyring;
  settings: SessionSettings;
  forget: TokenAuthentication['forget'];
};

type Signing = Pick<OperatorTokenDependencies, 'keyring' | 'settings'>;

/** Refreshes and ends the sessions of operator keys in the console, and the views of companies, by their refresh tokens. */
export function createOperatorTokens(dependencies: OperatorTokenDependencies): OtherTokens[] {
  return (['console', 'view'] as const).map((kind) => ({
    isOne: (text) => text.startsWith(PREFIXES[kind]),
    forms: [kind],
    refresh: (text, actor) => refresh(dependencies, kind, text, actor),
    logOut: (text, actor) => logOut(dependencies, kind, text, actor),
  }));
}

/** The text of a refresh token, which is in a cookie alone. */
export function writeOperatorToken(kind: OperatorSessionKind, token: RefreshToken): string {
  return PREFIXES[kind] + writeRefreshToken(token);
}

/** The answer that a session of the console begins with and goes on by. */
export function answerConsole(signing: Signing, { opener, role, ...session }: FoundSession): ConsoleSessionAnswer {
  if (role === null) throw sessionRevoked();
  const subject = {
    userId: opener.id,
    companyId: null,
    companyExternalId: null,
    role: KEY_ROLE,
    kind: 'operator' as const,
  };
  const data = { ...sign(signing, session, subject), operator: { id: opener.id, name: opener.name, role } };
  return { error: null, data };
}

/** The same for a view. @throws ApiError session_revoked if its company is gone */
export async function describeView(
  db: Queryable,
  companyId: string,
  signing: Signing,
  session: Pick<FoundSession, 'sessionId' | 'secondsLeft'> & { openerId: string },
): Promise<CompanyView> {
  const company = await findCompany(db, companyId);
  if (company === null) throw sessionRevoked();
  const { externalId, name, email } = company;
  const subject = {
    userId: session.openerId,
    companyId,
    companyExternalId: externalId,
    role: VIEW_ROLE,
    kind: 'view' as const,
  };
  return { ...sign(signing, session, subject), company: { id: companyId, externalId, name, email } };
}

type Subject = Omit<Parameters<typeof signAccessToken>[2], 'sessionId'>;

/** An access token that does not outlive its session. */
function sign(
  { keyring, settings }: Signing,
  { sessionId, secondsLeft }: Pick<FoundSession, 'sessionId' | 'secondsLeft'>,
  subject: Omit<Subject, 'lifetimeSeconds' | 'expiresAt'>,
): { access_token: string; expires_in: number } {
  const lifetimeSeconds = Math.min(settings.accessTokenLifetimeSeconds, secondsLeft);
  const token = signAccessToken(keyring, settings, { ...subject, sessionId, lifetimeSeconds });
  return { access_token: token, expires_in: lifetimeSeconds };
}

async function refresh(
  dependencies: OperatorTokenDependencies,
  kind: OperatorSessionKind,
  text: string,
  actor: Actor,
): Promise<{ answer: NextTokens; secondsLeft: number }> {
  const { db } = dependencies;
  const token = readToken(kind, text);
  if (token === null) throw sessionRevoked();
  const hashes = hashRefreshToken(token);
  const salt = createSecret();
  const successor = succeed(token, salt);
  const { tokenHash: successorHash } = hashRefreshToken(successor);
  const rotated = await rotateRefreshToken(db, kind, hashes, { successorHash, salt });
  if (rotated !== null) return answer(dependencies, kind, rotated, successor);
  const repeated = await findSuccessor(db, kind, hashes);
  if (repeated !== null) return answer(dependencies, kind, repeated.session, succeed(token, repeated.salt));
  await endIfReused(dependencies, kind, token, actor);
  throw sessionRevoked();
}

async function logOut(
  { db, forget }: OperatorTokenDependencies,
  kind: OperatorSessionKind,
  text: string,
  actor: Actor,
): Promise<void> {
  const token = readToken(kind, text);
  if (token === null) return;
  await transaction(db, async (tx) => {
    const session = await endSessionOfFamily(tx, kind, hashRefreshToken(token));
    if (session === null) return;
    const { companyId, sessionId, opener } = session;
    if (companyId === null) await recordConsoleEnd(tx, sessionId, { ...actor, ...opener });
    else await recordViewEnd(tx, companyId, { ...actor, ...opener });
  });
  forget([token.sessionId]);
}

async function recordConsoleEnd(tx: Tx, sessionId: string, actor: Actor): Promise<void> {
  const target = { kind: 'session', id: sessionId, name: '' };
  await recordAudit(tx, null, { audience: 'operator', actor, action: 'session.ended', target, changes: null });
}

/** Records, in the log of the company, that somebody of the operator does not view it any more. */
export async function recordViewEnd(tx: Tx, companyId: string, actor: Actor): Promise<void> {
  const company = await findCompany(tx, companyId);
  const target = { kind: 'company', id: companyId, name: company?.name ?? '' };
  await recordAudit(tx, companyId, { audience: 'company', actor, action: 'company.view_ended', target, changes: null });
}

function readToken(kind: OperatorSessionKind, text: string): RefreshToken | null {
  return readRefreshToken(text.slice(PREFIXES[kind].length));
}

async function answer(
  dependencies: OperatorTokenDependencies,
  kind: OperatorSessionKind,
  session: FoundSession,
  refreshToken: RefreshToken,
): Promise<{ answer: NextTokens; secondsLeft: number }> {
  const { companyId, opener, secondsLeft } = session;
  const data =
    companyId === null
      ? answerConsole(dependencies, session).data
      : await describeView(dependencies.db, companyId, dependencies, { ...session, openerId: opener.id });
  return {
    answer: { error: null, data: { ...data, refresh_token: writeOperatorToken(kind, refreshToken) } },
    secondsLeft,
  };
}

/** Ends the session of a refresh token that was used before: somebody else may have it (RFC 9700, 4.14.2). */
async function endIfReused(
  { db, forget }: OperatorTokenDependencies,
  kind: OperatorSessionKind,
  token: RefreshToken,
  actor: Actor,
): Promise<void> {
  const isReused = await transaction(db, async (tx) => {
    const session = await endReusedSession(tx, kind, hashRefreshToken(token));
    if (session === null) return false;
    await recordAudit(tx, session.companyId, {
      audience: 'company',
      actor: { ...actor, ...session.opener },
      action: 'session.reuse_detected',
      target: { kind: 'session', id: session.sessionId, name: '' },
      changes: null,
    });
    return true;
  });
  if (isReused) forget([token.sessionId]);
}
