import { EMAIL } from '../../../platform/http/schema/text-rules.ts';
import { hideCardNumbers, holdsCardNumber } from '../../../platform/logging/card-numbers.ts';
import type { Provider } from '../setup/providers.service.ts';
import { SignInFailure } from './failures.ts';

/** What a provider says of a user (OpenID Connect Core, 5.1). */
export type Claims = Record<string, unknown>;

/** Who has signed in at a provider. */
export type Identity = {
  issuer: string;
  /** Names the user at the issuer, for ever. */
  subject: string;
  /** Null without one that can be an account's. */
  email: string | null;
  /** Whether the provider says that the user reads mails to it. */
  isEmailVerified: boolean;
  /** The domain of the organization that the account belongs to, if the provider names one (`hd` of Google). */
  hostedDomain: unknown;
  firstName: string;
  lastName: string;
};

const MAX_LENGTH = 255;
const WHOLE_EMAIL = new RegExp(`^(?:${EMAIL})$`, 'u');

/** Reads the claims of a user. @throws SignInFailure without a subject */
export function readIdentity(issuer: string, claims: Claims): Identity {
  const { sub: subject, email_verified: isVerified, hd: hostedDomain } = claims;
  const isSubject = typeof subject === 'string' && /^[ -~]{1,255}$/.test(subject);
  if (!isSubject) throw new SignInFailure('sso_failed', 'the subject is not 1 to 255 ASCII characters');
  const email = readEmail(claims.email);
  // Some providers write a text.
  const isEmailVerified = isVerified === true || isVerified === 'true';
  return { issuer, subject, email, isEmailVerified, hostedDomain, ...readName(claims) };
}

function readEmail(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  const email = claim.trim();
  const isUsable = email.length <= MAX_LENGTH && WHOLE_EMAIL.test(email) && !holdsCardNumber(email);
  return isUsable ? email : null;
}

/** An account has both names. A provider may have one text for both, or none. */
function readName(claims: Claims): { firstName: string; lastName: string } {
  const name = readText(claims.name);
  const [first = '', ...rest] = name.split(' ');
  const ofEmail = readText(claims.email).split('@', 1)[0] ?? '';
  const firstName = readText(claims.given_name) || first || ofEmail || 'User';
  return { firstName, lastName: readText(claims.family_name) || rest.join(' ') || '-' };
}

/** A text of a claim in one line, without what an account's fields refuse. */
function readText(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  const line = claim
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\p{Cs}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return hideCardNumbers(line)
    .slice(0, MAX_LENGTH)
    .replace(/\p{Cs}/gu, '')
    .trim();
}

/** Names the organization of each account of one (`hd`); other accounts may have any address, so that the e-mail's domain says nothing. */
const GOOGLE = 'https://accounts.google.com';

/**
 * Whether a provider may sign somebody in, by the domain of the e-mail and that of the organization, if the ID token names one. Google has
 * to name it. A provider without domains may sign everybody in.
 * @see https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload
 */
export function isOfDomains(
  { issuer, emailDomains }: Pick<Provider, 'issuer' | 'emailDomains'>,
  { email, hostedDomain }: Pick<Identity, 'email' | 'hostedDomain'>,
): boolean {
  if (emailDomains.length === 0) return true;
  const allowed = new Set<unknown>(emailDomains.map((domain) => domain.toLowerCase()));
  if (!allowed.has(email?.split('@').at(-1)?.toLowerCase())) return false;
  if (hostedDomain === undefined) return issuer !== GOOGLE;
  return typeof hostedDomain === 'string' && allowed.has(hostedDomain.toLowerCase());
}
