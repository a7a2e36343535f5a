import { auditParts, recordAudit } from '../../audit/audit.service.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Db, type Part, type Queryable, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { findUserOfAttempt, lockCheckedUser } from '../checks/attempts.public.queries.ts';
import type { Client } from '../checks/client.ts';
import {
  type Count,
  type CountedKind,
  findSecondsOverLimit,
  insertCheckedSession,
  insertCountedSession,
} from '../checks/guard.public.queries.ts';
import { describeAttempt, hashNetwork, recognizeDevice, refuseGuessing } from '../checks/login-limits.ts';
import { recordFailedLogin } from '../checks/secret-check.ts';
import { withHashingSlot } from '../passwords/hashing.ts';
import { verifyPassword } from '../passwords/password.ts';
import { prepareSession, type SessionSettings, type SessionTokens } from '../sessions/sessions.service.ts';
import { emailKey, type ProfiledUser } from '../users/users.public.queries.ts';

export type LoginDependencies = {
  db: Db;
  keyring: Keyring;
  settings: SessionSettings;
  limits: Pick<Config, 'signUpsPerHour' | 'loginsPerHour'>;
};

/**
 * Checks the first factor of a login. An unknown e-mail and a wrong password get the same answer in the same time.
 * @returns the user, who is not logged in yet
 * @throws ApiError invalid_credentials; rate_limited after too many failures, or too many logins of the network;
 *   service_unavailable
 */
export async function checkPassword(
  dependencies: LoginDependencies,
  body: { email: string; password: string },
  client: Client,
): Promise<CheckedUser> {
  const { db, keyring } = dependencies;
  const { network } = client;
  const described = describeAttempt(keyring, body.email, client);
  // Checked inside the slot, so that of many parallel guesses only a few pass before failures are counted.
  const user = await withHashingSlot({ kind: 'login', network, account: emailKey(body.email) }, async () => {
    const found = await findUserOfAttempt(db, described, dependencies.limits.loginsPerHour);
    const attempt = recognizeDevice(described, found.user?.credentialEpoch ?? null);
    const isKnown = found.isKnown || attempt.device !== null;
    if (found.hasRecentFailure) await refuseGuessing(db, attempt, isKnown);
    if (found.secondsOverLimit !== null) throw tooMany('login', found.secondsOverLimit);
    if (await verifyPassword(body.password, found.user?.passwordHash ?? null)) return found.user;
    await recordFailedLogin(db, {
      attempt,
      user: found.user,
      client,
      isKnown,
      hasRecentFailure: found.hasRecentFailure,
    });
    return null;
  });
  if (user === null) throw wrongCredentials();
  return user;
}

/** A user whose password was right, with the hash that it was compared to. */
export type CheckedUser = ProfiledUser & { passwordHash: string | null };

/**
 * Starts the session of a user whose password is all that is asked for, and records the login, in one statement: while it waits for
 * nobody's answer, other logins of the network do not wait for it.
 * @throws ApiError invalid_credentials when the password was changed since it was checked; rate_limited as `openSession`
 */
export async function openCheckedSession(
  { db, keyring, settings, limits }: LoginDependencies,
  user: CheckedUser,
  client: Client,
): Promise<SessionTokens> {
  const { network, usedFrom } = client;
  const { row, tokens } = prepareSession(settings, { userId: user.id, byProvider: false }, usedFrom);
  const count = {
    kind: 'login' as const,
    network,
    networkHash: hashNetwork(keyring, network),
    limit: limits.loginsPerHour,
  };
  const entry = { ...describeOwnAct(user, client), action: 'login.succeeded' as const, changes: null };
  const audited = (from: Part) => auditParts(db, user.companyId, entry, from);
  const { isUnchanged, isOpened } = await insertCheckedSession(db, row, { user, count, audited });
  if (!isUnchanged) throw wrongCredentials();
  if (!isOpened) throw await tooManyNow(db, count);
  return tokens;
}

/**
 * Does the next step of a login after the password. A change of the password ends what the step begins, or comes before it and refuses it.
 * @throws ApiError invalid_credentials when the password was changed since it was checked
 */
