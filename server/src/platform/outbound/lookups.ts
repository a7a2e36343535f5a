import { lookup as lookupInSystem } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';

/** What Node asks for the addresses of a name when it makes a connection. */
export type Lookup = (hostname: string, options: { all?: boolean }, callback: (...result: unknown[]) => void) => void;

/** As the system resolves names, for hosts that the operator trusts. */
export const systemLookup = lookupInSystem as Lookup;

type Address = { address: string; family: 4 | 6 };

const REFUSED = 'ERR_PAYDESK_ADDRESS_REFUSED';

/** Whether an error says that an address is not a public one. */
export function isAddressRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === REFUSED;
}

/**
 * A resolver that does not use the thread pool, where the system's look-up would block password hashes while a name
 * server is silent.
 */
export function newResolver(): Resolver {
  return new Resolver({ timeout: 3_000, tries: 2 });
}

/**
 * Replaces the system's look-up when a connection is made: the addresses that are checked are those that are connected to. One address
 * that is not public makes it refuse all.
 */
export function publicLookup(resolver: Resolver): Lookup {
  return (hostname, options, callback) => {
    resolve(resolver, hostname).then((addresses) => {
      if (addresses.every(({ address }) => isPublicAddress(address))) answer(addresses, options, callback);
      else callback(Object.assign(new Error('The address is not a public one.'), { code: REFUSED }));
    }, callback);
  };
}

async function resolve(resolver: Resolver, hostname: string): Promise<Address[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 as const })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 as const })),
  ];
}

/** Answers with the addresses of this machine, whatever the name. */
export const loopbackLookup: Lookup = (_hostname, options, callback) => {
  const addresses: Address[] = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  answer(addresses, options, callback);
};

function answer(addresses: Address[], { all }: { all?: boolean }, callback: Parameters<Lookup>[2]): void {
  const [first] = addresses;
  if (first === undefined) callback(Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' }));
  else if (all) callback(null, addresses);
  else callback(null, first.address, first.family);
}

/** The literal IP address in the URL, in any notation (decimal, octal, hexadecimal); null for a name. */
export function literalAddress({ hostname }: URL): string | null {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? null : address;
}

/** Whether the host of the URL is this machine (RFC 6761, 6.3). */
export function isLoopback(url: URL): boolean {
  const address = literalAddress(url);
  if (address !== null) return address === '::1' || address.startsWith('127.');
  return url.hostname === 'localhost' || url.hostname.endsWith('.localhost');
}
