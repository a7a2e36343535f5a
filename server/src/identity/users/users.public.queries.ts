import type { CompanyProfile } from '../../customers/companies/companies.service.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { StaffRole } from '../../platform/operator-roles.ts';
import type { StoredRole } from '../roles/stored-role.ts';

export type User = StoredRole & {
  id: string;
  companyId: string | null;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  country: string;
  city: string;
  avatar: string;
  language: string;
  timezone: string;
  defaultApp: string;
  /** Null for everybody but the operator's people. */
  staffRole: StaffRole | null;
};

export type NewUser = Pick<
  User,
  'id' | 'companyId' | 'systemRole' | 'customRole' | 'staffRole' | 'firstName' | 'lastName' | 'email'
> & {
  isEmailVerified: boolean;
  /** Null for a user who signs in through a provider. */
  passwordHash: string | null;
};

/** The key by which e-mails are compared, case-insensitively. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/**
 * Inserts a user. What one without a password sets up for logging in does not count as the owner's of the address yet: the provider of a
 * company alone says whose it is. @throws PostgresError on the constraint `users_email_key` when the e-mail has an account
 */
export async function insertUser(db: Queryable, user: NewUser): Promise<void> {
  const isProven = user.isEmailVerified && user.passwordHash !== null;
  await db`
    INSERT INTO users (id, company_id, role, role_id, staff_role, first_name, last_name, email, email_key, password_hash, email_verified_at,
                       trusted_from)
    VALUES (${user.id}, ${user.companyId}, ${user.systemRole}, ${user.customRole?.id ?? null}, ${user.staffRole},
            ${user.firstName}, ${user.lastName}, ${user.email}, ${emailKey(user.email)}, ${user.passwordHash},
            CASE WHEN ${user.isEmailVerified} THEN now() END, CASE WHEN ${isProven} THEN now() END)`;
}

/**
 * Whether an e-mail has an account, or is kept for a user who has changed it lately; checked before work is spent on it. That user may take
 * it back.
 */
export async function isEmailTaken(db: Queryable, email: string, userId: string | null = null): Promise<boolean> {
  const key = emailKey(email);
  const [row] = await db<[{ isTaken: boolean }]>`
    SELECT EXISTS (SELECT 1 FROM users WHERE email_key = ${key}) OR EXISTS (
      SELECT 1 FROM email_reverts
      WHERE email_key = ${key} AND expires_at > now() AND user_id IS DISTINCT FROM ${userId}::uuid) AS "isTaken"`;
  return row.isTaken;
}

/** The answer where an e-mail has an account already. */
export function emailTaken(): ApiError {
  return new ApiError('email_taken', 'An account with this e-mail already exists.', {
    details: [{ field: 'email', message: 'has an account' }],
  });
}

/** A user's company, with the external id that access tokens carry. */
export type CompanyOfUser = CompanyProfile & { externalId: string | null };

/** A user with what the profile shows: the company, and whether it has cards. */
export type ProfiledUser = User & {
  isEmailVerified: boolean;
  hasSecondFactor: boolean;
  /** Moves whenever something changes that the user logs in with. */
  credentialEpoch: number;
  /** Whether the company lets only its provider sign the user in. */
  needsProvider: boolean;
  company: CompanyOfUser | null;
  hasCards: boolean;
};
