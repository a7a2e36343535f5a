import { describe, expect, it } from 'vitest';
import { checkRange, createAddressTest } from './addresses.ts';

describe('the addresses from which a key is accepted', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7', '::ffff:192.0.2.7'], ['192.0.2.8', '::1', '']],
    ['192.0.2.7/24', ['192.0.2.0', '192.0.2.255'], ['192.0.3.0', '192.0.1.255']],
    ['10.0.0.0/8', ['10.255.0.1'], ['11.0.0.1']],
    ['0.0.0.0/0', ['203.0.113.1', '0.0.0.0'], ['2001:db8::1']],
    ['192.0.2.7/32', ['192.0.2.7'], ['192.0.2.6']],
    ['2001:db8::/32', ['2001:db8::1', '2001:0DB8:ffff::', '2001:db8::1%eth0'], ['2001:db9::1', '192.0.2.7']],
    ['::1', ['::1', '0:0:0:0:0:0:0:1'], ['::2', '127.0.0.1']],
  ])('%s', (range, inside, outside) => {
    const isAllowed = createAddressTest([range]);
    expect(checkRange(range)).toEqual([]);
    expect(inside.filter((address) => !isAllowed(address))).toEqual([]);
    expect(outside.filter(isAllowed)).toEqual([]);
  });

  it('are those of all ranges, and all addresses without any', () => {
    const isAllowed = createAddressTest(['192.0.2.7', '2001:db8::/32']);
    expect(['192.0.2.7', '2001:db8::1', '192.0.2.8'].map(isAllowed)).toEqual([true, true, false]);
    expect(['192.0.2.7', '::1'].map(createAddressTest([]))).toEqual([true, true]);
  });

  it.each([
    ...['', 'x', '192.0.2', '192.0.2.256', '192.0.2.7/33', '192.0.2.7/', '192.0.2.7/-1', '192.0.2.7/8/8', '1/8'],
    ...['192.0.2.7/255.255.255.0', '2001:db8::/129', '2001:db8:::', 'fe80::1%eth0', 'localhost', '192.0.2.07', '*'],
  ])('cannot be %j', (range) => {
    expect(checkRange(range)).toHaveLength(1);
  });
});
