/**
 * The network of a client: its IPv4 address, or the first 64 bits of its IPv6 address, because the owner of one IPv6
 * address has all that share them and could use a new one for each request.
 */
export function clientNetwork(address: string): string {
  if (!isIpv6(address)) return address;
  return ipv6Groups(address).slice(0, 4).join(':');
}

/**
 * A group of networks (see `clientNetwork`) that often have one owner: the first three bytes of an IPv4 address, the
 * first six of an IPv6 address.
 */
export function clientSite(network: string): string {
  return isIpv6(network) ? network.split(':').slice(0, 3).join(':') : network.replace(/\.\d+$/, '');
}

function isIpv6(address: string): boolean {
  return address.includes(':') && !address.startsWith('::ffff:');
}

function ipv6Groups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail?.split(':') ?? [])];
}