export async function continueChecked<T>(db: Db, user: CheckedUser, step: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    const [isUnchanged, result] = await Promise.all([lockCheckedUser(tx, user), step(tx)]);
    if (!isUnchanged) throw wrongCredentials();
    return result;
  });
}

function wrongCredentials(): ApiError {
  return new ApiError('invalid_credentials', 'The e-mail or the password is wrong.');
}

/** Where the company lets only its provider sign its members in. */
export function providerRequired(): ApiError {
  return new ApiError(
    'sso_required',
    'The members of this company can sign in only through the provider of the company.',
  );
}

/**
 * Starts the session of a user who has shown every factor that is asked for, or whom a provider has signed in, and records the login.
 * @throws ApiError sso_required where the company demands its provider; rate_limited when the network has reached its limit
 */
export async function openSession(
  tx: Tx,
  dependencies: LoginDependencies,
  user: ProfiledUser,
  client: Client,
  { byProvider = false }: { byProvider?: boolean } = {},
): Promise<SessionTokens> {
  if (user.needsProvider && !byProvider) throw providerRequired();
  const [started] = await Promise.all([
    startSession(tx, dependencies, 'login', user.id, { ...client, byProvider }),
    recordAudit(tx, user.companyId, { ...describeOwnAct(user, client), action: 'login.succeeded', changes: null }),
  ]);
  return started;
}

type OwnAccount = Pick<ProfiledUser, 'id' | 'firstName' | 'lastName' | 'email'> &
  Partial<Pick<ProfiledUser, 'staffRole'>>;

/** Who does what to whom, in the audit log, where users do something to their own accounts. */
export function describeOwnAct(
  { id, firstName, lastName, email, staffRole = null }: OwnAccount,
  { actor }: Pick<Client, 'actor'>,
) {
  const isStaff = staffRole !== null || actor.kind === 'staff';
  const kind = isStaff ? ('staff' as const) : ('user' as const);
  return {
    audience: 'company' as const,
    actor: { ...actor, kind, id, name: `${firstName} ${lastName}` },
    target: { kind, id, name: email },
  };
}

/**
 * Starts a session of a user and counts it for the network.
 * @throws ApiError rate_limited when the network has reached its limit meanwhile
 */
export async function startSession(
  db: Queryable,
  { keyring, settings, limits }: LoginDependencies,
  kind: CountedKind,
  userId: string,
  { network, usedFrom, byProvider = false }: Client & { byProvider?: boolean },
): Promise<SessionTokens> {
  const { row, tokens } = prepareSession(settings, { userId, byProvider }, usedFrom);
  const limit = limitOf(limits, kind);
  const networkHash = hashNetwork(keyring, network);
  const count = { kind, network, networkHash, limit };
  if (await insertCountedSession(db, row, count)) return tokens;
  throw await tooManyNow(db, count);
}

/** What is answered when the network has reached its limit meanwhile. */
async function tooManyNow(db: Queryable, { kind, network, limit }: Count): Promise<ApiError> {
  const retryAfterSeconds = await findSecondsOverLimit(db, kind, network, limit);
  return tooMany(kind, retryAfterSeconds ?? 1);
}

/** @throws ApiError rate_limited while the network has reached its limit */
export async function refuseOverLimit(
  { db, limits }: LoginDependencies,
  kind: CountedKind,
  network: string,
): Promise<void> {
  const retryAfterSeconds = await findSecondsOverLimit(db, kind, network, limitOf(limits, kind));
  if (retryAfterSeconds !== null) throw tooMany(kind, retryAfterSeconds);
}

function limitOf({ loginsPerHour, signUpsPerHour }: LoginDependencies['limits'], kind: CountedKind): number {
  return kind === 'login' ? loginsPerHour : signUpsPerHour;
}

function tooMany(kind: CountedKind, retryAfterSeconds: number): ApiError {
  const what = kind === 'login' ? 'logins' : 'sign-ups';
  return new ApiError('rate_limited', `Too many ${what} from this address. Try again later.`, { retryAfterSeconds });
}
