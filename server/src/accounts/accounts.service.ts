import { v7 as uuidv7 } from 'uuid';
import { createBillingInformation } from '../billing-information/billing-information.service.ts';
import { hasCards } from '../cards/cards.service.ts';
import { createCompany, EMPTY_COMPANY, findCompanyProfile } from '../companies/companies.service.ts';
import { type Db, type Queryable, type Tx, transaction, violatedConstraint } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { NO_COMPANY, recordEvent } from '../events/events.service.ts';
import type { Keyring } from '../keys/keys.ts';
import { ROLES, type RoleName } from '../permissions.ts';
import { recordLoginFailure, refuseGuessing } from './accounts.login-limits.ts';
import { hashPassword, type PasswordCost, verifyPassword, withHashingSlot } from './accounts.password.ts';
import {
  deleteExpiredAccess,
  findUserByEmail,
  insertSession,
  insertUser,
  isEmailTaken,
  type User,
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
    const data = await profile(tx, user);
    await recordEvent(tx, companyId ?? NO_COMPANY, { type: 'user.created', data });
    return user;
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
  // The check stands inside the slot: however many guesses arrive at once, only a few get past it before they are counted.
  const user = await withHashingSlot(async () => {
    await refuseGuessing(db, body.email, address);
    const found = await findUserByEmail(db, body.email);
    if (await verifyPassword(body.password, found?.passwordHash ?? null)) return found;
    await recordLoginFailure(db, body.email, address);
    return null;
  });
  if (user === null) throw new ApiError('invalid_credentials', 'The e-mail or the password is wrong.');
  const sessionId = uuidv7();
  await insertSession(db, user.id, sessionId, tokens.accessTokenLifetimeSeconds);
  return answer(dependencies, user, sessionId);
}

async function answer(
  { db, keyring, tokens }: AccountDependencies,
  user: User,
  sessionId: string,
): Promise<AuthAnswer> {
  const { id: userId, companyId, role } = user;
  const accessToken = await signAccessToken(keyring, tokens, { userId, companyId, role, sessionId });
  return { error: null, data: { access_token: accessToken, user: await profile(db, user) } };
}

async function profile(db: Queryable, user: User): Promise<UserProfile> {
  const [company, state] = await Promise.all([
    user.companyId === null ? EMPTY_COMPANY : findCompanyProfile(db, user.companyId),
    findState(db, user.companyId),
  ]);
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    phone: user.phone,
    email: user.email,
    country: user.country,
    city: user.city,
    avatar: user.avatar,
    company,
    role: ROLES[user.role],
    address: null,
    state,
    language: user.language,
    timezone: user.timezone,
    default_app: user.defaultApp,
  };
}

/** Derived, never stored: an admin is without a card until the company has one. */
async function findState(db: Queryable, companyId: string | null): Promise<UserProfile['state']> {
  return companyId === null || (await hasCards(db, companyId)) ? 'ACTIVED' : 'CARD_NOT_FOUND';
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
