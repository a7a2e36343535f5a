import { isLoopback, literalAddress } from './lookups.ts';
import { isPublicAddress } from './public-addresses.ts';

/** What is wrong with the issuer of a provider of sign-ins; null when the text alone shows no problem. */
export function findIssuerProblem(text: string, allowedHosts: readonly string[]): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL such as https://login.example.com';
  if (/[?#]/.test(text)) return 'must not have a query or a fragment';
  if (url.pathname.includes('/.well-known')) return 'must be the issuer itself, not the address of its configuration';
  return findUrlProblem(url, { issuer: url, allowedHosts });
}

/**
 * What is wrong with a URL of a provider, of which its configuration names several; null when the text alone shows no problem. Only what
 * belongs to an issuer on this machine may be on this machine.
 * @param allowedHosts - `host` or `host:port` that may have a private address
 */
export function findUrlProblem(
  url: URL,
  { issuer, allowedHosts }: { issuer: URL; allowedHosts: readonly string[] },
): string | null {
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password';
  if (/^https?:$/.test(url.protocol) && isLoopback(url) && url.origin === issuer.origin) return null;
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (allowedHosts.includes(url.host)) return null;
  const address = literalAddress(url);
  const isRefused = isLoopback(url) || (address !== null && !isPublicAddress(address));
  return isRefused ? 'must not be a private or reserved address' : null;
}
