import type { Queryable, Tx } from '../../platform/database/database.ts';
import { profileColumns } from '../users/users.parts.queries.ts';
import type { ProfiledUser } from '../users/users.public.queries.ts';
import type { ProfileBody } from './profile.schema.ts';

/** A user with what the profile shows; null once the account is closed. */
export async function findProfile(db: Queryable, userId: string): Promise<ProfiledUser | null> {
  const [user] = await db<ProfiledUser[]>`
    SELECT ${profileColumns(db)} FROM users LEFT JOIN companies ON companies.id = users.company_id
    WHERE users.id = ${userId} AND disabled_at IS NULL`;
  return user ?? null;
}

/** Locks the row of a user until the commit, so that two changes do not mix. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
}

/** Changes the fields that are given. */
export async function updateProfile(tx: Tx, userId: string, body: ProfileBody): Promise<void> {
  await tx`
    UPDATE users SET
      first_name = coalesce(${body.first_name ?? null}, first_name), last_name = coalesce(${body.last_name ?? null}, last_name),
      phone = coalesce(${body.phone ?? null}, phone), country = coalesce(${body.country ?? null}, country),
      city = coalesce(${body.city ?? null}, city), avatar = coalesce(${body.avatar ?? null}, avatar),
      language = coalesce(${body.language ?? null}, language), timezone = coalesce(${body.timezone ?? null}, timezone),
      default_app = coalesce(${body.default_app ?? null}, default_app), updated_at = now()
    WHERE id = ${userId}`;
}
