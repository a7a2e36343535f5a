import { v7 as uuidv7 } from 'uuid';
import { createBillingInformation } from '../../customers/billing-information/billing-information.service.ts';
import { createCompany, EMPTY_COMPANY } from '../../customers/companies/companies.service.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Db, type Queryable, type Tx, transaction, violatedConstraint } from '../../platform/database/database.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { ROLES, type RoleName } from '../../platform/permissions.ts';
import { commonPasswordProblems } from '../passwords/common-passwords.ts';
import { withHashingSlot } from '../passwords/hashing.ts';
import { hashPassword, type PasswordCost, verifyPassword } from '../passwords/password.ts';
import type { Client } from './accounts.client.ts';
import { accountEvents } from './accounts.events.ts';
import {
  type CountedKind,
  deleteExpiredGuards,
  findSecondsOverLimit,
  insertCountedSession,
} from './accounts.guard.public.queries.ts';
import { describeAttempt, hashNetwork, recordLoginFailure, refuseGuessing } from './accounts.login-limits.ts';
import { emailKey, findUserOfAttempt, insertUser, isEmailTaken, type ProfiledUser } from './accounts.public.queries.ts';
import type { AuthAnswer, LoginBody, SignUpBody, UserProfile } from './accounts.schema.ts';
import { signAccessToken, type TokenSettings } from './accounts.tokens.ts';
import { deleteExpiredSessions } from './accounts.worker.queries.ts';

export type AccountDependencies = {
  db: Db;
  keyring: Keyring;
  tokens: TokenSettings;
  limits: Pick<Config, 'signUpsPerHour' | 'loginsPerHour'>;
  passwordCost: PasswordCost;
};

/**
 * Creates an admin with a new company and its empty billing information in one transaction, and logs the admin in.
 * @throws ApiError email_taken, rate_limited, service_unavailable
 */
export async function signUpAdmin(
  dependencies: AccountDependencies,
  body: SignUpBody,
  client: Client,
): Promise<AuthAnswer> {
  return signUp(dependencies, body, client, 'Admin', async (tx) => {
    const companyId = await createCompany(tx);
    await createBillingInformation(tx, companyId);
    return companyId;
  });
}

/** Creates a customer, who belongs to no company, and logs the customer in. @throws ApiError as `signUpAdmin` */
export async function signUpCustomer(
  dependencies: AccountDependencies,
  body: SignUpBody,
  client: Client,
): Promise<AuthAnswer> {
  return signUp(dependencies, body, client, 'Customer', async () => null);
}

async function signUp(
  dependencies: AccountDependencies,
  body: SignUpBody,
  client: Client,
  role: RoleName,
  makeCompany: (tx: Tx) => Promise<string | null>,
): Promise<AuthAnswer> {
  const { db, passwordCost } = dependencies;
  const { network } = client;
  refuseCommonPassword(body);
  if (await isEmailTaken(db, body.email)) throw emailTaken();
  const passwordHash = await withHashingSlot({ kind: 'signUp', network, account: emailKey(body.email) }, async () => {
    const { signUpsPerHour } = dependencies.limits;
    const retryAfterSeconds = await findSecondsOverLimit(db, 'sign_up', network, signUpsPerHour);
    if (retryAfterSeconds !== null) throw tooMany('sign-ups', retryAfterSeconds);
    return hashPassword(body.password, passwordCost);
  });
  const sessionId = uuidv7();
  const user = await transaction(db, async (tx) => {
    const companyId = await makeCompany(tx);
    const user = { ...newUser(body), companyId, role };
    await insertUser(tx, { ...user, passwordHash });
    await startSession(tx, dependencies, 'sign_up', { userId: user.id, sessionId, network });
    const company = companyId === null ? null : { ...EMPTY_COMPANY, id: companyId };
    const newcomer = { ...user, company, hasCards: false };
    await accountEvents.record(tx, companyId ?? OPERATOR_SCOPE, { type: 'user.created', data: profile(newcomer) });
    return newcomer;
  }).catch((error) => {
    throw violatedConstraint(error) === 'users_email_key' ? emailTaken() : error;
  });
  return answer(dependencies, user, sessionId);
}

/**
 * Logs a user in. An unknown e-mail and a wrong password get the same answer in the same time.
 * @throws ApiError invalid_credentials; rate_limited after too many failures, or too many logins of the network;
 *   service_unavailable
 */
