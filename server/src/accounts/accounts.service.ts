import { v7 as uuidv7 } from 'uuid';
import { createBillingInformation } from '../billing-information/billing-information.service.ts';
import { createCompany, EMPTY_COMPANY } from '../companies/companies.service.ts';
import { type Db, type Tx, transaction, violatedConstraint } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { NO_COMPANY, recordEvent } from '../events/events.service.ts';
import type { Keyring } from '../keys/keys.ts';
import { ROLES, type RoleName } from '../permissions.ts';
import { describeAttempt, recordLoginFailure, refuseGuessing } from './accounts.login-limits.ts';
import { hashPassword, type PasswordCost, verifyPassword, withHashingSlot } from './accounts.password.ts';
import {
  deleteExpiredAccess,
  findUserOfAttempt,
  insertSession,
  insertUser,
  isEmailTaken,
  type ProfiledUser,
} from './accounts.queries.ts';
import type { AuthAnswer, LoginBody, SignUpBody, UserProfile } from './accounts.schema.ts';
import { signAccessToken, type TokenSettings } from './accounts.tokens.ts';

export type AccountDependencies = { db: Db; keyring: Keyring; tokens: TokenSettings; passwordCost: PasswordCost };

/**
 * Registers an admin with a new company and its empty billing-information record, all in one transaction, and logs the
 * admin in (specification 4.6). @throws ApiError email_taken.
 */
export async function signUpAdmin(dependencies: AccountDependencies, body: SignUpBody): Promise<AuthAnswer> {
  return signUp(dependencies, body, 'Admin', async (tx) => {
    const companyId = await createCompany(tx);
    await createBillingInformation(tx, companyId);
    return companyId;
  });
}

/** Registers a customer, who belongs to no company, and logs the customer in. @throws ApiError email_taken. */
export async function signUpCustomer(dependencies: AccountDependencies, body: SignUpBody): Promise<AuthAnswer> {
  return signUp(dependencies, body, 'Customer', async () => null);
}

async function signUp(
  dependencies: AccountDependencies,
  body: SignUpBody,
  role: RoleName,
  makeCompany: (tx: Tx) => Promise<string | null>,
): Promise<AuthAnswer> {
  const { db, tokens, passwordCost } = dependencies;
  if (await isEmailTaken(db, body.email)) throw emailTaken();
  const passwordHash = await hashPassword(body.password, passwordCost);
  const sessionId = uuidv7();
  const user = await transaction(db, async (tx) => {
    const companyId = await makeCompany(tx);
    const user = { ...newUser(body), companyId, role };
    await insertUser(tx, { ...user, passwordHash });
    await insertSession(tx, user.id, sessionId, tokens.accessTokenLifetimeSeconds);
    const company = companyId === null ? null : { ...EMPTY_COMPANY, id: companyId };
    const newcomer = { ...user, company, hasCards: false };
    await recordEvent(tx, companyId ?? NO_COMPANY, { type: 'user.created', data: profile(newcomer) });
    return newcomer;
  }).catch((error) => {
    throw violatedConstraint(error) === 'users_email_key' ? emailTaken() : error;
  });
  return answer(dependencies, user, sessionId);
}

/**
 * Logs a user in. An unknown e-mail and a wrong password read the same and take the same time.
 * @throws ApiError invalid_credentials, or rate_limited after too many failures.
 */
export async function logIn(dependencies: AccountDependencies, body: LoginBody, address: string): Promise<AuthAnswer> {
  const { db, tokens } = dependencies;
  const attempt = describeAttempt(body.email, address);
  // The check stands inside the slot: however many guesses arrive at once, only a few get past it before they are counted.
  const user = await withHashingSlot(async () => {
    const { isSuspect, user: found } = await findUserOfAttempt(db, attempt);
    if (isSuspect) await refuseGuessing(db, attempt);
    if (await verifyPassword(body.password, found?.passwordHash ?? null)) return found;
    await recordLoginFailure(db, attempt);
    return null;
  });
  if (user === null) throw new ApiError('invalid_credentials', 'The e-mail or the password is wrong.');
  const sessionId = uuidv7();
  await insertSession(db, user.id, sessionId, tokens.accessTokenLifetimeSeconds);
  return answer(dependencies, user, sessionId);
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
    // Derived, never stored: an admin is without a card until the company has one.
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
  return new ApiError('email_taken', 'An account with this e-mail exists.', {
    details: [{ field: 'email', message: 'has an account' }],
  });
}

/** Removes login failures that no longer count and sessions that ended a week ago, up to `limit` of each. @returns how many */
export async function removeExpiredAccess(db: Db, limit: number): Promise<number> {
  return deleteExpiredAccess(db, limit);
}
