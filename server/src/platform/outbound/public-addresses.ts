import { BlockList, isIP } from 'node:net';

/*
 * What nothing is sent to at the request of somebody else: whatever is not a public address. IANA's special-purpose registries (RFC 6890),
 * and what clouds answer with secrets at. Of IPv6 only 2000::/3 is given out; all else is refused, and so are the parts of it that stand
 * for IPv4 addresses or are not routed. With that go ::, ::1, IPv4-mapped and -compatible, NAT64, ULA (fd00:ec2::254), link-local and
 * multicast addresses.
 */

const REFUSED_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // Azure's internal endpoint, in the middle of a public range.
  '168.63.129.16/32',
];
const GIVEN_OUT_IPV6 = ['2000::/3'];
/** Teredo and other protocols, documentation, 6to4, documentation. */
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const refusedIpv4 = toList(REFUSED_IPV4, 'ipv4');
const givenOutIpv6 = toList(GIVEN_OUT_IPV6, 'ipv6');
const refusedIpv6 = toList(REFUSED_IPV6, 'ipv6');

function toList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether a text is a public IP address, to which requests may be sent. False for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refusedIpv4.check(address, 'ipv4');
    case 6:
      return givenOutIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}
