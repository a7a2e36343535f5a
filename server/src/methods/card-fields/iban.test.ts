import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkIban, ibanLength, plainIban } from './iban.ts';

const isAccepted = (iban: string) => checkIban(iban).length === 0;
/** One of each length and kind, from the IBAN Registry. */
const EXAMPLES = [
  'AD1200012030200359100100',
  'BE68539007547034',
  'CH9300762011623852957',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'LI21088100002324013AA',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
];

describe('iban: the length of its country in SEPA, and its check digits', () => {
  it.each(EXAMPLES)('accepts %s, as people type it too', (iban) => {
    expect(isAccepted(iban)).toBe(true);
    expect(ibanLength(iban.slice(0, 2))).toBe(iban.length);
    const typed = ` ${iban.toLowerCase().replace(/(.{4})/g, '$1 ')}`;
    expect(isAccepted(typed)).toBe(true);
    expect(plainIban(typed)).toBe(iban);
  });

  it('rejects one mistyped character, and two exchanged ones', () => {
    const example = fc.constantFrom(...EXAMPLES);
    fc.assert(
      fc.property(example, fc.nat(), fc.integer({ min: 1, max: 9 }), (iban, position, shift) => {
        const places = [...iban].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
        const place = places[position % places.length] ?? 2;
        const mistyped = (Number(iban[place]) + shift) % 10;
        expect(isAccepted(iban.slice(0, place) + mistyped + iban.slice(place + 1))).toBe(false);
        const next = 4 + (position % (iban.length - 5));
        const exchanged = iban.slice(0, next) + iban[next + 1] + iban[next] + iban.slice(next + 2);
        expect(isAccepted(exchanged)).toBe(exchanged === iban);
      }),
    );
  });

  it('rejects another length with right check digits, a country outside of SEPA, and what is no IBAN', () => {
    // Both have right check digits: of a German account with one digit less, and of a Brazilian one.
    for (const iban of ['DE5537040044053201300', 'BR1800360305000010009795493C1']) expect(isAccepted(iban)).toBe(false);
    for (const text of ['', 'DE', '4242424242424242', 'DE89370400440532013000\0', 'ＤＥ89370400440532013000']) {
      expect(isAccepted(text)).toBe(false);
    }
  });

  it('names the problem without repeating any part of the IBAN', () => {
    for (const iban of ['DE89370400440532013001', 'BR1800360305000010009795493C1', 'DE8937040044053201300012']) {
      for (const message of checkIban(iban))
        for (const part of iban.match(/.{4}/g) ?? []) expect(message).not.toContain(part);
    }
  });
});