export async function logIn(dependencies: AccountDependencies, body: LoginBody, client: Client): Promise<AuthAnswer> {
  const { db, keyring } = dependencies;
  const { network } = client;
  const attempt = describeAttempt(keyring, body.email, client);
  // Checked inside the slot, so that of many parallel guesses only a few pass before failures are counted.
  const user = await withHashingSlot({ kind: 'login', network, account: emailKey(body.email) }, async () => {
    const found = await findUserOfAttempt(db, attempt, dependencies.limits.loginsPerHour);
    const isKnown = found.isKnown || client.device !== null;
    if (found.isSuspect) await refuseGuessing(db, attempt, isKnown);
    if (found.secondsOverLimit !== null) throw tooMany('logins', found.secondsOverLimit);
    if (await verifyPassword(body.password, found.user?.passwordHash ?? null)) return found.user;
    await recordLoginFailure(db, attempt, { isKnown, isSuspect: found.isSuspect });
    return null;
  });
  if (user === null) throw new ApiError('invalid_credentials', 'The e-mail or the password is wrong.');
  const sessionId = uuidv7();
  await startSession(db, dependencies, 'login', { userId: user.id, sessionId, network });
  return answer(dependencies, user, sessionId);
}

/** Applies at sign-up only: accounts with a common password can still log in. */
function refuseCommonPassword({ password, email, first_name: firstName, last_name: lastName }: SignUpBody): void {
  for (const message of commonPasswordProblems(password, { email, firstName, lastName })) {
    throw invalidField('password', message);
  }
}

/** @throws ApiError rate_limited when the network has reached its limit meanwhile */
async function startSession(
  db: Queryable,
  { keyring, tokens, limits }: AccountDependencies,
  kind: CountedKind,
  { userId, sessionId, network }: { userId: string; sessionId: string; network: string },
): Promise<void> {
  const session = { userId, sessionId, lifetimeSeconds: tokens.accessTokenLifetimeSeconds };
  const limit = kind === 'login' ? limits.loginsPerHour : limits.signUpsPerHour;
  const networkHash = hashNetwork(keyring, network);
  if (await insertCountedSession(db, session, { kind, network, networkHash, limit })) return;
  const retryAfterSeconds = await findSecondsOverLimit(db, kind, network, limit);
  throw tooMany(kind === 'login' ? 'logins' : 'sign-ups', retryAfterSeconds ?? 1);
}

function tooMany(what: string, retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', `Too many ${what} from this address. Try again later.`, { retryAfterSeconds });
}

function answer({ keyring, tokens }: AccountDependencies, user: ProfiledUser, sessionId: string): AuthAnswer {
  const { id: userId, companyId, role } = user;
  const accessToken = signAccessToken(keyring, tokens, { userId, companyId, role, sessionId });
  return { error: null, data: { access_token: accessToken, user: profile(user) } };
}

function profile(user: ProfiledUser): UserProfile {
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    phone: user.phone,
    email: user.email,
    country: user.country,
    city: user.city,
    avatar: user.avatar,
    company: user.company ?? EMPTY_COMPANY,
    role: ROLES[user.role],
    address: null,
    // Derived, not stored: an admin's state depends on whether the company has a card.
    state: user.companyId === null || user.hasCards ? 'ACTIVED' : 'CARD_NOT_FOUND',
    language: user.language,
    timezone: user.timezone,
    default_app: user.defaultApp,
  };
}

function newUser({ first_name: firstName, last_name: lastName, email }: SignUpBody) {
  const unset = { phone: '', country: '', city: '', avatar: '', language: '', timezone: '', defaultApp: '' };
  return { id: uuidv7(), firstName, lastName, email, ...unset };
}

function emailTaken(): ApiError {
  return new ApiError('email_taken', 'An account with this e-mail already exists.', {
    details: [{ field: 'email', message: 'has an account' }],
  });
}

/**
 * Removes up to `limit` each of expired login limits and of sessions that ended a week ago. @returns how many were
 * removed
 */
export async function removeExpiredAccess(db: Db, limit: number): Promise<number> {
  return (await deleteExpiredGuards(db, limit)) + (await deleteExpiredSessions(db, limit));
}
