import { CLOCK_TOLERANCE_SECONDS } from '../../platform/calendar/clock.ts';
import { type Db, emptyPart, type Part, type Queryable, type Tx } from '../../platform/database/database.ts';
import type { NewSession } from '../sessions/sessions.service.ts';
import { lockedUser } from './attempts.parts.queries.ts';
import type { Device } from './client.ts';

const WINDOW_MINUTES = 15;
/** The longest lock, and the time after a lock within which the next one lasts longer. */
const LONGEST_LOCK_HOURS = 24;
/** How long a network stays known after its last login. */
const KNOWN_DAYS = 90;

/**
 * An attempt to log in. Failures keep the e-mail as a hash. `device` is set when the client is a known device. The
 * network is kept as a keyed hash for as long as it is known.
 */
export type Attempt = { email: string; emailHash: Buffer; network: string; networkHash: Buffer; device: Device | null };

/**
 * The number of failures within 15 minutes that locks an e-mail at an address, an address, an e-mail for strangers, and for its known
 * devices.
 */
export type FailureLimits = {
  perEmailAndAddress: number;
  perAddress: number;
  perEmail: number;
  perKnownDevices: number;
};

/** What failures are counted by: the device if it is known, else the network. */
function addressOf({ network, device }: Attempt): string {
  return device === null ? network : `device ${device.name}`;
}

function subjectsOf({ emailHash, network }: Attempt): { email: string; address: string } {
  return { email: `email ${emailHash.toString('hex')}`, address: `address ${network}` };
}

/**
 * SQL for whether the e-mail or the address has a recent failure or a lock. Most have none and need no further check. The device may turn
 * out to be unknown by now, so that the network counts too.
 */
export function hasRecentFailure(db: Queryable, attempt: Attempt) {
  const { email, address } = subjectsOf(attempt);
  return db`(
    EXISTS (SELECT 1 FROM login_failures WHERE email_hash = ${attempt.emailHash})
    OR EXISTS (SELECT 1 FROM login_failures WHERE login_failures.address IN (${addressOf(attempt)}, ${attempt.network}))
    OR EXISTS (SELECT 1 FROM login_locks WHERE subject IN (${email}, ${address}) AND locked_until > now()))`;
}

/** SQL for whether the user of the row has logged in from the attempt's network before. */
export function isKnownNetwork(db: Queryable, { networkHash }: Attempt) {
  return db`EXISTS (
    SELECT 1 FROM known_networks WHERE known_networks.user_id = users.id AND network_hash = ${networkHash}
      AND seen_at > now() - make_interval(days => ${KNOWN_DAYS}))`;
}

/**
 * Seconds until the e-mail may be tried again from the address: until enough failures leave the window, or a longer
 * lock ends. Failures of strangers lock strangers only. Null when nothing is locked.
 */
export async function findLockSeconds(
  db: Queryable,
  attempt: Attempt,
  isKnown: boolean,
  limits: FailureLimits,
): Promise<number | null> {
  const { emailHash } = attempt;
  const address = addressOf(attempt);
  const subjects = subjectsOf(attempt);
  const [row] = await db<{ seconds: number | null }[]>`
    WITH recent AS (
      SELECT email_hash, address, failed_at, is_known FROM login_failures
      WHERE email_hash = ${emailHash} AND failed_at > now() - make_interval(mins => ${WINDOW_MINUTES})
      UNION ALL
      SELECT email_hash, address, failed_at, is_known FROM login_failures
      WHERE address = ${address} AND email_hash <> ${emailHash} AND failed_at > now() - make_interval(mins => ${WINDOW_MINUTES})
    ), newest_first AS (
      SELECT array_agg(failed_at ORDER BY failed_at DESC)
               FILTER (WHERE email_hash = ${emailHash} AND address = ${address}) AS of_both,
             array_agg(failed_at ORDER BY failed_at DESC)
               FILTER (WHERE address = ${address} AND NOT is_known AND NOT ${isKnown}) AS of_address,
             array_agg(failed_at ORDER BY failed_at DESC)
               FILTER (WHERE email_hash = ${emailHash} AND NOT is_known AND NOT ${isKnown}) AS of_email,
             array_agg(failed_at ORDER BY failed_at DESC)
               FILTER (WHERE email_hash = ${emailHash} AND starts_with(address, 'device ') AND ${attempt.device !== null}) AS of_devices
      FROM recent
    ), ends AS (
      SELECT greatest(of_both[${limits.perEmailAndAddress}::int], of_address[${limits.perAddress}::int], of_email[${limits.perEmail}::int],
                      of_devices[${limits.perKnownDevices}::int])
               + make_interval(mins => ${WINDOW_MINUTES}) AS at
      FROM newest_first
      UNION ALL
      SELECT locked_until FROM login_locks
      WHERE locked_until > now() AND NOT ${isKnown} AND subject IN (${subjects.email}, ${subjects.address})
    )
    SELECT ceil(extract(epoch FROM max(at) - now()))::int AS seconds FROM ends`;
  return row?.seconds ?? null;
}

