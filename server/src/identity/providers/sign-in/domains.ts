import type { Provider } from '../setup/providers.service.ts';
import type { Identity } from './claims.ts';

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
