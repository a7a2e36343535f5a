import { recordAudit } from '../../../audit/audit.service.ts';
import { transaction } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { Client } from '../../checks/client.ts';
import { checkSecret } from '../../checks/secret-check.ts';
import { findKnownCredentials } from '../../passkeys/passkeys.public.queries.ts';
import { CHALLENGE_SECONDS, type RelyingParty, requestOptions } from '../../passkeys/webauthn.ts';
import { findFactorKinds } from '../../second-factor/second-factor.public.queries.ts';
import { invalidCode } from '../../second-factor/second-factor.service.ts';
import { createSecret, hashSecret } from '../../secrets/secrets.ts';
import type { OpenedSession } from '../../sessions/sessions.service.ts';
import type { ProfiledUser } from '../../users/users.public.queries.ts';
import {
  type CheckedUser,
  checkPassword,
  continueChecked,
  describeOwnAct,
  type LoginDependencies,
  openCheckedSession,
  openSession,
  providerRequired,
} from '../login.service.ts';
import type { SecondFactorAnswer } from './login.schema.ts';
import { countTry, deleteLoginToken, insertLoginToken, lockLoginToken } from './login-tokens.public.queries.ts';
import { type FactorDependencies, prepareFactor, type ShownFactor } from './shown-factor.ts';

/**
 * The states of a login, and all ways from one to the next: so that none skips a check.
 *
 *     password ──┬─▶ the user has no second factor ────────────────▶ session
 *                └─▶ the token of the second step ──▶ code, passkey ──▶ session
 *     passkey, which the authenticator gives only to its user ─────▶ session
 *     provider (`providers/sign-in`) ──────────────────────────────▶ session
 *
 * Where a company demands its provider, the other ways end at `openSession`.
 */
export type StepDependencies = LoginDependencies & FactorDependencies & { relyingParty: RelyingParty };

/** How long the token of the second step is good, and for how many tries. */
const TOKEN_SECONDS = CHALLENGE_SECONDS;
const TRIES = 5;

/**
 * Logs a user in by the password. A user who has a second factor gets a token for showing it instead of a session.
 * @throws ApiError as `checkPassword`; sso_required where the company demands its provider
 */
export async function logInWithPassword(
  dependencies: StepDependencies,
  body: { email: string; password: string },
  client: Client,
): Promise<OpenedSession | SecondFactorAnswer> {
  const user = await checkPassword(dependencies, body, client);
  if (user.needsProvider) {
    const { actor } = client;
    const entry = { ...describeOwnAct(user, client), actor, action: 'login.failed' as const, changes: null };
    await recordAudit(dependencies.db, user.companyId, entry);
    throw providerRequired();
  }
  if (user.hasSecondFactor) return demandSecondFactor(dependencies, user);
  const tokens = await openCheckedSession(dependencies, user, client);
  return { user, tokens };
}

async function demandSecondFactor(
  { db, relyingParty }: StepDependencies,
  user: CheckedUser,
): Promise<SecondFactorAnswer> {
  const { id: userId } = user;
  const [kinds, passkeys] = await Promise.all([findFactorKinds(db, userId), findKnownCredentials(db, userId)]);
  const token = createSecret().toString('base64url');
  const challenge = createSecret();
  const hasPasskey = passkeys.length > 0;
  const pending = {
    hash: hashLoginToken(token),
    userId,
    challengeHash: hasPasskey ? hashSecret('passkey_second_factor', challenge) : null,
    validSeconds: TOKEN_SECONDS,
  };
  await continueChecked(db, user, (tx) => insertLoginToken(tx, pending));
  const methods = [
    ...(kinds.hasTotp ? (['totp'] as const) : []),
    ...(kinds.hasRecoveryCodes ? (['recovery_code'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
  ];
  const options = hasPasskey ? { passkey_options: await requestOptions(relyingParty, challenge, passkeys) } : {};
  return { error: null, data: { second_factor: { token, methods, ...options } } };
}

/** A login whose second factor is missing. */
export type PendingLogin = { hash: Buffer; user: ProfiledUser };

/** Finds the login of a token, and counts a try of it. @throws ApiError invalid_token */
export async function continueLogin({ db }: Pick<StepDependencies, 'db'>, token: string): Promise<PendingLogin> {
  const hash = hashLoginToken(token);
  const user = await countTry(db, hash, TRIES);
  if (user === null) throw invalidLoginToken();
  return { hash, user };
}

/**
 * Finishes a login with the second factor. A wrong one counts as a failed login.
 * @throws ApiError invalid_code; invalid_token when another request has finished the login; rate_limited
 */
export async function finishLogin(
  dependencies: StepDependencies,
  { hash, user }: PendingLogin,
  shown: ShownFactor,
  client: Client,
): Promise<OpenedSession> {
  const { db } = dependencies;
  const tokens = await checkSecret(dependencies, user, client, async () => {
    const factor = await prepareFactor(dependencies, { hash, user }, shown);
    if (factor === null) return null;
    return transaction(db, async (tx) => {
      if (!(await lockLoginToken(tx, hash, user.id))) throw invalidLoginToken();
      if (!(await factor.spend(tx))) return null;
      await deleteLoginToken(tx, hash);
      return openSession(tx, dependencies, user, client);
    });
  });
  if (tokens === null) throw invalidCode();
  return { user, tokens };
}

function hashLoginToken(token: string): Buffer {
  return hashSecret('second_factor_token', Buffer.from(token));
}

/** The same for every token that does not work. */
function invalidLoginToken(): ApiError {
  return new ApiError(
    'invalid_second_factor_token',
    'The second step of the login has expired, or was tried too often. Log in again.',
  );
}
