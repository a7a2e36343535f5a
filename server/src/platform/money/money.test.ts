import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorUnitDigits } from './currencies.ts';
import { formatDecimal, jsonNumber, toDecimal } from './decimal.ts';
import { decimalText, longHandRound } from './money.test-model.ts';
import { AmountError, computeTotals, formatAmount, fromMinor, toMinor } from './money.ts';

const currency = fc.constantFrom('JPY', 'USD', 'KWD', 'CLF');
const taxRate = fc.oneof(
  fc.constantFrom('0', '100', '50', '5.5', '8.875', '19', '21.0'),
  fc
    .integer({ min: 0, max: 100_000 })
    .map((thousandths) => formatDecimal({ coefficient: BigInt(thousandths), scale: 3 })),
);

describe('minor units', () => {
  test.each([
    ['1.5', 'JPY', 2n],
    ['-1.5', 'JPY', -2n],
    ['0.125', 'USD', 13n],
    ['-0.005', 'USD', -1n],
    ['0.00499', 'USD', 0n],
    ['1.0005', 'KWD', 1001n],
    ['1.00005', 'CLF', 10001n],
    ['90071992547409.93', 'USD', 9007199254740993n],
  ])('%s %s is %s', (text, code, minor) => {
    expect(toMinor(toDecimal(text), code)).toBe(minor);
  });

  test('agree with an independent implementation and convert back unchanged, for every exponent', () => {
    fc.assert(
      fc.property(decimalText, currency, (text, code) => {
        const minor = toMinor(toDecimal(text), code);
        expect(minor).toBe(longHandRound(text, minorUnitDigits(code)));
        expect(toMinor(fromMinor(minor, code), code)).toBe(minor);
        expect(toMinor(toDecimal(formatAmount(minor, code)), code)).toBe(minor);
      }),
    );
  });
});

describe('an amount as the API shows it', () => {
  test.each([
    [10000n, 'USD', '100.00'],
    [100n, 'JPY', '100.00'],
    [100000n, 'KWD', '100.000'],
    [10000n, 'CLF', '1.0000'],
    [-5n, 'USD', '-0.05'],
    [-5n, 'JPY', '-5.00'],
    [0n, 'USD', '0.00'],
    [9007199254740993n, 'USD', '90071992547409.93'],
  ])('%s %s is %s', (minor, code, text) => {
    expect(formatAmount(minor, code)).toBe(text);
  });

  test('has two decimals, or as many as the minor unit has', () => {
    const decimals = { JPY: 2, USD: 2, KWD: 3, CLF: 4 };
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.constantFrom('JPY', 'USD', 'KWD', 'CLF'),
        (minor, code) => {
          expect(formatAmount(minor, code)).toMatch(new RegExp(`^-?\\d+\\.\\d{${decimals[code]}}$`));
        },
      ),
    );
  });
});

describe('totals', () => {
  test('each line is rounded separately, and so is the tax', () => {
    const totals = computeTotals(lines('0.005', '0.005', '-0.004', '9.99'), '7.5', 'USD');
    expect(totals).toEqual({
      lineAmountsMinor: [1n, 1n, 0n, 999n],
      subTotalMinor: 1001n,
      taxMinor: 75n,
      totalMinor: 1076n,
      byRate: [{ rate: '7.5', netMinor: 1001n, taxMinor: 75n }],
    });
  });

  test('a tax of exactly half a minor unit is rounded away from zero', () => {
    expect(computeTotals(lines('0.10'), '5', 'USD').taxMinor).toBe(1n);
    expect(computeTotals(lines('-0.10'), '5', 'USD').taxMinor).toBe(-1n);
    expect(computeTotals(lines('0.10'), '4.999', 'USD').taxMinor).toBe(0n);
    expect(computeTotals(lines('50'), '1', 'JPY').taxMinor).toBe(1n);
  });

  test('the total without lines is zero', () => {
    expect(computeTotals([], '21', 'USD')).toEqual({
      lineAmountsMinor: [],
      subTotalMinor: 0n,
      taxMinor: 0n,
      totalMinor: 0n,
      byRate: [{ rate: '21', netMinor: 0n, taxMinor: 0n }],
    });
  });

  test('tax is rounded once per rate, not per line', () => {
    const details = [
      { amount: '0.10', taxRate: '5' },
      { amount: '0.10', taxRate: '19.0' },
      { amount: '0.20' },
      { amount: '-0.30', taxRate: '5.00' },
    ];
    expect(computeTotals(details, '19', 'USD')).toMatchObject({
      ...{ subTotalMinor: 10n, taxMinor: 5n, totalMinor: 15n },
      byRate: [
        { rate: '5', netMinor: -20n, taxMinor: -1n },
        { rate: '19', netMinor: 30n, taxMinor: 6n },
      ],
    });
    const wrong = () => computeTotals([{ amount: '1', taxRate: '101' }], '0', 'USD');
    expect(wrong).toThrow(expect.objectContaining({ field: 'details[0].taxRate' }));
  });

  test('agree with an independent implementation, for every exponent', () => {
    fc.assert(
      fc.property(fc.array(smallDecimalText(), { maxLength: 20 }), taxRate, currency, (amounts, rate, code) => {
        const lineAmountsMinor = amounts.map((text) => longHandRound(text, minorUnitDigits(code)));
        let subTotalMinor = 0n;
        for (const lineMinor of lineAmountsMinor) subTotalMinor += lineMinor;
        const taxMinor = longHandPercentage(subTotalMinor, rate);
        const totalMinor = subTotalMinor + taxMinor;
        expect(computeTotals(lines(...amounts), rate, code)).toMatchObject({
          lineAmountsMinor,
          subTotalMinor,
          taxMinor,
          totalMinor,
        });
      }),
      { numRuns: 1_000 },
    );
  });

  // Security (Amounts, documents and card data): 100,000 amounts add up exactly
  test('1e5 amounts of 0.01 to 0.10 add up to 5500.00', () => {
    const amounts = Array.from({ length: 100_000 }, (_, index) => `0.${String((index % 10) + 1).padStart(2, '0')}`);
    const { totalMinor } = computeTotals(lines(...amounts), '0', 'USD');
    expect(formatAmount(totalMinor, 'USD')).toBe('5500.00');
  });

  test('90071992547409.93, which no binary float represents, is kept exactly', () => {
    const { totalMinor } = computeTotals(lines('90071992547409.93'), '0', 'USD');
    expect(formatAmount(totalMinor, 'USD')).toBe('90071992547409.93');
    expect(jsonNumber(fromMinor(totalMinor, 'USD'))).toBe('90071992547409.93');
  });
});

