import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '../../../audit/audit.service.ts';
import { afterCommit, type Tx } from '../../../platform/database/database.ts';
import { insertAccount, newUser } from '../../accounts/accounts.service.ts';
import type { Client } from '../../checks/client.ts';
import { readCompany } from '../../company/company.service.ts';
import { joinCompany } from '../../invitations/acceptance/acceptance.public.queries.ts';
import { recordAcceptance, takeInvitationOf } from '../../invitations/acceptance/acceptance.service.ts';
import { describeOwnAct } from '../../login/login.service.ts';
import { findProfile } from '../../profile/profile.public.queries.ts';
import { roleOf } from '../../roles/stored-role.ts';
import type { TokenAuthentication } from '../../sessions/authentication.ts';
import { isEmailTaken, type ProfiledUser } from '../../users/users.public.queries.ts';
import type { Consent } from '../links/consent.ts';
import type { Provider } from '../setup/providers.service.ts';
import { type Identity, isOfDomains } from './claims.ts';
import { SignInFailure } from './failures.ts';
import {
  type Account,
  lockAccountOfEmail,
  lockLinkedAccount,
  lockOpenSession,
  noteLinkUse,
  upsertLink,
  vouchForEmail,
} from './sign-in.public.queries.ts';

type SignIn = {
  provider: Provider;
  identity: Identity;
  client: Client;
  /** Of the user who wants to be linked to the provider; null where nobody was asked. */
  consent: Consent | null;
  forgetUser: TokenAuthentication['forgetUser'];
};

/**
 * The account of who has signed in: the one that is linked to the subject, or else the one of the e-mail, which both sides have verified. A
 * company's provider makes accounts for those who have none, and customers members of the company. They get the role of their open
 * invitation, which is used up by that, or else the provider's. The account of a customer, or one with a password or a second factor, is
 * linked to it only with the consent of its user.
 * @throws SignInFailure
 */
export async function openAccount(tx: Tx, signIn: SignIn): Promise<ProfiledUser> {
  const { provider, identity, consent } = signIn;
  refuseDomain(provider, identity);
  const linked = await lockLinkedAccount(tx, identity);
  if (linked !== null) refuseOtherThan(consent, linked);
  if (linked !== null && mayUseLink(provider, linked)) {
    const isThere = await noteLinkUse(tx, { ...identity, provider: provider.name });
    if (!isThere) throw new SignInFailure('sso_failed', 'the link ended during the sign-in');
    return enter(tx, signIn, linked);
  }
  refuseNewcomers(provider);
  if (identity.email === null || !identity.isEmailVerified) {
    throw new SignInFailure('email_not_verified', 'the provider has not verified the e-mail');
  }
  const found = linked ?? (await lockAccountOfEmail(tx, identity.issuer, identity.email));
  refuseOtherThan(consent, found);
  if (found === null) return makeAccount(tx, signIn, identity.email);
  await refuseAccount(tx, signIn, found);
  const user = await enter(tx, signIn, found);
  await linkTo(tx, signIn, found.id);
  const changes = { before: {}, after: { provider: provider.name } };
  await recordAudit(tx, user.companyId, { ...describeOwnAct(user, signIn.client), action: 'user.linked', changes });
  return user;
}

/** Whether the provider opens an account by its link, as it has before. One of the company ends with the membership. */
function mayUseLink({ companyId }: Provider, linked: Account): boolean {
  return companyId === null || (linked.isLinkOfCompany && linked.companyId === companyId);
}

/** @throws SignInFailure when the user who has consented is another one */
function refuseOtherThan(consent: Consent | null, found: Account | null): void {
  if (consent === null || consent.userId === found?.id) return;
  throw new SignInFailure(
    'wrong_account',
    'the consent was given by a user with another e-mail or another account at the provider',
  );
}

/** @throws SignInFailure for a company's provider that may name any address */
function refuseNewcomers({ companyId, emailDomains }: Provider): void {
  if (companyId === null || emailDomains.length > 0) return;
  throw new SignInFailure(
    'email_domain_not_allowed',
    'the provider of a company signs in no new users unless its e-mail domains are set',
  );
}

