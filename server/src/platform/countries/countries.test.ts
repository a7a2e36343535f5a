import { expect, it } from 'vitest';
import { nameCountry } from './countries.service.ts';

it.each([
  ['DE', 'Germany'],
  ['gb', 'United Kingdom'],
  ['UK', 'United Kingdom'],
  ['EL', 'Greece'],
  ['Deutschland', 'Deutschland'],
  ['XX', 'XX'],
  ['', ''],
])('%j is written as %j', (written, name) => {
  expect(nameCountry(written)).toBe(name);
});
