import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withCheckDigit } from '../../../test/harness/card-numbers.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/harness/database/database.ts';
import { checkCardNumber, checkSecurityCode, fullYear, isExpired, plainCardNumber } from './card-number.ts';

const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((list) => list.join(''));
const cardNumber = digits(11, 18).map(withCheckDigit);
const isAccepted = (number: string) => checkCardNumber(number).length === 0;

describe('info.cardNumber: 12 to 19 digits, Luhn-valid', () => {
  it('accepts exactly one of the ten check digits for any 11 to 18 digits', () => {
    fc.assert(
      fc.property(digits(11, 18), (start) => {
        const accepted = Array.from({ length: 10 }, (_, digit) => `${start}${digit}`).filter(isAccepted);
        expect(accepted).toEqual([withCheckDigit(start)]);
      }),
    );
  });

  it('rejects a number with one mistyped digit', () => {
    fc.assert(
      fc.property(cardNumber, fc.nat(), fc.integer({ min: 1, max: 9 }), (number, position, shift) => {
        const index = position % number.length;
        const mistyped = (Number(number[index]) + shift) % 10;
        expect(isAccepted(`${number.slice(0, index)}${mistyped}${number.slice(index + 1)}`)).toBe(false);
      }),
    );
  });

  it('rejects a number with two adjacent digits exchanged, except 09 and 90, which Luhn can’t distinguish', () => {
    fc.assert(
      fc.property(cardNumber, fc.nat(), (number, position) => {
        const index = position % (number.length - 1);
        const pair = number.slice(index, index + 2);
        const exchanged = [...pair].reverse().join('');
        const isSame = pair === exchanged || pair === '09' || pair === '90';
        expect(isAccepted(number.slice(0, index) + exchanged + number.slice(index + 2))).toBe(isSame);
      }),
    );
  });

  it('ignores spaces and dashes anywhere', () => {
    const separated = fc.tuple(cardNumber, fc.array(fc.constantFrom('', ' ', '-', '  ', ' - '), { minLength: 20 }));
    fc.assert(
      fc.property(separated, ([number, separators]) => {
        const typed = [...number].map((digit, index) => `${separators[index] ?? ''}${digit}`).join('');
        expect(isAccepted(`${typed}${separators[19]}`)).toBe(true);
        expect(plainCardNumber(typed)).toBe(number);
      }),
    );
  });

  it('rejects fewer than 12 and more than 19 digits, even with a valid check digit', () => {
    const otherLength = fc.oneof(digits(0, 10), digits(19, 40)).map(withCheckDigit);
    fc.assert(
      fc.property(otherLength, (number) => {
        expect(isAccepted(number)).toBe(false);
      }),
    );
  });

  it('rejects any other character among the digits', () => {
    const stranger = fc.constantFrom('a', '.', '+', '_', '/', '*', 'x', '\0', '٤', '４', '²', '\u{1F4B3}');
    fc.assert(
      fc.property(cardNumber, fc.nat(), stranger, (number, position, character) => {
        const index = position % (number.length + 1);
        expect(isAccepted(`${number.slice(0, index)}${character}${number.slice(index)}`)).toBe(false);
      }),
    );
  });

  it('names the problem without repeating any part of the number', () => {
    fc.assert(
      fc.property(digits(3, 30), (number) => {
        for (const message of checkCardNumber(number)) expect(message).not.toContain(number.slice(0, 3));
      }),
    );
  });
});

describe('info.cvv: 3 or 4 digits', () => {
  it.each(['000', '123', '0000', '9876'])('accepts %s', (code) => expect(checkSecurityCode(code)).toEqual([]));

  it.each(['', '1', '12', '12345', '12a', ' 123', '123 ', '1 23', '-12', '1.2', '١٢٣', '１２３', '123\n'])(
    'rejects %j',
    (code) => expect(checkSecurityCode(code)).toEqual(['must have 3 or 4 digits']),
  );
});

describe('info.expYear and info.expMonth', () => {
  it('a year of two digits means 20xx, one of four digits itself', () => {
    for (let year = 0; year < 100; year += 1) expect(fullYear(year)).toBe(2_000 + year);
    for (let year = 2_000; year < 2_100; year += 1) expect(fullYear(year)).toBe(year);
  });

  it('a card is valid until the end of its month in UTC, to the last millisecond', () => {
    const month = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2_000, max: 2_099 }));
    fc.assert(
      fc.property(month, ([expMonth, expYear]) => {
        const [nextMonth, itsYear] = expMonth === 12 ? [1, expYear + 1] : [expMonth + 1, expYear];
        const over = Date.parse(`${itsYear}-${String(nextMonth).padStart(2, '0')}-01T00:00:00.000Z`);
        expect(isExpired(expMonth, expYear, new Date(over - 1))).toBe(false);
        expect(isExpired(expMonth, expYear, new Date(over))).toBe(true);
      }),
    );
  });

  it('a card is expired exactly if the current month in UTC is after its own', () => {
    const instant = fc.date({ min: new Date('1999-12-31Z'), max: new Date('2101-01-01Z'), noInvalidDate: true });
    const month = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2_000, max: 2_099 }));
    fc.assert(
      fc.property(month, instant, ([expMonth, expYear], now) => {
        const months = now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
        expect(isExpired(expMonth, expYear, now)).toBe(months > expYear * 12 + expMonth);
      }),
    );
  });
});

describe('masking: first four digits, an asterisk for each hidden one, last four', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(async () => database.drop());

  it('keeps only the length and the ends of 1,000 numbers', async () => {
    const numbers = fc.sample(cardNumber, 1_000);
    const rows = await database.db<{ masked: string }[]>`
      SELECT mask_card_number(left(number, 4), right(number, 4), length(number)) AS masked
      FROM jsonb_array_elements_text(${JSON.stringify(numbers)}::text::jsonb) WITH ORDINALITY AS given (number, place)
      ORDER BY place`;
    const model = (number: string) => [...number].map((digit, index) => (isVisible(number, index) ? digit : '*'));
    expect(rows.map(({ masked }) => masked)).toEqual(numbers.map((number) => model(number).join('')));
  });
});

function isVisible(number: string, index: number): boolean {
  return index < 4 || index >= number.length - 4;
}
