import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DOMAIN_ORDER } from './folders.ts';
import { TABLES } from './tables.ts';

describe('the owners of tables', () => {
  it('are domains, and each table of the database has one', async () => {
    const schema = await readFile(new URL('../../server/schema.sql', import.meta.url), 'utf8');
    const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table);
    expect(Object.values(TABLES).flat().sort()).toEqual(tables.sort());
    expect(DOMAIN_ORDER).toEqual(expect.arrayContaining(Object.keys(TABLES)));
  });
});
