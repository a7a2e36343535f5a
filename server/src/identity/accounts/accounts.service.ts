import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '../../audit/audit.service.ts';
import { createBillingInformation } from '../../customers/billing-information/billing-information.service.ts';
import { createCompany, EMPTY_COMPANY } from '../../customers/companies/companies.service.ts';
import type { MailDependencies } from '../../mail/mail.service.ts';
import { type Tx, transaction, violatedConstraint } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import type { SystemRoleName } from '../../platform/permissions.ts';
import { sendVerification } from '../email/email.service.ts';
import type { Client } from '../login/client.ts';
import { describeOwnAct, type LoginDependencies, refuseOverLimit, startSession } from '../login/login.service.ts';
import { commonPasswordProblems } from '../passwords/common-passwords.ts';
import { withHashingSlot } from '../passwords/hashing.ts';
import { hashPassword, type PasswordCost } from '../passwords/password.ts';
import type { AuthAnswer } from '../sessions/sessions.schema.ts';
import { answerTokens } from '../sessions/sessions.service.ts';
import { emailKey, emailTaken, insertUser, isEmailTaken } from '../users/users.public.queries.ts';
import { describeUser } from '../users/users.service.ts';
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
  role: SystemRoleName,
  makeCompany: (tx: Tx) => Promise<string | null>,
): Promise<AuthAnswer> {
  const { db, passwordCost } = dependencies;
  const { network } = client;
  refuseCommonPassword(body);
  if (await isEmailTaken(db, body.email)) throw emailTaken();
  const passwordHash = await withHashingSlot({ kind: 'signUp', network, account: emailKey(body.email) }, async () => {
    await refuseOverLimit(dependencies, 'sign_up', network);
    return hashPassword(body.password, passwordCost);
  });
  const { user, tokens } = await transaction(db, async (tx) => {
    const companyId = await makeCompany(tx);
    const user = { ...newUser(body), companyId, systemRole: role, customRole: null };
    await insertUser(tx, { ...user, passwordHash });
    const tokens = await startSession(tx, dependencies, 'sign_up', user.id, client);
    await sendVerification(tx, user, dependencies.mail);
    const company = companyId === null ? null : { ...EMPTY_COMPANY, id: companyId };
    const newcomer = { ...user, company, hasCards: false, isEmailVerified: false, hasSecondFactor: false };
    await accountEvents.record(tx, companyId ?? OPERATOR_SCOPE, { type: 'user.created', data: describeUser(newcomer) });
    await recordAudit(tx, companyId, {
      ...describeOwnAct(user, client),
      action: 'user.signed_up',
      changes: { before: {}, after: { first_name: user.firstName, last_name: user.lastName, email: user.email, role } },
    });
    return { user: newcomer, tokens };
  }).catch((error) => {
    throw violatedConstraint(error) === 'users_email_key' ? emailTaken() : error;
  });
  return answerTokens(dependencies, user, tokens);
}

/** Applies at sign-up only: accounts with a common password can still log in. */
function refuseCommonPassword({ password, email, first_name: firstName, last_name: lastName }: SignUpBody): void {
  for (const message of commonPasswordProblems(password, { email, firstName, lastName })) {
    throw invalidField('password', message);
  }
}

function newUser({ first_name: firstName, last_name: lastName, email }: SignUpBody) {
  const unset = { phone: '', country: '', city: '', avatar: '', language: '', timezone: '', defaultApp: '' };
  return { id: uuidv7(), firstName, lastName, email, ...unset };
}
