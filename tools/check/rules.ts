import { dependencyReasons, links } from './documents.ts';
import type { SourceFile } from './files.ts';
import { docComments } from './functions.ts';
import { circles, direction } from './imports.ts';
import { abbreviations } from './names.ts';
import { parseProject, type Rule } from './project.ts';
import { sqlPlacement, tableOwners, tenantFirst } from './queries.ts';
import { migrations, rooms } from './structure.ts';
import { brokenTables, classes, leftovers, lineLengths, lockAddresses, machinePaths, routes, words } from './texts.ts';

/** The rules that only this project knows. General ones are Biome's, and Knip finds what nothing uses. */
export const RULES: Record<string, Rule> = {
  rooms,
  migrations,
  direction,
  circles,
  'sql-placement': sqlPlacement,
  'tenant-first': tenantFirst,
  'table-owners': tableOwners,
  routes,
  'doc-comments': docComments,
  classes,
  abbreviations,
  words,
  leftovers,
  'line-length': lineLengths,
  links,
  'broken-tables': brokenTables,
  'dependency-reasons': dependencyReasons,
  'machine-paths': machinePaths,
  'lock-addresses': lockAddresses,
};

/** What the rules find in the files, as `path:line rule message`, ordered by path and line. */
export function check(files: SourceFile[]): string[] {
  const project = parseProject(files);
  const findings = Object.entries(RULES).flatMap(([rule, find]) =>
    find(project).map((finding) => ({ ...finding, rule })),
  );
  return findings
    .sort((left, right) => left.path.localeCompare(right.path) || left.line - right.line)
    .map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`);
}
