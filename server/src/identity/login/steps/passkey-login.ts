import type { FastifyRequest } from 'fastify';
import { transaction } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors.ts';
import { type Client, describeClient } from '../../checks/client.ts';
import { checkSecret, checkSecretOfNobody } from '../../checks/secret-check.ts';
import type { StoredPasskey } from '../../passkeys/passkeys.public.queries.ts';
import type { UsedPasskey } from '../../passkeys/passkeys.schema.ts';
import { findUsedPasskey, notePasskeyUse, spendChallenge, verifyUse } from '../../passkeys/passkeys.service.ts';
import type { OpenedSession } from '../../sessions/sessions.service.ts';
import type { ProfiledUser } from '../../users/users.public.queries.ts';
import { openSession } from '../login.service.ts';
import type { StepDependencies } from './login-states.ts';
import { findUserById } from './login-tokens.public.queries.ts';

/** A passkey that a browser says it used, and whose it is. Nothing is verified yet but the challenge, which is used up. */
export type UnverifiedPasskey = {
  user: ProfiledUser;
  stored: StoredPasskey;
  challenge: Buffer;
  passkey: UsedPasskey;
};

/** Finds whom a passkey is to log in. @throws ApiError invalid_credentials; rate_limited after too many failures */
export async function identifyByPasskey(
  { db, keyring }: Pick<StepDependencies, 'db' | 'keyring'>,
  passkey: UsedPasskey,
  request: FastifyRequest,
): Promise<UnverifiedPasskey> {
  const challenge = await spendChallenge(db, 'passkey_login', passkey.response.clientDataJSON, null);
  if (challenge === null) throw invalidPasskeyLogin();
  const stored = await findUsedPasskey(db, passkey);
  const user = stored && (await findUserById(db, stored.userId));
  if (stored !== null && user !== null) return { user, stored, challenge, passkey };
  const client = describeClient(keyring, request, '');
  await checkSecretOfNobody({ db, keyring }, `passkey ${passkey.id}`, client, async () => null);
  throw invalidPasskeyLogin();
}

/**
 * Logs a user in by a passkey. It is two factors in one, the device and what the authenticator verifies, so nothing else is asked for.
 * @throws ApiError invalid_credentials; rate_limited after too many failures, or too many logins of the network
 */
export async function logInWithPasskey(
  dependencies: StepDependencies,
  { user, stored, challenge, passkey }: UnverifiedPasskey,
  client: Client,
): Promise<OpenedSession> {
  const { db, relyingParty } = dependencies;
  const tokens = await checkSecret(dependencies, user, client, async () => {
    // Without a user handle it would be an answer to a question that named the passkey.
    if (passkey.response.userHandle === undefined) return null;
    const use = await verifyUse(relyingParty, passkey, challenge, stored);
    if (use === null) return null;
    return transaction(db, async (tx) =>
      (await notePasskeyUse(tx, use)) ? openSession(tx, dependencies, user, client) : null,
    );
  });
  if (tokens === null) throw invalidPasskeyLogin();
  return { user, tokens };
}

function invalidPasskeyLogin(): ApiError {
  return new ApiError(
    'invalid_credentials',
    'The passkey is unknown, or its challenge has expired or was used before.',
  );
}
