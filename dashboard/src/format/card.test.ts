import { expect, it } from 'vitest';
import { brandOf, cardName, groupCardNumber, hasExpired, readExpiry, writeExpiry } from './card.ts';

it('a saved card is named by its brand and its end', () => {
  expect(cardName({ brand: 'visa', cardNumber: '4242********4242' })).toBe('Visa •••• 4242');
});

it.each([
  ['4242424242424242', '4242 4242 4242 4242', 'Visa'],
  ['4242 4', '4242 4', 'Visa'],
  ['378282246310005', '3782 822463 10005', 'American Express'],
  ['55555', '5555 5', 'Mastercard'],
])('%s is grouped as it stands on the card', (typed, grouped, brand) => {
  expect(groupCardNumber(typed)).toBe(grouped);
  expect(brandOf(typed)).toBe(brand);
});

it.each([
  ['1', '', '1'],
  ['12', '1', '12 /'],
  ['4', '', '04 /'],
  ['12 /4', '12 /', '12 / 4'],
  ['1240', '', '12 / 40'],
  ['12 ', '12 /', '12'],
])('typing %j after %j shows %j', (typed, before, shown) => {
  expect(writeExpiry(typed, before)).toBe(shown);
});

it('an expiry date is a month of a year', () => {
  expect(readExpiry('12 / 40')).toEqual({ expMonth: 12, expYear: 2040 });
  expect(readExpiry('13 / 40')).toBeNull();
  expect(readExpiry('12 / 4')).toBeNull();
});

it('a card is good until its last month is over', () => {
  const card = { expMonth: 12, expYear: 2030 };
  expect(hasExpired(card, Date.parse('2030-12-31T23:59:59Z'))).toBe(false);
  expect(hasExpired(card, Date.parse('2031-01-01T00:00:00Z'))).toBe(true);
});
