import { NIL } from 'uuid';
import { recordAudit } from '../../audit/audit.service.ts';
import { type Db, transaction } from '../../platform/database/database.ts';
import type { Keyring } from '../../platform/keys/keys.ts';
import { withHashingSlot } from '../passwords/hashing.ts';
import { emailKey } from '../users/users.public.queries.ts';
import { findFailuresOfAttempt } from './attempts.public.queries.ts';
import type { Client } from './client.ts';
import type { Attempt } from './guard.public.queries.ts';
import { describeAttempt, recognizeDevice, recordLoginFailure, refuseGuessing } from './login-limits.ts';

/** The user whose secret is checked. */
export type CheckedUser = { id: string; companyId: string | null; email: string };

/**
 * Checks a secret of a known user: a password, a code. A wrong one counts as a failed login of the user at the client's address, and is in
 * the audit log. The check runs in a hashing slot, so that of many guesses at once only a few pass before failures are counted.
 * @returns what the check returns; null for a wrong secret
 * @throws ApiError rate_limited after too many failures; service_unavailable
 */
export async function checkSecret<T>(
  { db, keyring }: { db: Db; keyring: Keyring },
  user: CheckedUser,
  client: Client,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const { network } = client;
  const described = describeAttempt(keyring, user.email, client);
  return withHashingSlot({ kind: 'login', network, account: emailKey(user.email) }, async () => {
    const found = await findFailuresOfAttempt(db, described, user.id);
    const attempt = recognizeDevice(described, found.credentialEpoch);
    const isKnown = found.isKnown || attempt.device !== null;
    if (found.hasRecentFailure) await refuseGuessing(db, attempt, isKnown);
    const checked = await check();
    if (checked === null)
      await recordFailedLogin(db, { attempt, user, client, isKnown, hasRecentFailure: found.hasRecentFailure });
    return checked;
  });
}

/**
 * Checks a secret that is of no known user: a passkey, an operator key. A wrong one counts as a failed login of nobody at the client's
 * address, and is in the operator's audit log. Whoever sends many is refused, so that strangers can't fill the log.
 * @param account - what failures are counted by beside the address, in words that are no e-mail
 * @returns what the check returns; null for a wrong secret
 * @throws ApiError rate_limited after too many failures; service_unavailable
 */
export async function checkSecretOfNobody<T>(
  { db, keyring }: { db: Db; keyring: Keyring },
  account: string,
  client: Client,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const { network } = client;
  const attempt = describeAttempt(keyring, account, { ...client, device: null });
  return withHashingSlot({ kind: 'login', network, account }, async () => {
    const { hasRecentFailure } = await findFailuresOfAttempt(db, attempt, NIL);
    if (hasRecentFailure) await refuseGuessing(db, attempt, false);
    const checked = await check();
    if (checked !== null) return checked;
    await transaction(db, async (tx) => {
      await recordLoginFailure(tx, attempt, { isKnown: false, hasRecentFailure });
      await recordAudit(tx, null, {
        audience: 'operator',
        actor: client.actor,
        action: 'login.failed',
        target: null,
        changes: null,
      });
    });
    return null;
  });
}

/** Counts a failed login and records it; without a user, who is unknown then, only the operator reads of it. */
export async function recordFailedLogin(
  db: Db,
  failed: {
    attempt: Attempt;
    user: Omit<CheckedUser, 'email'> | null;
    client: Client;
    isKnown: boolean;
    hasRecentFailure: boolean;
  },
): Promise<void> {
  const { attempt, user, client } = failed;
  await transaction(db, async (tx) => {
    await recordLoginFailure(tx, attempt, failed);
    const target = { kind: 'user', id: user?.id ?? null, name: attempt.email };
    const entry = {
      audience: 'company' as const,
      actor: client.actor,
      action: 'login.failed' as const,
      target,
      changes: null,
    };
    await recordAudit(tx, user?.companyId ?? null, entry);
  });
}
