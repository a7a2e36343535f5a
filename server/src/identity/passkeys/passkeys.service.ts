import { v7 as uuidv7 } from 'uuid';
import { type NewAuditEntry, recordAudit } from '../../audit/audit.service.ts';
import type { MailDependencies } from '../../mail/mail.service.ts';
import { type Db, type Queryable, type Tx, transaction } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/route/actor.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { confirmPassword } from '../checks/confirmation.ts';
import {
  giveFirstRecoveryCodes,
  giveUpFactor,
  lockOwner,
  noteFactorChange,
} from '../second-factor/second-factor.service.ts';
import type { Caller } from '../second-factor/totp.service.ts';
import { createSecret, hashSecret } from '../secrets/secrets.ts';
import type { TokenAuthentication } from '../sessions/authentication.ts';
import {
  deleteChallenge,
  deletePasskey,
  findKnownCredentials,
  findPasskey,
  insertChallenge,
  insertPasskey,
  markPasskeyUsed,
  type PasskeyRow,
  renamePasskey,
  type StoredPasskey,
} from './passkeys.public.queries.ts';
import type { NewPasskey, UsedPasskey } from './passkeys.schema.ts';
import {
  CHALLENGE_SECONDS,
  type Credential,
  creationOptions,
  type RelyingParty,
  readChallenge,
  requestOptions,
  userHandleOf,
  verifyRegistration,
  verifySignature,
} from './webauthn.ts';

export type PasskeyDependencies = {
  db: Db;
  keyring: Keyring;
  relyingParty: RelyingParty;
  mail: MailDependencies;
  forgetUser: TokenAuthentication['forgetUser'];
};

const MAX_PASSKEYS = 100;

/** What a browser needs for making a passkey of the user. @throws ApiError as `confirmPassword` */
export async function beginRegistration(
  { db, keyring, relyingParty }: PasskeyDependencies,
  caller: Caller,
  password: string | undefined,
) {
  const { id, email, firstName, lastName } = await confirmPassword({ db, keyring }, caller, password);
  const challenge = createSecret();
  const hash = hashSecret('passkey_registration', challenge);
  const [known] = await Promise.all([
    findKnownCredentials(db, id),
    insertChallenge(db, { hash, userId: id, validSeconds: CHALLENGE_SECONDS }),
  ]);
  return creationOptions(relyingParty, { id, email, name: `${firstName} ${lastName}` }, challenge, known);
}

/**
 * Registers a passkey of the user.
 * @returns it, with recovery codes if it is the user's first second factor
 * @throws ApiError invalid_passkey, passkey_exists, limit_reached
 */
export async function registerPasskey(
  { db, relyingParty, mail, forgetUser }: PasskeyDependencies,
  { user, request }: Caller,
  { name, passkey }: { name: string; passkey: NewPasskey },
): Promise<PasskeyRow & { recovery_codes: string[] | null }> {
  const { userId } = user;
  const challenge = await spendChallenge(db, 'passkey_registration', passkey.response.clientDataJSON, userId);
  const verified =
    challenge && (await verifyRegistration(relyingParty, { ...passkey, clientExtensionResults: {} }, challenge));
  if (verified === null) {
    throw new ApiError(
      'invalid_passkey',
      'The challenge of the passkey has expired or was used before, or the passkey is for another service.',
      {
        details: [{ field: 'passkey', message: 'has a challenge that has expired or was used before' }],
      },
    );
  }
  const created = await transaction(db, async (tx) => {
    const owner = await lockOwner(tx, user);
    if (owner.passkeys >= MAX_PASSKEYS) {
      throw new ApiError('limit_reached', `A user can have at most ${MAX_PASSKEYS} passkeys.`);
    }
    const row = await insertPasskey(tx, { id: uuidv7(), userId, name }, verified);
    if (row === null) throw new ApiError('passkey_exists', 'The passkey is already registered.');
    const changes = { before: {}, after: { name, backed_up: row.backed_up } };
    await recordPasskey(tx, owner.companyId, { ...row, caller: { request }, action: 'passkey.created', changes });
    const codes = await giveFirstRecoveryCodes(tx, owner);
    const notice = { type: 'passkey_added' as const, passkeyName: name, withRecoveryCodes: codes !== null };
    await noteFactorChange(tx, owner, notice, mail);
    return { ...row, recovery_codes: codes };
  });
  forgetUser(userId);
  return created;
}

