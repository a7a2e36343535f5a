import { describe, expect, it } from 'vitest';
import { appendChecksums, checksumOf, readChecksums } from './checksums.ts';

const ONE = ['0001_one.sql', 'CREATE TABLE one ();'] as const;
const TWO = ['0002_two.sql', 'CREATE TABLE two ();'] as const;
const line = ([name, text]: readonly [string, string]): string => `${checksumOf(text)}  ${name}\n`;
const append = (listed: string, ...migrations: (readonly [string, string])[]): string =>
  appendChecksums(readChecksums(listed), new Map(migrations));

describe('the list of migrations', () => {
  it('gets a line for each new one, in the order of their numbers', () => {
    expect(append(line(ONE), TWO, ONE)).toBe(line(ONE) + line(TWO));
  });

  // Security (Disks, upgrades and restores): A migration that was published is never changed
  it('refuses an edited one and a removed one', () => {
    expect(() => append(line(ONE), [ONE[0], 'CREATE TABLE other ();'])).toThrow(/^0001_one\.sql was changed/);
    expect(() => append(line(ONE) + line(TWO), ONE)).toThrow(/^0002_two\.sql was removed/);
  });

  it('after two branches used the same number has both, the second with its new number', () => {
    const mine = ['0002_mine.sql', 'CREATE TABLE mine ();'] as const;
    const renumbered = ['0003_mine.sql', mine[1]] as const;
    expect(append(line(ONE) + line(TWO) + line(mine), ONE, TWO, renumbered)).toBe(
      line(ONE) + line(TWO) + line(renumbered),
    );
  });
});
