import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { patternRule, UUID } from '../../platform/http/schema/text-rules.ts';
import { Type } from '../../platform/http/schema/type.ts';

const requireSecondFactor = Type.Boolean({
  description:
    'With true, members without a second factor can do nothing except set one up. You need a second factor of your own to ' +
    'set this.',
  examples: [false],
});
const signIn = Type.Enum(['password', 'sso'] as const, {
  description: 'With `sso`, members sign in only through the provider of the company.',
  examples: ['password'],
});
const breakGlassMember = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 255,
  'x-rule': patternRule(UUID, 'must be a member of the company'),
  description:
    'The member who can still log in with a password under `sso`. If none is named, the member who sets `sso`.',
  examples: [null],
});

export const CompanySettings = namedObject('CompanySettings', {
  require_second_factor: requireSecondFactor,
  sign_in: signIn,
  break_glass_member_id: breakGlassMember,
});
export type CompanySettings = Static<typeof CompanySettings>;

export const CompanySettingsBody = namedObject('CompanySettingsBody', {
  require_second_factor: Type.Optional(requireSecondFactor),
  sign_in: Type.Optional(signIn),
  break_glass_member_id: Type.Optional(breakGlassMember),
});
export type CompanySettingsBody = Static<typeof CompanySettingsBody>;
