import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findJournalFolder } from './journal-folder.ts';

it('a line of a journal ends with a line feed only, and one that a crash cut off is left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const lines = ['{"organization":"One\u2028Two\u2029Three\rFour"}', '{"check":"2026-10-01T00:00:00.000Z"}'];
  await writeFile(join(folder, 'journal.json'), '{"id":"one"}');
  await writeFile(join(folder, '1.ndjson'), `${lines.join('\n')}\n{"cut":"of`);
  const journal = await findJournalFolder(folder);
  expect(journal.id).toBe('one');
  const read: object[] = [];
  for await (const line of journal.lines()) read.push(line);
  const path = join(folder, '1.ndjson');
  expect(read).toEqual(lines.map((text, index) => ({ path, number: index + 1, text })));
});

it('in a folder that another machine wrote, a line without an end counts as damaged, and folders are left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'journal.json'), '{"id":"one"}');
  await writeFile(join(folder, '1.ndjson'), `${'0'.repeat(9 * 1024 * 1024)}\n{"second":2}\n`);
  execFileSync('/usr/bin/mkfifo', [join(folder, '2.ndjson')]);
  const read: string[] = [];
  for await (const { text } of (await findJournalFolder(folder)).lines()) read.push(text);
  expect(read).toEqual(['', '{"second":2}']);
});
