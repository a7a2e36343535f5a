import { chmodSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../harness/database/database.ts';
import { refusalOf } from '../harness/in-process.ts';
import { endProcesses, makeDataDirectory } from '../harness/process.ts';

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await cloneDatabase();
  directory = dirname(makeDataDirectory());
  writeFileSync(join(directory, 'file'), '');
  symlinkSync(join(directory, 'missing', 'target'), join(directory, 'link'));
});
afterAll(async () => {
  await endProcesses();
  await database.drop();
});

// Security (Starting): An impossible data directory is refused at once, with a clear message
describe("a DATA_DIR that can't be a directory", () => {
  const cases: [string, string, RegExp][] = [
    ['a file', 'file', /is a file, not a directory\. Choose another DATA_DIR/],
    ['below a file', 'file/data', /a part of that path is a file/],
    ['a link to nowhere', 'link', /is a broken link/],
  ];
  if (process.platform === 'linux') cases.push(['in /proc', '/proc/paydesk', /accepts no directories/]);

  it.each(cases)('%s: the error says so, with the embedded and with another database', async (_name, path, words) => {
    const DATA_DIR = path.startsWith('/') ? path : join(directory, path);
    expect(await refusalOf({ DATA_DIR })).toMatch(words);
    expect(await refusalOf({ DATA_DIR, DATABASE_URL: database.url })).toMatch(words);
  });
});

// Security (Starting): A start does not change the permissions of a directory with other files
it('a DATA_DIR with other files is refused, and its mode stays unchanged', async () => {
  chmodSync(directory, 0o755);
  expect(await refusalOf({ DATA_DIR: directory })).toBe(
    `${directory} contains other files. A data directory must be empty or not exist yet. Choose another DATA_DIR.`,
  );
  expect(statSync(directory).mode & 0o777).toBe(0o755);
});
