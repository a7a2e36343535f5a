import { EMPTY_COMPANY } from '../../customers/companies/companies.service.ts';
import { roleOf } from '../roles/stored-role.ts';
import type { ProfiledUser } from './users.public.queries.ts';
import type { UserProfile } from './users.schema.ts';

/** The profile of a user, as sign-up, login and refresh answer it. */
export function describeUser(user: ProfiledUser): UserProfile {
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    phone: user.phone,
    email: user.email,
    country: user.country,
    city: user.city,
    avatar: user.avatar,
    company: user.company ?? EMPTY_COMPANY,
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
