import { areaOf, baseName } from './folders.ts';
import type { Finding, Project, SourceFile } from './project.ts';

const KINDS = '(?:schema|routes|service|queries|jobs|test|contract)';

/** A feature's folder holds its own files alone: `cards.schema.ts`, `cards.finalize.ts`, `cards.refunds.queries.ts`. */
export function featureFiles({ files }: Project): Finding[] {
  return files.flatMap((file) => {
    const area = areaOf(file.path);
    if (area.kind !== 'feature') return [];
    const message = misplaced(file.path, area.feature);
    return message === undefined ? [] : [{ path: file.path, line: 1, message }];
  });
}

function misplaced(path: string, feature: string): string | undefined {
  const rest = path.slice(`server/src/${feature}/`.length);
  if (rest.includes('/')) return 'a feature has no folders inside its own';
  // The feature's entry on the list of features.
  if (rest === `${feature}.ts`) return undefined;
  const isKnown = new RegExp(`^${feature}(\\.[a-z][a-z0-9-]*)?\\.${KINDS}\\.ts$`).test(rest);
  const isVerb = new RegExp(`^${feature}\\.[a-z][a-z0-9-]*\\.ts$`).test(rest);
  if (isKnown || isVerb) return undefined;
  return `expected ${feature}.ts or ${feature}.<schema|routes|service|queries|jobs|a verb>.ts, .test.ts or .contract.ts`;
}

/** Migrations are named NNNN_name.sql and numbered from 0001 without a gap or a repetition. */
export function migrations({ files }: Project): Finding[] {
  const folder = 'server/migrations/';
  const inFolder = files.filter(
    (file) => file.path.startsWith(folder) && !/\/(schema\.sql|README\.md|SHA256SUMS)$/.test(file.path),
  );
  const misnamed = inFolder.filter((file) => !isMigration(file));
  const numbered = inFolder.filter(isMigration).sort((left, right) => (left.path < right.path ? -1 : 1));
  return [
    ...misnamed.map(({ path }) => ({ path, line: 1, message: 'expected a name like 0001_accounts.sql' })),
    ...numbered.flatMap(({ path }, index) => {
      const expected = String(index + 1).padStart(4, '0');
      if (baseName(path).startsWith(`${expected}_`)) return [];
      return [{ path, line: 1, message: `expected the number ${expected} here` }];
    }),
  ];
}

/** Whether the name is one that `migrate` runs. */
export function isMigration(file: SourceFile): boolean {
  return /^server\/migrations\/\d{4}_[a-z0-9_]+\.sql$/.test(file.path);
}
