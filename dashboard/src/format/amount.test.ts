import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeTotals } from '../../../server/src/platform/money/money.ts';
import { add, isPositive, smaller, subtract, totalsOf } from './amount.ts';

it.each([
  ['57.60', ['10'], '47.60'],
  ['10.00', ['9.995'], '0.005'],
  ['0.10', ['0.30'], '-0.20'],
  ['90071992547409.93', ['0.01', '0.02'], '90071992547409.90'],
])('%s less %j is %s', (from, others, rest) => {
  expect(subtract(from, ...others)).toBe(rest);
});

it('sums are exact, with the sign', () => {
  expect(add('0.10', '0.20')).toBe('0.30');
  expect(add('-1.00', '0.25')).toBe('-0.75');
  expect(add('5', '-7')).toBe('-2');
});

it('amounts compare by value', () => {
  expect(isPositive('0.00')).toBe(false);
  expect(isPositive('-0.01')).toBe(false);
  expect(isPositive('0.01')).toBe(true);
  expect(smaller('100.00', '9.50')).toBe('9.50');
});

it('the total that a draft shows is the one that the service computes', () => {
  const decimal = fc
    .tuple(fc.bigInt(-(10n ** 11n), 10n ** 11n), fc.integer({ min: 0, max: 6 }))
    .map(([units, scale]) => (scale === 0 ? String(units) : toDecimal(units, scale)));
  const rate = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => toDecimal(BigInt(hundredths), 2));
  const currency = fc.constantFrom(['USD', 2], ['JPY', 0], ['KWD', 3]) as fc.Arbitrary<[string, number]>;
  fc.assert(
    fc.property(fc.array(decimal, { minLength: 1, maxLength: 5 }), rate, currency, (lines, taxRate, [code, digits]) => {
      const computed = computeTotals(
        lines.map((amount) => ({ amount })),
        taxRate,
        code,
      );
      const { net, tax, total } = totalsOf(lines, taxRate, digits) ?? {};
      const minor = [net, tax, total].map((amount) => BigInt(String(amount).replace('.', '')));
      expect(minor).toEqual([computed.subTotalMinor, computed.taxMinor, computed.totalMinor]);
    }),
  );
});

it('what is no decimal has no total', () => {
  expect(totalsOf(['1.00', ''], '20', 2)).toBeUndefined();
  expect(totalsOf(['1,00'], '20', 2)).toBeUndefined();
  expect(totalsOf(['0.125'], '20', 2)).toEqual({ net: '0.13', tax: '0.03', total: '0.16' });
});

function toDecimal(units: bigint, scale: number): string {
  const text = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}
