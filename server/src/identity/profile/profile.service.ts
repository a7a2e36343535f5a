import { recordAudit } from '../../audit/audit.service.ts';
import type { Queryable, Tx } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/route/actor.ts';
import { describeOwnAct } from '../login/login.service.ts';
import type { ProfiledUser } from '../users/users.public.queries.ts';
import type { UserProfile } from '../users/users.schema.ts';
import { describeUser } from '../users/users.service.ts';
import { findProfile, lockUser, updateProfile } from './profile.public.queries.ts';
import { type ProfileAnswer, ProfileBody } from './profile.schema.ts';

/** The profile of the caller. @throws ApiError unauthenticated when the account was closed meanwhile */
export async function readProfile(db: Queryable, userId: string): Promise<ProfileAnswer> {
  return { error: null, data: describeUser(await findOpen(db, userId)) };
}

/** Changes the given fields of the caller's profile. @throws ApiError unauthenticated, as `readProfile` */
export async function changeProfile(tx: Tx, userId: string, body: ProfileBody, actor: Actor): Promise<ProfileAnswer> {
  await lockUser(tx, userId);
  const before = describeUser(await findOpen(tx, userId));
  await updateProfile(tx, userId, body);
  const user = await findOpen(tx, userId);
  const after = describeUser(user);
  const changes = compare(before, after);
  await recordAudit(tx, user.companyId, { ...describeOwnAct(user, { actor }), action: 'user.updated', changes });
  return { error: null, data: after };
}

async function findOpen(db: Queryable, userId: string): Promise<ProfiledUser> {
  const user = await findProfile(db, userId);
  if (user === null) throw new ApiError('unauthenticated', 'The account was closed.');
  return user;
}

const FIELDS = Object.keys(ProfileBody.properties) as (keyof ProfileBody)[];

/** The fields that changed; null when there are none. */
function compare(before: UserProfile, after: UserProfile) {
  const changed = FIELDS.filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return null;
  const of = (profile: UserProfile) => Object.fromEntries(changed.map((name) => [name, profile[name]]));
  return { before: of(before), after: of(after) };
}
