import { expect, it } from 'vitest';
import { add, isPositive, smaller, subtract } from './amount.ts';

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
