import { expect, test } from 'vitest';
import { currencyCodes, isCurrency, minorUnitDigits } from './currencies.ts';

/** The differences between the table and ICU, which follows CLDR: ICU keeps withdrawn codes, omits funds, and counts cash digits. */
const NOT_IN_ICU = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAD';
const NOT_FOR_BILLING = { withdrawn: 'ANG BGN CUC HRK SLL ZWL', withoutMinorUnit: 'XDR XSU' };
const TWO_DIGITS_WHERE_ICU_HAS_NONE = 'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER';
const THREE_DIGITS_WHERE_ICU_HAS_NONE = 'IQD';

const icuCodes = new Set(Intl.supportedValuesOf('currency'));

test('the table is ISO 4217: it differs from ICU only where the reason is known', () => {
  const ours = new Set(currencyCodes);
  expect([...ours.difference(icuCodes)]).toEqual(words(NOT_IN_ICU));
  expect([...icuCodes.difference(ours)].sort()).toEqual(words(Object.values(NOT_FOR_BILLING).join(' ')).sort());
});

test('minor units are those of ISO 4217, even where ICU counts the coins in use', () => {
  const different = currencyCodes
    .filter((code) => icuCodes.has(code) && icuDigits(code) !== minorUnitDigits(code))
    .map((code) => `${code} ${minorUnitDigits(code)}, ICU ${icuDigits(code)}`);
  const known = [
    ...words(TWO_DIGITS_WHERE_ICU_HAS_NONE).map((code) => `${code} 2, ICU 0`),
    ...words(THREE_DIGITS_WHERE_ICU_HAS_NONE).map((code) => `${code} 3, ICU 0`),
  ];
  expect(different).toEqual(known.sort());
});

test.each([
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [2, 'AUD CHF EUR GBP USD XCG ZWG'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
])('a minor unit of %i digits: %s', (digits, codes) => {
  expect(words(codes).map(minorUnitDigits)).toEqual(words(codes).map(() => digits));
});

test('there are 165 different codes, all of three capital letters', () => {
  expect(currencyCodes).toHaveLength(165);
  expect(new Set(currencyCodes).size).toBe(165);
  expect(currencyCodes.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
});

test.each(['usd', 'Usd', ' USD', 'USD ', '', 'US', 'XAU', 'XTS', 'XXX', 'XDR', 'HRK', 'constructor', '__proto__'])(
  '%j is not a currency',
  (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(() => minorUnitDigits(code)).toThrow(RangeError);
  },
);

function words(text: string): string[] {
  return text.split(' ');
}

function icuDigits(currency: string): number | undefined {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
}
