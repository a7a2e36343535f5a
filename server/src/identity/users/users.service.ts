import { type CompanyProfile, EMPTY_COMPANY } from '../../customers/companies/companies.service.ts';
import { roleOf } from '../roles/stored-role.ts';
import type { ProfiledUser } from './users.public.queries.ts';
import type { UserProfile } from './users.schema.ts';

/** What the profile of a user is made from. */
export type DescribedUser = Omit<ProfiledUser, 'company'> & { company: CompanyProfile | null };

/** The profile of a user, as sign-up, login and refresh answer it. */
export function describeUser(user: DescribedUser): UserProfile {
  const { id, name, phone, address, describe, email } = user.company ?? EMPTY_COMPANY;
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    phone: user.phone,
    email: user.email,
    country: user.country,
    city: user.city,
    avatar: user.avatar,
    company: { id, name, phone, address, describe, email },
    role: roleOf(user),
    address: null,
    // Derived, not stored: an admin's state depends on whether the company has a card.
    state: user.companyId === null || user.hasCards ? 'ACTIVED' : 'CARD_NOT_FOUND',
    language: user.language,
    timezone: user.timezone,
    default_app: user.defaultApp,
    email_verified: user.isEmailVerified,
    staff_role: user.staffRole,
    two_factor: user.hasSecondFactor,
  };
}