/** @throws SignInFailure when the provider may not link itself to the account */
async function refuseAccount(tx: Tx, { provider, identity, consent }: SignIn, found: Account): Promise<void> {
  if (found.isStaff) throw new SignInFailure('no_account', 'staff log in with a password and a second factor');
  if (!found.isEmailVerified) throw new SignInFailure('email_not_verified', 'the account’s e-mail is not verified');
  refuseOtherCompany(provider, found);
  if (found.linkedSubject !== null && found.linkedSubject !== identity.subject) {
    throw new SignInFailure('account_linked', 'the account is linked to another subject');
  }
  const isOutside = found.companyId !== provider.companyId;
  if (consent === null && provider.companyId !== null && (found.hasOwnLogin || isOutside)) {
    throw new SignInFailure(
      'consent_required',
      'the account is not a member of the company, or has a password or a second factor, and its user has not consented',
    );
  }
  if (consent !== null && !(await lockOpenSession(tx, consent))) {
    throw new SignInFailure('consent_required', 'the session that consented has ended');
  }
}

/** @throws SignInFailure when another sign-in has just linked the subject to another account */
async function linkTo(tx: Tx, { provider, identity }: SignIn, userId: string): Promise<void> {
  const used = { id: uuidv7(), userId, isOfCompany: provider.companyId !== null, provider: provider.name };
  if (await upsertLink(tx, { ...identity, ...used })) return;
  throw new SignInFailure('account_linked', 'the subject is linked to another account');
}

/** @throws SignInFailure unless the provider may sign this e-mail in */
function refuseDomain(provider: Provider, identity: Identity): void {
  if (isOfDomains(provider, identity)) return;
  throw new SignInFailure(
    'email_domain_not_allowed',
    'neither the e-mail nor the organization belongs to the domains of the provider',
  );
}

/** @throws SignInFailure when an account belongs to another company, or to one that demands its own provider */
function refuseOtherCompany(provider: Provider, account: Account): void {
  if (provider.companyId === null && account.needsProvider) {
    throw new SignInFailure('has_company', 'the company of the account requires its own provider');
  }
  if (provider.companyId !== null && account.companyId !== null && account.companyId !== provider.companyId) {
    throw new SignInFailure('has_company', 'the account belongs to another company');
  }
}

/** Opens an account that exists, and makes a customer a member of the provider's company. @throws SignInFailure has_company */
async function enter(tx: Tx, signIn: SignIn, account: Account): Promise<ProfiledUser> {
  const { provider, identity, client } = signIn;
  refuseOtherCompany(provider, account);
  if (provider.companyId === null || account.companyId !== null) return readUser(tx, account.id);
  const { email } = identity;
  const invitation = email === null ? null : await takeInvitationOf(tx, provider.companyId, email);
  await joinCompany(tx, account.id, { ...(invitation ?? provider.role), companyId: provider.companyId });
  const joined = await readUser(tx, account.id);
  await recordAudit(tx, provider.companyId, {
    ...describeOwnAct(joined, client),
    action: 'member.created',
    target: { kind: 'member', id: joined.id, name: joined.email },
    changes: { before: {}, after: { role: roleOf(joined).name } },
  });
  if (invitation !== null) await recordAcceptance(tx, provider.companyId, invitation, joined, client);
  afterCommit(tx, async () => signIn.forgetUser(account.id));
  return joined;
}

async function readUser(tx: Tx, userId: string): Promise<ProfiledUser> {
  const user = await findProfile(tx, userId);
  if (user === null) throw new Error('A locked account is gone.');
  return user;
}

/** @throws SignInFailure when the provider makes no accounts, or the address is kept for a user who has changed it lately */
async function makeAccount(tx: Tx, signIn: SignIn, email: string): Promise<ProfiledUser> {
  const { provider, identity, client } = signIn;
  const { companyId } = provider;
  if (companyId === null) throw new SignInFailure('no_account', 'there is no account with the e-mail');
  if (await isEmailTaken(tx, email))
    throw new SignInFailure(
      'account_linked',
      'the address was changed lately, and its former owner can still take it back',
    );
  const { firstName: first_name, lastName: last_name } = identity;
  const company = await readCompany(tx, companyId);
  const invitation = await takeInvitationOf(tx, companyId, email);
  const { systemRole, customRole } = invitation ?? provider.role;
  const user = {
    ...newUser({ first_name, last_name, email }),
    ...{ company, companyId, hasCards: false, hasSecondFactor: false },
    ...{ needsProvider: false, isEmailVerified: true, credentialEpoch: 0 },
    ...{ systemRole, customRole },
  };
  await insertAccount(tx, user, null, client);
  if (invitation !== null) await recordAcceptance(tx, companyId, invitation, user, client);
  await vouchForEmail(tx, user.id);
  await linkTo(tx, signIn, user.id);
  return readUser(tx, user.id);
}