describe('amounts that no invoice can have', () => {
  test.each(['JPY', 'USD', 'KWD', 'CLF'])(
    'the largest %s amount fits numeric(20,4) and an 8-byte integer, one more is refused',
    (code) => {
      const largest = formatDecimal({
        coefficient: 10n ** BigInt(14 + minorUnitDigits(code)) - 1n,
        scale: minorUnitDigits(code),
      });
      const { totalMinor } = computeTotals(lines(largest), '0', code);
      expect(formatAmount(totalMinor, code)).toMatch(/^9{14}\.\d{2,4}$/);
      expect(BigInt.asIntN(64, totalMinor)).toBe(totalMinor);
      expect(() => computeTotals(lines('100000000000000'), '0', code)).toThrow(AmountError);
      expect(() => computeTotals(lines('-100000000000000'), '0', code)).toThrow(AmountError);
    },
  );

  test('an amount that reaches the limit only by rounding is refused', () => {
    expect(refusal(lines('99999999999999.995'))).toEqual('details[0].amount');
    expect(refusal(lines('99999999999999.994'))).toBeNull();
  });

  test('the error names the field', () => {
    expect(refusal(lines('1', '1e5'))).toEqual('details[1].amount');
    expect(refusal(lines('1', '2', '9'.repeat(40)))).toEqual('details[2].amount');
    expect(refusal(lines('60000000000000', '60000000000000'))).toEqual('details');
    expect(refusal(lines('-60000000000000', '-60000000000000'))).toEqual('details');
    expect(refusal(lines('60000000000000'), '100')).toEqual('details');
    expect(refusal(lines('60000000000000', '60000000000000', '-60000000000000'))).toBeNull();
  });

  test.each(['', '-1', '-0.001', '100.001', '1e2', 'NaN', '7%'])('a tax rate of %j is refused', (rate) => {
    expect(refusal(lines('1'), rate)).toEqual('taxRate');
  });

  test('an unknown currency is refused', () => {
    for (const code of ['usd', 'XAU', '']) expect(() => computeTotals(lines('1'), '0', code)).toThrow(RangeError);
  });
});

function smallDecimalText() {
  return decimalText.filter((text) => (text.split('.')[0] ?? '').length <= 11);
}

/** minor × rate / 100 in whole numbers of 1/100000, rounded independently of the product's code. */
function longHandPercentage(minor: bigint, rate: string): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  const hundredThousandths = minor * BigInt(whole + fraction.padEnd(3, '0'));
  const magnitude = String(hundredThousandths).replace('-', '').padStart(6, '0');
  const sign = hundredThousandths < 0n ? '-' : '';
  return longHandRound(`${sign}${magnitude.slice(0, -5)}.${magnitude.slice(-5)}`, 0);
}

function refusal(details: { amount: string }[], rate = '0'): string | null {
  try {
    computeTotals(details, rate, 'USD');
    return null;
  } catch (error) {
    if (error instanceof AmountError) return error.field;
    throw error;
  }
}

function lines(...amounts: string[]): { amount: string }[] {
  return amounts.map((amount) => ({ amount }));
}
