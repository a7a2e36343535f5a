import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';

type Entry = { title: string; path: string; names: string; text: string };

const { rankEntries, wordsOf } = runInNewContext(
  `${readFileSync(new URL('./search.js', import.meta.url), 'utf8')}; globalThis.referenceSearch`,
) as { rankEntries: (entries: Entry[], words: string[]) => number[]; wordsOf: (query: string) => string[] };

function entry(title: string, path: string, names = '', text = ''): Entry {
  const entry = { title, path, names, text: `${title} ${path} ${names} ${text}` };
  return Object.fromEntries(Object.entries(entry).map(([part, value]) => [part, value.toLowerCase()])) as Entry;
}

const ENTRIES = [
  entry('Log in', 'POST /auth/local', 'email password', 'A refund is something else.'),
  entry('List payments', 'GET /operator/payments', 'refundedAmount'),
  entry('Prefunded credit', 'GET /operator/credits', '', 'refunds nothing'),
  entry('Refund a payment', 'POST /operator/payments/{paymentId}/refunds', 'amount reason payment_not_captured'),
];

const find = (query: string) => [...rankEntries(ENTRIES, wordsOf(query))].map((index) => ENTRIES[index]?.title);

describe('the search of the reference', () => {
  it('puts a title before a field, a field before a word within another, and that before the text', () => {
    expect(find('refund')).toEqual(['refund a payment', 'prefunded credit', 'list payments', 'log in']);
  });

  it('finds paths, fields and error codes as they are written, without case', () => {
    expect(find('/auth/local')).toEqual(['log in']);
    expect(find('payment_not_captured')).toEqual(['refund a payment']);
    expect(find('REFUNDEDamount')).toEqual(['list payments']);
  });

  it('finds what holds every word, in any order, and nothing where one is missing', () => {
    expect(find('payment refund')[0]).toBe('refund a payment');
    expect(find('  refund   log ')).toEqual(['log in']);
    expect(find('refund zebra')).toEqual([]);
    expect(find('(.*')).toEqual([]);
  });
});
