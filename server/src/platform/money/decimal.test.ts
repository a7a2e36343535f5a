import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  jsonNumber,
  MAX_DECIMAL_LENGTH,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  toDecimal,
} from './decimal.ts';
import { decimalText, longHandRound } from './money.test-model.ts';

describe('reading and writing', () => {
  test('a text that was read is written unchanged', () => {
    fc.assert(fc.property(decimalText, (text) => formatDecimal(toDecimal(text)) === text));
  });

  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['007.50', '7.50'],
    ['-00.05', '-0.05'],
    ['90071992547409.93', '90071992547409.93'],
  ])('%s is written %s', (text, written) => {
    expect(formatDecimal(toDecimal(text))).toBe(written);
  });

  test.each([
    ...[
      '',
      ' ',
      '-',
      '.',
      '.5',
      '1.',
      '-.5',
      '1.2.3',
      '1,5',
      '--1',
      '-+1',
      '+1',
      '1e5',
      '1E5',
      '1e400',
      '0x10',
      '1n',
      '1_000',
    ],
    ...[' 1', '1 ', '1\n', '\t1', '1\u0000', 'NaN', 'Infinity', '-Infinity', 'null', '١', '１', '−1', '½'],
  ])('%j is not a decimal', (text) => {
    expect(parseDecimal(text)).toBeNull();
    expect(() => toDecimal(text)).toThrow(RangeError);
  });

  test('the length is limited', () => {
    expect(parseDecimal('9'.repeat(MAX_DECIMAL_LENGTH))).not.toBeNull();
    expect(parseDecimal('9'.repeat(MAX_DECIMAL_LENGTH + 1))).toBeNull();
    expect(parseDecimal('9'.repeat(10_240))).toBeNull();
    expect(parseDecimal(`0.${'0'.repeat(10_240)}`)).toBeNull();
  });

  test('only plain notation is read', () => {
    const nearlyDecimal = fc.string({ unit: fc.constantFrom(...'019-+.eE _n\n١'), maxLength: 8 });
    fc.assert(fc.property(nearlyDecimal, (text) => (parseDecimal(text) !== null) === isPlainNotation(text)));
  });
});

describe('a JSON number', () => {
  test.each([
    ['90071992547409.93', '90071992547409.93'],
    ['12.50', '12.5'],
    ['100.00', '100'],
    ['100', '100'],
    ['-0.10', '-0.1'],
    ['-0.00', '0'],
    ['0.0001', '0.0001'],
  ])('%s is %s', (text, json) => {
    expect(jsonNumber(toDecimal(text))).toBe(json);
  });

  test('has the same value, the shortest text and JSON syntax', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const json = jsonNumber(toDecimal(text));
        expect(compareDecimals(toDecimal(json), toDecimal(text))).toBe(0);
        expect(json).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/);
        expect(JSON.parse(json)).toBe(Number(text) + 0);
      }),
    );
  });
});

describe('arithmetic agrees with fractions', () => {
  test('sum, product and order', () => {
    fc.assert(
      fc.property(decimalText, decimalText, (leftText, rightText) => {
        const [left, right] = [fraction(leftText), fraction(rightText)];
        const cross = left.over * right.under + right.over * left.under;
        const under = left.under * right.under;
        expectFraction(addDecimals(toDecimal(leftText), toDecimal(rightText)), { over: cross, under });
        expectFraction(multiplyDecimals(toDecimal(leftText), toDecimal(rightText)), {
          over: left.over * right.over,
          under,
        });
        const difference = left.over * right.under - right.over * left.under;
        const order = difference === 0n ? 0 : difference < 0n ? -1 : 1;
        expect(compareDecimals(toDecimal(leftText), toDecimal(rightText))).toBe(order);
      }),
    );
  });

  test('equal values at different scales are equal', () => {
    expect(compareDecimals(toDecimal('1.5'), toDecimal('1.500'))).toBe(0);
    expect(compareDecimals(toDecimal('-0'), toDecimal('0.00'))).toBe(0);
  });
});

describe('rounding', () => {
  test.each([
    ['0.5', 0, '1'],
    ['-0.5', 0, '-1'],
    ['1.5', 0, '2'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['2.4999999999', 0, '2'],
    ['0.125', 2, '0.13'],
    ['-0.125', 2, '-0.13'],
    ['-0.004', 2, '0.00'],
    ['1.005', 2, '1.01'],
    ['9.995', 2, '10.00'],
    ['1.0005', 3, '1.001'],
    ['1.00005', 4, '1.0001'],
    ['0.0049', 2, '0.00'],
    ['7', 2, '7.00'],
  ])('%s at %i digits is %s', (text, digits, rounded) => {
    expect(formatDecimal(roundDecimal(toDecimal(text), digits))).toBe(rounded);
  });

  test('agrees with an independent implementation', () => {
    fc.assert(
      fc.property(decimalText, fc.integer({ min: 0, max: 10 }), (text, digits) => {
        expect(roundDecimal(toDecimal(text), digits)).toEqual({
          coefficient: longHandRound(text, digits),
          scale: digits,
        });
      }),
      { numRuns: 2_000 },
    );
  });
});

type Fraction = { over: bigint; under: bigint };

function fraction(text: string): Fraction {
  const digitsBehindPoint = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  return { over: BigInt(text.replace('.', '')), under: BigInt(`1${'0'.repeat(digitsBehindPoint)}`) };
}

function expectFraction(value: Decimal, expected: Fraction): void {
  const actual = fraction(formatDecimal(value));
  expect(actual.over * expected.under).toBe(expected.over * actual.under);
}

/** Checks the same grammar, character by character. */
function isPlainNotation(text: string): boolean {
  const parts = (text[0] === '-' ? text.slice(1) : text).split('.');
  return (
    parts.length <= 2 && parts.every((part) => part !== '' && [...part].every((digit) => '0123456789'.includes(digit)))
  );
}
