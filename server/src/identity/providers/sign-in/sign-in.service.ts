import { type Db, type Tx, transaction, violatedConstraint } from '../../../platform/database/database.ts';
import type { Client } from '../../checks/client.ts';
import { type LoginDependencies, openSession } from '../../login/login.service.ts';
import { hashSecret } from '../../secrets/secrets.ts';
import type { TokenAuthentication } from '../../sessions/authentication.ts';
import type { OpenedSession } from '../../sessions/sessions.service.ts';
import type { Consent } from '../links/consent.ts';
import {
  findProvidersWithoutCompany,
  type Provider,
  type ProviderSettings,
  requireProvider,
} from '../setup/providers.service.ts';
import { openAccount } from './accounts.ts';
import type { Attempt } from './attempt.ts';
import type { Identity } from './claims.ts';
import type { Conversations } from './conversation.ts';
import { SignInFailure } from './failures.ts';
import { spendState } from './sign-in.public.queries.ts';

export type SignInDependencies = Omit<LoginDependencies, 'settings'> & {
  settings: LoginDependencies['settings'] & ProviderSettings;
  conversations: Conversations;
  forgetUser: TokenAuthentication['forgetUser'];
};

/** Where the provider sends the browser back to: one address for each provider, so that their answers can't be mixed up. */
export function redirectUriOf({ publicUrl }: { publicUrl: string }, { name }: Provider): string {
  return new URL(`${publicUrl}/auth/oidc/${name}/callback`).href;
}

/** @throws SignInFailure when the environment gives the provider to a company that there is not */
export async function refuseWithoutCompany(
  db: Db,
  settings: Pick<ProviderSettings, 'signInProviders'>,
  { name }: Provider,
): Promise<void> {
  const signInProviders = settings.signInProviders.filter((one) => one.name === name);
  if ((await findProvidersWithoutCompany(db, { signInProviders })).length === 0) return;
  throw new SignInFailure('sso_failed', 'no company has the id that the environment gives the provider');
}

/**
 * Learns from a provider's answer who has signed in. Each attempt is good once, and nothing of the answer counts before its state does.
 * @param answer - the address that the browser was sent to, with the provider's parameters
 * @throws SignInFailure
 */
export async function identify(
  { db, conversations }: Pick<SignInDependencies, 'db' | 'conversations'>,
  provider: Provider,
  attempt: Attempt | null,
  answer: URL,
): Promise<Identity> {
  if (attempt === null) throw new SignInFailure('sso_failed', 'this browser has not begun a sign-in with this state');
  const isNew = await spendState(db, hashSecret('sign_in_state', Buffer.from(attempt.state)));
  if (!isNew) throw new SignInFailure('sso_failed', 'the state was used before');
  return conversations.finish(provider, attempt, answer);
}

/**
 * Begins a session of who has signed in, and links the account of a user who has consented to that.
 * @throws SignInFailure; ApiError rate_limited when the network has reached its limit, not_found when the provider was deleted meanwhile
 */
export async function signIn(
  dependencies: SignInDependencies,
  provider: Provider,
  { identity, client, consent }: { identity: Identity; client: Client; consent: Consent | null },
): Promise<OpenedSession> {
  const { db, forgetUser } = dependencies;
  const open = () =>
    transaction(db, async (tx) => {
      const current = await requireUnchanged(tx, dependencies, provider);
      const user = await openAccount(tx, { provider: current, identity, client, consent, forgetUser });
      return { user, tokens: await openSession(tx, dependencies, user, client, { byProvider: true }) };
    });
  // Of two sign-ins at the same time that make one account, the second finds it.
  return open().catch((error) => (isTaken(error) ? open() : Promise.reject(error)));
}

/** The provider as it is now: it may have taken its time to say who has signed in. @throws SignInFailure; ApiError not_found */
async function requireUnchanged(tx: Tx, dependencies: SignInDependencies, before: Provider): Promise<Provider> {
  const now = await requireProvider(tx, dependencies, before.name);
  const isSame = now.issuer === before.issuer && now.clientId === before.clientId && now.companyId === before.companyId;
  if (!isSame) throw new SignInFailure('sso_failed', 'the provider was changed during the sign-in');
  return now;
}

/** Also `account_linked`: the account may have been made after it was looked for, and the address be taken for that reason alone. */
function isTaken(error: unknown): boolean {
  if (error instanceof SignInFailure) return error.code === 'account_linked';
  return ['users_email_key', 'sign_in_links_one_subject'].includes(violatedConstraint(error) ?? '');
}