/** Records a failed login. */
export async function insertLoginFailure(db: Queryable, attempt: Attempt, isKnown: boolean): Promise<void> {
  await db`
    INSERT INTO login_failures (email_hash, address, is_known)
    VALUES (${attempt.emailHash}, ${addressOf(attempt)}, ${isKnown})`;
}

/** Forgets the failures of an e-mail, and the lock that they have led to. */
export async function deleteFailuresOfEmail(tx: Tx, emailHash: Buffer): Promise<void> {
  await tx`DELETE FROM login_failures WHERE email_hash = ${emailHash}`;
  await tx`DELETE FROM login_locks WHERE subject = ${`email ${emailHash.toString('hex')}`}`;
}

/**
 * Starts a lock when the failures of strangers, at the address or for the e-mail, have reached their limit. The
 * first lock lasts until they leave the window. Each further one within a day lasts twice as long as the one before:
 * half an hour at first, a day at most.
 */
export async function recordLocks(db: Queryable, attempt: Attempt, limits: FailureLimits): Promise<void> {
  const subjects = subjectsOf(attempt);
  await db`
    INSERT INTO login_locks AS existing (subject, locked_until)
    SELECT subject, now() FROM (
      SELECT ${subjects.email} AS subject, (SELECT count(*) FROM (
        SELECT FROM login_failures WHERE email_hash = ${attempt.emailHash} AND NOT is_known
          AND failed_at > now() - make_interval(mins => ${WINDOW_MINUTES}) LIMIT ${limits.perEmail}
      ) AS failures) >= ${limits.perEmail} AS reached
      UNION ALL
      SELECT ${subjects.address}, (SELECT count(*) FROM (
        SELECT FROM login_failures WHERE address = ${attempt.network} AND NOT is_known
          AND failed_at > now() - make_interval(mins => ${WINDOW_MINUTES}) LIMIT ${limits.perAddress}) AS failures) >= ${limits.perAddress}
    ) AS counted
    WHERE reached
    ON CONFLICT (subject) DO UPDATE SET
      locks = CASE WHEN existing.locked_until > now() - make_interval(hours => ${LONGEST_LOCK_HOURS}) THEN existing.locks + 1 ELSE 1 END,
      locked_until = CASE WHEN existing.locked_until > now() - make_interval(hours => ${LONGEST_LOCK_HOURS})
        THEN now() + least(make_interval(mins => ${WINDOW_MINUTES} * (2 ^ least(existing.locks, 10))::int),
                           make_interval(hours => ${LONGEST_LOCK_HOURS}))
        ELSE now() END
    WHERE existing.locked_until
      NOT BETWEEN now() - make_interval(mins => ${WINDOW_MINUTES}) AND now() + make_interval(hours => ${LONGEST_LOCK_HOURS})`;
}

/**
 * Has every device and network forget that it is known to a user, whose credentials change: whoever knew the ones before may have made many
 * known, and would have guesses of the new ones for each.
 */
export async function moveCredentialEpoch(tx: Tx, userId: string): Promise<void> {
  await tx`UPDATE users SET credential_epoch = credential_epoch + 1 WHERE id = ${userId}`;
  await tx`DELETE FROM known_networks WHERE user_id = ${userId}`;
}

export type CountedKind = 'sign_up' | 'login';

/**
 * SQL for whether the hour of a row of `network_counts` has not ended. An hour that begins in the future, because the
 * clock was set back, has ended.
 */
function running(db: Queryable) {
  return db`(
    network_counts.began_at BETWEEN now() - interval '1 hour' AND now() + make_interval(secs => ${CLOCK_TOLERANCE_SECONDS}))`;
}

/** SQL for the seconds until the network may sign up or log in again; null while it is below the limit. */
export function secondsOverLimit(db: Queryable, kind: CountedKind, network: string, limit: number) {
  return db`(
    SELECT ceil(extract(epoch FROM least(began_at, now()) + interval '1 hour' - now()))::int FROM network_counts
    WHERE kind = ${kind} AND network_counts.network = ${network} AND count >= ${limit} AND ${running(db)})`;
}

