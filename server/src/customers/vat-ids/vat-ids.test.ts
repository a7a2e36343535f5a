import { describe, expect, it } from 'vitest';
import { readVatId, shiftsTaxToBuyer } from './vat-ids.service.ts';

/** Valid numbers for each country, as its tax office writes examples. */
const GOOD: Record<string, string[]> = {
  AT: ['ATU12345678'],
  BE: ['BE0123456789', 'BE 1.234.567.890'],
  BG: ['BG123456789', 'BG1234567890'],
  CY: ['CY12345678X'],
  CZ: ['CZ12345678', 'CZ123456789', 'CZ1234567890'],
  DE: ['DE123456789', 'DE 123 456 789'],
  DK: ['DK12345678'],
  EE: ['EE123456789'],
  GR: ['EL123456789'],
  ES: ['ESX1234567X', 'ESA12345678', 'ES12345678Z'],
  FI: ['FI12345678'],
  FR: ['FR12345678901', 'FRX1234567890', 'FRXX123456789'],
  HR: ['HR12345678901'],
  HU: ['HU12345678'],
  IE: ['IE1234567WA', 'IE1234567F', 'IE1A12345F'],
  IT: ['IT12345678901'],
  LT: ['LT123456789', 'LT123456789012'],
  LU: ['LU12345678'],
  LV: ['LV12345678901'],
  MT: ['MT12345678'],
  NL: ['NL123456789B01'],
  PL: ['PL1234567890'],
  PT: ['PT123456789'],
  RO: ['RO12', 'RO1234567890'],
  SE: ['SE123456789001'],
  SI: ['SI12345678'],
  SK: ['SK1234567890'],
  GB: ['GB123456789', 'GB 987 6543 21', 'GB123456789012', 'GBGD123', 'GBHA567', 'XI123456789'],
  CH: ['CHE-123.456.789 MWST', 'CHE123456789'],
  NO: ['NO123456789', 'NO 123 456 789 MVA'],
};

describe('the form of a VAT number', () => {
  it.each(Object.entries(GOOD))(
    'of %s is good, with its letters or without, and bad with one digit more or less',
    (country, all) => {
      for (const text of all) {
        const read = readVatId(text, country);
        expect(read).toMatchObject({ country, form: 'good' });
        expect(readVatId(text, '')).toEqual(read);
        expect(readVatId(read?.number ?? '', country)).toEqual(read);
        const bare = text.slice(2);
        expect(readVatId(bare, country)).toMatchObject({ form: 'good' });
        expect(readVatId(`${text}123456789`, country)).toMatchObject({ form: 'bad' });
        expect(readVatId(text.slice(0, 3), country)).toMatchObject({ form: 'bad' });
      }
    },
  );

  it.each([
    ['-', 'DE', 'bad'],
    ['DE12345678', 'Germany', 'bad'],
    ['FR12345678901', 'Deutschland', 'bad'],
    ['DE123456789', 'France', 'bad'],
    ['FRDE123456789', 'France', 'good'],
    ['PL1234567890', 'United States', 'bad'],
    ['DE123456789', 'Alemania', 'good'],
    ['FR12345678901', 'MC', 'good'],
    ['12-3456789', 'US', 'unknown'],
    ['-', 'US', 'bad'],
    ['none', 'Brazil', 'bad'],
  ])('%j beside %j is %s', (text, country, form) => {
    expect(readVatId(text, country)?.form).toBe(form);
  });

  it.each([
    ['', 'DE'],
    [' ', ''],
    ['-', ''],
    ['12345', 'somewhere'],
  ])('%j beside %j is not a number', (text, country) => {
    expect(readVatId(text, country)).toBeNull();
  });
});

it.each([
  ['DE123456789', 'DE', '', true],
  ['DE123456789', 'DE', 'FR12345678901', true],
  ['DE123456789', 'DE', 'DE987654321', false],
  ['DE123456789', '', 'DE987654321', false],
  ['123456789', 'Germany', 'GB 987 6543 21', true],
  ['FR12345678901', 'DE', '', false],
  ['-', 'DE', '', false],
  ['-', '', '', false],
  ['x', 'US', '', false],
  ['12-3456789', 'US', 'DE987654321', true],
])('%j of a buyer in %j with a seller of %j removes the tax: %j', (taxId, country, sellerTaxId, frees) => {
  expect(shiftsTaxToBuyer(readVatId(taxId, country), sellerTaxId)).toBe(frees);
});