/** Names a passkey of the user. @throws ApiError not_found */
export async function nameOfPasskey(
  { db }: PasskeyDependencies,
  { user, request }: Caller,
  given: { id: string; name: string },
): Promise<PasskeyRow> {
  return transaction(db, async (tx) => {
    const renamed = await renamePasskey(tx, user.userId, given);
    if (renamed === null) throw notFound('passkey');
    const { nameBefore, ...row } = renamed;
    const changes = nameBefore === row.name ? null : { before: { name: nameBefore }, after: { name: row.name } };
    await recordPasskey(tx, user.companyId, { ...row, caller: { request }, action: 'passkey.updated', changes });
    return row;
  });
}

/** Removes a passkey of the user. @throws ApiError not_found; second_factor_required for the last one demanded; as `confirmPassword` */
export async function removePasskey(
  dependencies: PasskeyDependencies,
  caller: Caller,
  { id, password }: { id: string; password: string | undefined },
): Promise<void> {
  const { db, forgetUser } = dependencies;
  const { id: userId } = await confirmPassword(dependencies, caller, password);
  await transaction(db, async (tx) => {
    const owner = await lockOwner(tx, caller.user);
    const name = await deletePasskey(tx, userId, id);
    if (name === null) throw notFound('passkey');
    const withRecoveryCodes = await giveUpFactor(tx, owner);
    await noteFactorChange(
      tx,
      owner,
      { type: 'passkey_removed', passkeyName: name, withRecoveryCodes },
      dependencies.mail,
    );
    const changes = { before: { name }, after: {} };
    await recordPasskey(tx, owner.companyId, { id, name, caller, action: 'passkey.deleted', changes });
  });
  forgetUser(userId);
}

async function recordPasskey(
  tx: Tx,
  companyId: string | null,
  {
    id,
    name,
    caller,
    action,
    changes,
  }: {
    id: string;
    name: string;
    caller: Pick<Caller, 'request'>;
    action: `passkey.${'created' | 'updated' | 'deleted'}`;
    changes: NewAuditEntry['changes'];
  },
): Promise<void> {
  const target = { kind: 'passkey', id, name };
  await recordAudit(tx, companyId, { audience: 'company', actor: actorOf(caller.request), action, target, changes });
}

/** What a browser needs for logging in with any passkey of this service. */
export async function beginPasskeyLogin({ db, relyingParty }: Pick<PasskeyDependencies, 'db' | 'relyingParty'>) {
  const challenge = createSecret();
  const hash = hashSecret('passkey_login', challenge);
  await insertChallenge(db, { hash, userId: null, validSeconds: CHALLENGE_SECONDS });
  return requestOptions(relyingParty, challenge, null);
}

/**
 * Uses up the challenge that the browser says it signed.
 * @returns it; null when it was not given for this purpose and user, was used before, or has expired
 */
export async function spendChallenge(
  db: Queryable,
  purpose: 'passkey_registration' | 'passkey_login',
  clientDataJSON: string,
  userId: string | null,
): Promise<Buffer | null> {
  const challenge = readChallenge(clientDataJSON);
  if (challenge === null) return null;
  return (await deleteChallenge(db, hashSecret(purpose, challenge), userId)) ? challenge : null;
}

/** Finds the passkey that a browser says it used. */
export async function findUsedPasskey(db: Queryable, passkey: UsedPasskey): Promise<StoredPasskey | null> {
  return findPasskey(db, Buffer.from(passkey.id, 'base64url'));
}

/**
 * Verifies that this passkey signed the challenge. A login without a password must name its user in the `userHandle`.
 * @returns what to note of it with `notePasskeyUse`; null for a signature that breaks a rule
 */
export async function verifyUse(
  relyingParty: RelyingParty,
  passkey: UsedPasskey,
  challenge: Buffer,
  stored: StoredPasskey,
): Promise<PasskeyUse | null> {
  const { userHandle } = passkey.response;
  if (userHandle !== undefined && userHandle !== userHandleOf(stored.userId)) return null;
  const use = await verifySignature(relyingParty, { ...passkey, clientExtensionResults: {} }, challenge, stored);
  return use && { ...use, stored };
}

export type PasskeyUse = Pick<Credential, 'counter' | 'isBackedUp'> & { stored: StoredPasskey };

/** Notes the use of a passkey. @returns whether it is still as it was verified: another use at the same time may be of a copy */
export async function notePasskeyUse(tx: Tx, { stored, ...use }: PasskeyUse): Promise<boolean> {
  return markPasskeyUsed(tx, stored, use);
}
