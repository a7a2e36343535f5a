import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '../../audit/audit.service.ts';
import { createCompany, EMPTY_COMPANY } from '../../customers/companies/companies.service.ts';
import type { MailDependencies } from '../../mail/mail.service.ts';
import { type Tx, transaction, violatedConstraint } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Client } from '../checks/client.ts';
import { sendVerification } from '../email/email.service.ts';
import { describeOwnAct, type LoginDependencies, refuseOverLimit, startSession } from '../login/login.service.ts';
import { commonPasswordProblems } from '../passwords/common-passwords.ts';
import { withHashingSlot } from '../passwords/hashing.ts';
import { hashPassword, type PasswordCost } from '../passwords/password.ts';
import { roleOf, type StoredRole } from '../roles/stored-role.ts';
import type { OpenedSession } from '../sessions/sessions.service.ts';
import { emailKey, emailTaken, insertUser, isEmailTaken, type ProfiledUser } from '../users/users.public.queries.ts';
import { type DescribedUser, describeUser } from '../users/users.service.ts';
import { accountEvents } from './accounts.events.ts';
import type { SignUpBody } from './accounts.schema.ts';

export type AccountDependencies = LoginDependencies & { passwordCost: PasswordCost; mail: MailDependencies };

/**
 * Creates an admin with a new company and its empty billing information in one transaction, and logs the admin in.
 * @throws ApiError email_taken, rate_limited, service_unavailable
 */
export async function signUpAdmin(
  dependencies: AccountDependencies,
  body: SignUpBody,
  client: Client,
): Promise<OpenedSession> {
  return signUp(dependencies, body, client, async (tx) => {
    const id = await createCompany(tx);
    const company = { ...EMPTY_COMPANY, id, externalId: null };
    return { company, hasCards: false, systemRole: 'Admin', customRole: null, isEmailVerified: false };
  });
}

/** Creates a customer, who belongs to no company, and logs the customer in. @throws ApiError as `signUpAdmin` */
export async function signUpCustomer(
  dependencies: AccountDependencies,
  body: SignUpBody,
  client: Client,
): Promise<OpenedSession> {
  const customer = {
    company: null,
    hasCards: false,
    systemRole: 'Customer',
    customRole: null,
    isEmailVerified: false,
  } as const;
  return signUp(dependencies, body, client, async () => customer);
}

/** What a new account never has. */
const BEGINNING = { hasSecondFactor: false, needsProvider: false, credentialEpoch: 0 };

/** What an account begins with. An address that is not verified gets a mail. */
type Beginning = Pick<ProfiledUser, 'company' | 'hasCards' | 'isEmailVerified'> &
  StoredRole &
  Partial<Pick<ProfiledUser, 'id' | 'staffRole'>>;
export type Newcomer = ReturnType<typeof newUser>;

/** Creates an account and logs it in. `begin` runs in its transaction. @throws ApiError as `signUpAdmin` */
export async function signUp(
  dependencies: AccountDependencies,
  body: SignUpBody,
  client: Client,
  begin: (tx: Tx, newcomer: Newcomer) => Promise<Beginning>,
): Promise<OpenedSession> {
  const { db, passwordCost } = dependencies;
  const { network } = client;
  refuseCommonPassword(body);
  if (await isEmailTaken(db, body.email)) throw emailTaken();
  const passwordHash = await withHashingSlot({ kind: 'signUp', network, account: emailKey(body.email) }, async () => {
    await refuseOverLimit(dependencies, 'sign_up', network);
    return hashPassword(body.password, passwordCost);
  });
  return transaction(db, async (tx) => {
    const newcomer = newUser(body);
    const beginning = await begin(tx, newcomer);
    const companyId = beginning.company?.id ?? null;
    const user = { ...newcomer, ...beginning, companyId, ...BEGINNING };
    await insertAccount(tx, user, passwordHash, client);
    const tokens = await startSession(tx, dependencies, 'sign_up', user.id, client);
    if (!user.isEmailVerified) await sendVerification(tx, user, dependencies.mail);
    return { user, tokens };
  }).catch((error) => {
    throw violatedConstraint(error) === 'users_email_key' ? emailTaken() : error;
  });
}

/**
 * Inserts an account, sends its event to webhook endpoints and records it.
 * @param passwordHash - null for an account that signs in through a provider
 * @throws PostgresError on the constraint `users_email_key` when the e-mail has an account
 */
export async function insertAccount(
  tx: Tx,
  user: DescribedUser,
  passwordHash: string | null,
  client: Pick<Client, 'actor'>,
): Promise<void> {
  const { companyId, firstName: first_name, lastName: last_name, email } = user;
  await insertUser(tx, { ...user, passwordHash });
  await accountEvents.record(tx, companyId, { type: 'user.created', data: describeUser(user) });
  await recordAudit(tx, companyId, {
    ...describeOwnAct(user, client),
    action: 'user.signed_up',
    changes: { before: {}, after: { first_name, last_name, email, role: roleOf(user).name } },
  });
}

/** Applies at sign-up only: accounts with a common password can still log in. */
function refuseCommonPassword({ password, email, first_name: firstName, last_name: lastName }: SignUpBody): void {
  for (const message of commonPasswordProblems(password, { email, firstName, lastName })) {
    throw invalidField('password', message);
  }
}

/** A user as an account begins, without a role. */
export function newUser({ first_name: firstName, last_name: lastName, email }: Omit<SignUpBody, 'password'>) {
  const unset = { phone: '', country: '', city: '', avatar: '', language: '', timezone: '', defaultApp: '' };
  return { id: uuidv7(), firstName, lastName, email, ...unset, staffRole: null };
}
