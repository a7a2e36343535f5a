import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { literalAddress } from '../../../platform/outbound/lookups.ts';
import { isPublicAddress } from '../../../platform/outbound/public-addresses.ts';

const PORTS = ['', '8443'];

/** Where an event is sent. The endpoint may be at `allowedHosts` wherever these are: see `allowedHostsOf`. */
export type Target = { url: string; allowedHosts: readonly string[] };

/**
 * The hosts allowed by the operator, for its own endpoints only: a company that could use them would read the answers
 * of internal services in the log of its deliveries.
 */
export function allowedHostsOf(companyId: string, allowedHosts: readonly string[]): readonly string[] {
  return companyId === OPERATOR_SCOPE ? allowedHosts : [];
}

/** `allowing`: the host whose URL is right once the operator allows that host; null where that would not help. */
export type UrlProblem = { message: string; allowing: string | null };

/** What is wrong with an endpoint's URL; null when the text alone shows no problem. */
export function findUrlProblem(text: string, allowedHosts: readonly string[]): UrlProblem | null {
  const url = URL.parse(text);
  const always = (message: string): UrlProblem => ({ message, allowing: null });
  if (url === null || !/^https?:$/.test(url.protocol))
    return always('must be a URL such as https://hooks.example.com/paydesk');
  if (url.username !== '' || url.password !== '') return always('must not contain a user or a password');
  if (url.hash !== '') return always('must not have a fragment');
  if (isAllowedHost(url, allowedHosts)) return null;
  const ofHost = (message: string): UrlProblem => ({ message, allowing: url.host });
  if (url.protocol !== 'https:') return ofHost('must begin with https://');
  if (!PORTS.includes(url.port)) return ofHost('must be on port 443 or 8443');
  const address = literalAddress(url);
  return address === null || isPublicAddress(address) ? null : ofHost('must not be a private or reserved address');
}

/** Whether the operator allows this host wherever it is. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  return allowedHosts.includes(url.host);
}
