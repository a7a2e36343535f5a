import { isIP } from 'node:net';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { isPublicAddress } from './addresses.ts';

const PORTS = ['', '8443'];

/** Where events are sent. `allowedHosts` are those that the endpoint may be at wherever they are: see `allowedHostsOf`. */
export type Target = { url: string; allowedHosts: readonly string[] };

/**
 * The hosts that the operator has named, for its own endpoints alone: a company that could name them would read the answers of
 * internal services in the log of its deliveries.
 */
export function allowedHostsOf(companyId: string, allowedHosts: readonly string[]): readonly string[] {
  return companyId === OPERATOR_SCOPE ? allowedHosts : [];
}

/** What is wrong with the address of an endpoint; null when events may be sent there, as far as the text tells. */
export function findUrlProblem(text: string, allowedHosts: readonly string[]): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be a URL such as https://hooks.example.com/paydesk';
  if (url.username !== '' || url.password !== '') return 'must not hold a user or a password';
  if (url.hash !== '') return 'must not have a fragment';
  if (isAllowedHost(url, allowedHosts)) return null;
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (!PORTS.includes(url.port)) return 'must be on port 443 or 8443';
  const address = literalAddress(url);
  return address === null || isPublicAddress(address) ? null : 'must not be a private or reserved address';
}

/** Whether the operator has named this host, which may then be anywhere. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  return allowedHosts.includes(url.host);
}

/** The address that stands in the URL itself, as every form of it is read (decimal, octal, hexadecimal); null for a name. */
function literalAddress({ hostname }: URL): string | null {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? null : address;
}
