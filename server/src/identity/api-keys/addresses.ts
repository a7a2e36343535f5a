import { BlockList, isIP } from 'node:net';
import { documentedRule } from '../../platform/http/schema/text-rules.ts';

type Range = { address: string; bits: number | null; family: 'ipv4' | 'ipv6' };

/** What all addresses look like, and more than they. */
const [IPV4, IPV6] = [
  '[0-9]{1,3}(?:[.][0-9]{1,3}){3}',
  '[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:[.][0-9]{1,3}){0,3}',
];

/** The rule for an IP address or a range of them in CIDR notation. */
export const checkRange = documentedRule({ pattern: `(?:${IPV4}|${IPV6})(?:/[0-9]{1,3})?` }, (value) =>
  readRange(value) === null ? ['must be an IP address, or a range such as 192.0.2.0/24'] : [],
);

/** A test for addresses that are among these or in these ranges; without any, every address is. */
export function createAddressTest(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true;
  const list = new BlockList();
  for (const { address, bits, family } of ranges.flatMap((range) => readRange(range) ?? [])) {
    if (bits === null) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return (address) => {
    const [plain = ''] = address.split('%');
    return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };
}

function readRange(text: string): Range | null {
  const [address = '', bits, ...rest] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return null;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) return { address, bits: null, family };
  const isLength = /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32);
  return isLength ? { address, bits: Number(bits), family } : null;
}
