/**
 * Whose an address is: the address itself; of an IPv6 one the first half, since whoever has one address there has all that begin
 * with it, and could be a new caller with each request.
 */
export function clientNetwork(address: string): string {
  if (!isIpv6(address)) return address;
  return ipv6Groups(address).slice(0, 4).join(':');
}

/** What networks (see `clientNetwork`) are often of one owner: the first three bytes of an IPv4 address, the first six of an IPv6 one. */
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
