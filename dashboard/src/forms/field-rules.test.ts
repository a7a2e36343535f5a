import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkRange } from '../../../server/src/identity/api-keys/addresses.ts';
import { oneOfRule } from '../../../server/src/platform/http/schema/text-rules.ts';
import { ruleOf } from './field-rules.ts';

it('knows what the API says of a value, with what it repeats', () => {
  expect(ruleOf('must have at most 255 characters')).toEqual({ rule: 'tooLong', values: { limit: '255' } });
  expect(ruleOf(oneOfRule(['Card', 'paypal'])('cash')[0] ?? '')).toEqual({
    rule: 'oneOf',
    values: { values: 'Card, paypal' },
  });
  expect(ruleOf(checkRange('example.com')[0] ?? '')).toEqual({
    rule: 'addresses',
    values: { example: '192.0.2.0/24' },
  });
  expect(ruleOf('must be the id of a saved address')).toBeUndefined();
});

/** As the sources of the service have them; `3` and `USD` stand where they have a value. */
const TEXTS = [
  'is required',
  'must not be empty',
  'must have at least 3 characters',
  'must have at most 3 characters',
  'must have at most 3 items',
  'must be one of USD',
  'is taken',
  'must not contain a card number',
  'must be a valid e-mail address',
  'must be a URL that begins with https://',
  'must be a domain such as example.com',
  'must be an IP address, or a range such as 192.0.2.0/24',
  'must be an IANA time zone such as Europe/Berlin',
  'must be a hex colour such as #ff8800',
  'must be an ISO 4217 currency code in capitals',
  'must be a plain decimal such as 12.50',
  'must have no more decimals than USD has',
  'must be a percentage from 0 to 100 as a plain decimal, such as 19 or 7.7',
  'must be more than zero',
  'must be a whole number, not negative',
  'must be a date such as 2026-10-01, or a date-time with a zone',
  'must be in the future',
  'must have 3 or 4 digits',
];

it('has a rule for each text, which the service still sends', async () => {
  expect(TEXTS.filter((text) => ruleOf(text) === undefined)).toEqual([]);
  const folder = join(import.meta.dirname, '../../../server/src');
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.includes('.test'));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const sources = texts
    .join('\n')
    .replaceAll(/\$\{\w*[.]?limit\}/g, '3')
    .replaceAll(/\$\{[^}]*\}/g, 'USD');
  expect(TEXTS.filter((text) => !sources.includes(text))).toEqual([]);
});