/** The seconds until the network may sign up or log in again; null while it is below the limit. */
export async function findSecondsOverLimit(
  db: Queryable,
  kind: CountedKind,
  network: string,
  limit: number,
): Promise<number | null> {
  const [row] = await db<[{ seconds: number | null }]>`SELECT ${secondsOverLimit(db, kind, network, limit)} AS seconds`;
  return row.seconds;
}

/** Whose sign-ups or logins a session counts to, and how many there may be in an hour. */
export type Count = { kind: CountedKind; network: string; networkHash: Buffer; limit: number };

/**
 * Unless the network has reached its limit, inserts a session, counts it for the network and records the network as
 * known to the user.
 * @returns whether the session was inserted
 */
export async function insertCountedSession(db: Queryable, session: NewSession, count: Count): Promise<boolean> {
  const rows = await db`WITH ${countedSession(db, session, count, emptyPart(db))} SELECT FROM opened`;
  return rows.length === 1;
}

/**
 * The same for a user whose password was just checked, with an entry of the audit log (`audited`, parts that insert one), in one statement:
 * it locks the user's row, so that a change of the password either sees the session, and ends it, or comes first, and nothing is inserted.
 */
export async function insertCheckedSession(
  db: Db,
  session: NewSession,
  {
    user,
    count,
    audited,
  }: { user: { id: string; passwordHash: string | null }; count: Count; audited: (from: Part) => Part },
): Promise<{ isUnchanged: boolean; isOpened: boolean }> {
  const [row] = await db<[{ isUnchanged: boolean; isOpened: boolean }]>`
    WITH checked AS (${lockedUser(db, user)}), ${countedSession(db, session, count, db`FROM checked`)}, ${audited(db`FROM counted`)}
    SELECT EXISTS (SELECT FROM checked) AS "isUnchanged", EXISTS (SELECT FROM opened) AS "isOpened"`;
  return row;
}

/** Parts of a statement: `counted` has a row unless the network has reached its limit, and `opened` has the session then. */
function countedSession(db: Queryable, session: NewSession, count: Count, from: Part): Part {
  const { userId, byProvider, sessionId, familyHash, tokenHash, idleSeconds, lifetimeSeconds, ip, userAgent } = session;
  const { kind, network, networkHash, limit } = count;
  return db`
    counted AS (
      INSERT INTO network_counts (kind, network) SELECT ${kind}::text, ${network}::text ${from}
      ON CONFLICT (kind, network) DO UPDATE SET
        count = CASE WHEN ${running(db)} THEN network_counts.count + 1 ELSE 1 END,
        began_at = CASE WHEN ${running(db)} THEN network_counts.began_at ELSE now() END
        WHERE network_counts.count < ${limit} OR NOT ${running(db)}
      RETURNING 1
    ), known AS (
      INSERT INTO known_networks AS existing (user_id, network_hash) SELECT ${userId}::uuid, ${networkHash} FROM counted
      ON CONFLICT (user_id, network_hash) DO UPDATE SET seen_at = now() WHERE existing.seen_at < now() - interval '1 day'
    ), opened AS (
      INSERT INTO sessions (id, user_id, by_provider, family_hash, refresh_hash, ip, user_agent, expires_at, ends_at)
      SELECT ${sessionId}::uuid, ${userId}::uuid, ${byProvider}::boolean, ${familyHash}, ${tokenHash}, ${ip}, ${userAgent},
             now() + make_interval(secs => least(${idleSeconds}::int, ${lifetimeSeconds}::int)),
             now() + make_interval(secs => ${lifetimeSeconds})
      FROM counted
      RETURNING 1
    )`;
}

/** Removes up to `limit` expired rows of each table. @returns how many were removed */
export async function deleteExpiredGuards(db: Db, limit: number): Promise<number> {
  const removed = await Promise.all([
    db`DELETE FROM login_failures WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM login_failures WHERE failed_at < now() - make_interval(mins => ${WINDOW_MINUTES})
         LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
    db`DELETE FROM login_locks WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM login_locks WHERE locked_until < now() - make_interval(hours => ${LONGEST_LOCK_HOURS})
         LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
    db`DELETE FROM known_networks WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM known_networks WHERE seen_at < now() - make_interval(days => ${KNOWN_DAYS})
         LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
    db`DELETE FROM network_counts WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM network_counts WHERE NOT ${running(db)} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
  ]);
  return removed.reduce((sum, { count }) => sum + count, 0);
}
