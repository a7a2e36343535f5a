import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../../audit/audit.service.ts';
import { type Db, transaction } from '../../../platform/database/database.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { actorOf } from '../../../platform/http/route/actor.ts';
import type { UserPrincipal } from '../../../platform/http/route/types.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';
import { confirmPassword } from '../../checks/confirmation.ts';
import { describeOwnAct } from '../../login/login.service.ts';
import { type ProviderSettings, requireProvider } from '../setup/providers.service.ts';
import type { Consent } from './consent.ts';
import { deleteLink, findWaysIn, lockUser, type WaysIn } from './links.public.queries.ts';
import type { LinkBody } from './links.schema.ts';

export type LinkDependencies = { db: Db; keyring: Keyring; settings: ProviderSettings & { publicUrl: string } };

type Caller = { user: UserPrincipal; request: FastifyRequest };

/**
 * Takes the consent of a user to a provider that opens the account from now on.
 * @returns it, and where the browser goes to
 * @throws ApiError not_found for an unknown provider; forbidden for staff; as `confirmPassword`
 */
export async function consentToLink(
  dependencies: LinkDependencies,
  caller: Caller,
  { provider: name, password }: LinkBody,
): Promise<{ consent: Consent; url: string }> {
  const { userId, sessionId, staffRole } = caller.user;
  if (staffRole !== null) throw new ApiError('forbidden', 'Staff log in with a password and a second factor.');
  await requireProvider(dependencies.db, dependencies, name);
  await confirmPassword(dependencies, caller, password);
  const url = new URL(`${dependencies.settings.publicUrl}/auth/oidc/${name}/start?link=true`).href;
  return { consent: { userId, sessionId }, url };
}

/** Ends a link of the user. @throws ApiError not_found; last_link when nothing else logs the user in; as `confirmPassword` */
export async function endLink(
  dependencies: LinkDependencies,
  caller: Caller,
  { id, password }: { id: string; password: string | undefined },
): Promise<void> {
  const user = await confirmPassword(dependencies, caller, password);
  await transaction(dependencies.db, async (tx) => {
    await lockUser(tx, user.id);
    const before = await findWaysIn(tx, user.id);
    const ended = await deleteLink(tx, user.id, id);
    if (ended === null) throw notFound('link');
    const now = await findWaysIn(tx, user.id);
    if (before === null || now === null) throw new ApiError('unauthenticated', 'The account was closed.');
    if (isWayIn(before) && !isWayIn(now)) throw lastLink(now);
    const act = describeOwnAct(user, { actor: actorOf(caller.request) });
    const changes = { before: { provider: ended.provider, issuer: ended.issuer }, after: {} };
    await recordAudit(tx, now.companyId, { ...act, action: 'user.unlinked', changes });
  });
}

function isWayIn({ needsProvider, logsIn, hasLink, hasLinkOfCompany }: WaysIn): boolean {
  return needsProvider ? hasLinkOfCompany : logsIn || hasLink;
}

function lastLink({ needsProvider }: WaysIn): ApiError {
  const message = needsProvider
    ? 'The members of your company can sign in only through the provider of the company, and this is your only link to it.'
    : 'You have no other way to log in. Set a password first, with POST /auth/password/forgot.';
  return new ApiError('last_link', message);
}
