import type { FastifyRequest } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { ApiError, type ErrorCode, invalidField } from '../../platform/errors.ts';
import type { UserPrincipal } from '../../platform/http/route/types.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { secretText } from '../../platform/http/schema/validation.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { tooManyBytes, verifyPassword } from '../passwords/password.ts';
import { type ConfirmedUser, findCaller } from './attempts.public.queries.ts';
import { describeClient } from './client.ts';
import { checkSecret } from './secret-check.ts';

/** The field of a body that asks for the password again. */
export const ConfirmingPassword = Type.Optional(
  secretText({
    max: 256,
    format: 'password',
    rule: tooManyBytes,
    description: 'The password of the account. Leave it out only if the account has no password.',
    examples: ['Correct-horse-7'],
  }),
);

/** What a route that asks for the password again may be refused with. */
export const CONFIRMATION_ERRORS = ['invalid_credentials', 'reauthentication_required'] as const satisfies ErrorCode[];

/**
 * Makes sure that a request comes from the user and not from whoever has got the access token: asks for the password again. A wrong one
 * counts as a failed login. A user without a password needs a session younger than ten minutes.
 * @param field - the name of the password in the body
 * @returns the user as the database has it
 * @throws ApiError invalid_credentials, reauthentication_required, rate_limited, service_unavailable; 400 without a password
 */
export async function confirmPassword(
  dependencies: { db: Db; keyring: Keyring },
  { user, request }: { user: UserPrincipal; request: FastifyRequest },
  password: string | undefined,
  field = 'password',
): Promise<ConfirmedUser> {
  const found = await findCaller(dependencies.db, user.userId, user.sessionId);
  if (found === null) throw new ApiError('unauthenticated', 'The session has ended.');
  const { isRecentLogin, ...confirmed } = found;
  if (confirmed.passwordHash === null) {
    if (isRecentLogin) return confirmed;
    throw new ApiError('reauthentication_required', 'The session is older than ten minutes. Log in again.');
  }
  if (password === undefined) throw invalidField(field, 'is required');
  const client = describeClient(dependencies.keyring, request, confirmed.email);
  const isRight = () => verifyPassword(password, confirmed.passwordHash);
  const checked = await checkSecret(dependencies, confirmed, client, async () =>
    (await isRight()) ? confirmed : null,
  );
  if (checked === null) throw wrongPassword();
  return checked;
}

/** The password that was asked for again is wrong. */
export function wrongPassword(): ApiError {
  return new ApiError('invalid_credentials', 'The password is wrong.');
}
