import { recordAudit } from '../../audit/audit.service.ts';
import { type FactorNotice, type MailDependencies, mayMail, queueMail } from '../../mail/mail.service.ts';
import type { Clock } from '../../platform/calendar/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../platform/operator-scope.ts';
import { moveCredentialEpoch } from '../checks/guard.public.queries.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import {
  type FactorOwner,
  lockFactorOwner,
  lockTotpSecret,
  replaceRecoveryCodes,
  useRecoveryCode,
  useTimeStep,
} from './second-factor.public.queries.ts';
import { findTimeStep } from './totp.ts';

export type CodeDependencies = { keyring: Keyring; clock: Clock };

/** A code that is wrong, was used or is stale; the same for all of them. */
export function invalidCode(): ApiError {
  return new ApiError('invalid_code', 'The code is wrong, was used before, or has expired.');
}

/**
 * Locks the user until the transaction ends. Another process may know the session for a second after it was ended.
 * @throws ApiError unauthenticated when the account was closed, or the session ended, meanwhile
 */
export async function lockOwner(tx: Tx, session: { userId: string; sessionId: string }): Promise<FactorOwner> {
  const owner = await lockFactorOwner(tx, session);
  if (owner === null) throw new ApiError('unauthenticated', 'The session has ended.');
  return owner;
}

/** Uses up a code of the authenticator app, and confirms a secret that waits for its first code. @returns whether it was right */
export async function spendTotpCode(
  tx: Tx,
  { keyring, clock }: CodeDependencies,
  userId: string,
  code: string,
  { isConfirmed } = { isConfirmed: true },
): Promise<boolean> {
  const stored = await lockTotpSecret(tx, userId, { isConfirmed });
  if (stored === null) return false;
  const secret = Buffer.from(keyring.unseal(stored.secret, totpContext(userId)), 'base64url');
  const step = findTimeStep(secret, code.replace(/\s/g, ''), clock(), stored.usedStep);
  if (step === null) return false;
  await useTimeStep(tx, userId, step);
  return true;
}

/** What a sealed secret is bound to. */
export function totpContext(userId: string): string {
  return `totp ${userId}`;
}

/** Uses up a recovery code. @returns whether the user had it */
export async function spendRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  return useRecoveryCode(tx, userId, hashRecoveryCode(code));
}

/** Uses up a code of either kind: a recovery code stands in for an authenticator that is lost. @returns whether it was right */
export async function spendAnyCode(
  tx: Tx,
  dependencies: CodeDependencies,
  userId: string,
  code: string,
): Promise<boolean> {
  return (await spendTotpCode(tx, dependencies, userId, code)) || spendRecoveryCode(tx, userId, code);
}

/** Gives the owner of a first second factor ten recovery codes. @returns null for every further factor */
export async function giveFirstRecoveryCodes(tx: Tx, owner: FactorOwner): Promise<string[] | null> {
  if (owner.hasTotp || owner.passkeys > 0) return null;
  return replaceCodes(tx, owner.id);
}

/** Replaces the recovery codes of a user. @returns the new ones, which are not kept */
export async function replaceCodes(tx: Tx, userId: string): Promise<string[]> {
  const { codes, hashes } = createRecoveryCodes();
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/**
 * Prepares the removal of one of the owner's factors. With the last one the recovery codes go too.
 * @returns whether they do
 * @throws ApiError second_factor_required when it is the last one and the company demands one
 */
export async function giveUpFactor(tx: Tx, { id, hasTotp, passkeys, isDemanded }: FactorOwner): Promise<boolean> {
  const isLast = Number(hasTotp) + passkeys === 1;
  if (!isLast) return false;
  if (isDemanded) {
    throw new ApiError(
      'last_second_factor',
      'Your company or the operator requires a second factor. Set up another one first.',
    );
  }
  await replaceRecoveryCodes(tx, id, []);
  return true;
}

/** Notes that a second factor was added or removed: no device is known any more, and a mail tells the user, who may not have done it. */
export async function noteFactorChange(
  tx: Tx,
  { id, companyId, email: to, language }: FactorOwner,
  notice: FactorNotice,
  mail: MailDependencies,
): Promise<void> {
  await moveCredentialEpoch(tx, id);
  if (!(await mayMail(tx, { type: notice.type, to }, mail))) return;
  await queueMail(tx, companyId ?? OPERATOR_SCOPE, { ...notice, to, language }, mail);
}

/** Records a change of a user's own second factors. */
export async function recordFactorChange(
  tx: Tx,
  { id, companyId, email }: FactorOwner,
  actor: Actor,
  action: 'totp.enabled' | 'totp.disabled' | 'recovery_codes.replaced',
): Promise<void> {
  await recordAudit(tx, companyId, {
    audience: 'company',
    actor,
    action,
    target: { kind: 'user', id, name: email },
    changes: null,
  });
}
