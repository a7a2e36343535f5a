import { recordAudit } from '../../../audit/audit.service.ts';
import { readCompany } from '../../../customers/company/company.service.ts';
import { afterCommit, type Tx } from '../../../platform/database/database.ts';
import { insertAccount, newUser } from '../../accounts/accounts.service.ts';
import type { Client } from '../../checks/client.ts';
import { joinCompany } from '../../invitations/acceptance/acceptance.public.queries.ts';
import { recordAcceptance, takeInvitationOf } from '../../invitations/acceptance/acceptance.service.ts';
import { describeOwnAct } from '../../login/login.service.ts';
import { findProfile } from '../../profile/profile.public.queries.ts';
import { roleOf } from '../../roles/stored-role.ts';
import type { TokenAuthentication } from '../../sessions/authentication.ts';
import { isEmailTaken, type ProfiledUser } from '../../users/users.public.queries.ts';
import type { Provider } from '../setup/providers.service.ts';
import { type Identity, isOfDomains } from './claims.ts';
import { SignInFailure } from './failures.ts';
import {
  type Account,
  insertLink,
  lockAccountOfEmail,
  lockLinkedAccount,
  vouchForEmail,
} from './sign-in.public.queries.ts';

type SignIn = {
  provider: Provider;
  identity: Identity;
  client: Client;
  forgetUser: TokenAuthentication['forgetUser'];
};

/**
 * The account of who has signed in: the one that is linked to the subject, or else the one of the e-mail, which both sides have verified. A
 * company's provider makes customers members of the company, and accounts for those who have none. They get the role of their open
 * invitation, which is used up by that, or else the provider's.
 * @throws SignInFailure
 */
export async function openAccount(tx: Tx, signIn: SignIn): Promise<ProfiledUser> {
  const { provider, identity } = signIn;
  refuseDomain(provider, identity);
  const linked = await lockLinkedAccount(tx, identity);
  if (linked !== null) return enter(tx, signIn, linked);
  if (identity.email === null || !identity.isEmailVerified) {
    throw new SignInFailure('email_not_verified', 'the provider has not verified the e-mail');
  }
  const found = await lockAccountOfEmail(tx, identity.issuer, identity.email);
  if (found === null) return makeAccount(tx, signIn, identity.email);
  if (found.isStaff) throw new SignInFailure('no_account', 'staff log in with a password and a second factor');
  if (!found.isEmailVerified) throw new SignInFailure('email_not_verified', 'the account’s e-mail is not verified');
  const user = await enter(tx, signIn, found);
  // Another sign-in at the same time has just linked it.
  if (found.linkedSubject === identity.subject) return user;
  if (found.linkedSubject !== null)
    throw new SignInFailure('account_linked', 'the account is linked to another subject');
  await insertLink(tx, found.id, identity);
  const changes = { before: {}, after: { provider: provider.name } };
  await recordAudit(tx, user.companyId, { ...describeOwnAct(user, signIn.client), action: 'user.linked', changes });
  return user;
}

/** @throws SignInFailure unless the provider may sign this e-mail in */
function refuseDomain(provider: Provider, identity: Identity): void {
  if (isOfDomains(provider, identity)) return;
  throw new SignInFailure('email_domain_not_allowed', 'the e-mail or the organization is of none of its domains');
}

/** Opens an account that exists. @throws SignInFailure when it belongs to another company, or to one that demands its own provider */
async function enter(tx: Tx, signIn: SignIn, account: Account): Promise<ProfiledUser> {
  const { provider } = signIn;
  if (provider.companyId === null && account.needsProvider) {
    throw new SignInFailure('has_company', 'the company of the account demands its own provider');
  }
  if (provider.companyId !== null && account.companyId !== provider.companyId) {
    if (account.companyId !== null) throw new SignInFailure('has_company', 'the account belongs to another company');
    const { email, isEmailVerified } = signIn.identity;
    const invitation = isEmailVerified && email !== null ? await takeInvitationOf(tx, provider.companyId, email) : null;
    await joinCompany(tx, account.id, { ...(invitation ?? provider.role), companyId: provider.companyId });
    if (!account.isEmailVerified) await vouchForEmail(tx, account.id);
    const joined = await readUser(tx, account.id);
    await recordAudit(tx, provider.companyId, {
      ...describeOwnAct(joined, signIn.client),
      action: 'member.created',
      target: { kind: 'member', id: joined.id, name: joined.email },
      changes: { before: {}, after: { role: roleOf(joined).name } },
    });
    if (invitation !== null) await recordAcceptance(tx, provider.companyId, invitation, joined, signIn.client);
    afterCommit(tx, async () => signIn.forgetUser(account.id));
    return joined;
  }
  return readUser(tx, account.id);
}

async function readUser(tx: Tx, userId: string): Promise<ProfiledUser> {
  const user = await findProfile(tx, userId);
  if (user === null) throw new Error('A locked account is gone.');
  return user;
}

/** @throws SignInFailure when the provider makes no accounts, or the address is kept for a user who has changed it lately */
async function makeAccount(tx: Tx, { provider, identity, client }: SignIn, email: string): Promise<ProfiledUser> {
  const { companyId } = provider;
  if (companyId === null) throw new SignInFailure('no_account', 'there is no account with the e-mail');
  if (await isEmailTaken(tx, email)) throw new SignInFailure('account_linked', 'the address has an open way back');
  const { firstName: first_name, lastName: last_name } = identity;
  const company = await readCompany(tx, companyId);
  const invitation = await takeInvitationOf(tx, companyId, email);
  const { systemRole, customRole } = invitation ?? provider.role;
  const user = {
    ...newUser({ first_name, last_name, email }),
    ...{ company, companyId, hasCards: false, hasSecondFactor: false },
    ...{ needsProvider: false, isEmailVerified: true },
    ...{ systemRole, customRole },
  };
  await insertAccount(tx, user, null, client);
  if (invitation !== null) await recordAcceptance(tx, companyId, invitation, user, client);
  await vouchForEmail(tx, user.id);
  await insertLink(tx, user.id, identity);
  return readUser(tx, user.id);
}
