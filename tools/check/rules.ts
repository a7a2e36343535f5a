import { brokenTables, dependencyReasons, links, lockAddresses, machinePaths, recordLengths } from './documents.ts';
import { frozenMigrations } from './frozen-migrations.ts';
import { domainImports, domainOrder, folderCircles, importCycles, layers } from './imports.ts';
import { classes, leftovers } from './language.ts';
import { functionLengths, lineLengths } from './lengths.ts';
import { abbreviations } from './names.ts';
import type { Rule } from './project.ts';
import { sqlPlacement, tenantFirst } from './queries.ts';
import { docComments, routes } from './server.ts';
import { migrations, rooms } from './structure.ts';
import { FORBIDDEN_WORDS, forbiddenWords } from './words.ts';

/**
 * Every rule of the house, with the reason that is printed beside a finding. What a linter of anybody's finds is left to Biome, and what
 * nothing uses to Knip.
 */
export const RULES: Rule[] = [
  { name: 'rooms', find: rooms, reason: 'a reader takes in a folder at a glance' },
  { name: 'migrations', find: migrations, reason: 'migrations run once each, in the order of their numbers' },
  {
    name: 'frozen-migrations',
    find: frozenMigrations,
    reason: 'a database that was made by another text is refused at the start',
  },

  {
    name: 'domain-imports',
    find: domainImports,
    reason: 'a domain can change inside when others know only its services',
  },
  { name: 'domain-order', find: domainOrder, reason: 'dependencies between domains point one way' },
  { name: 'folder-circles', find: folderCircles, reason: 'folders in a circle cannot be understood one at a time' },
  { name: 'layers', find: layers, reason: 'what composes the service knows all of it, and nothing in it knows that' },
  { name: 'import-cycles', find: importCycles, reason: 'files in a cycle cannot be understood one at a time' },

  {
    name: 'sql-placement',
    find: sqlPlacement,
    reason: 'whoever reviews the queries finds all of them in *.queries.ts',
  },
  { name: 'tenant-first', find: tenantFirst, reason: 'a query without the company reads another company’s rows' },
  { name: 'routes', find: routes, reason: 'a route past the helper has no access, schema or limit' },
  { name: 'doc-comments', find: docComments, reason: 'what others call says its units, errors and source' },

  { name: 'classes', find: classes, reason: 'functions and plain values; only errors are classes' },
  { name: 'leftovers', find: leftovers, reason: 'work left over belongs in an issue' },

  { name: 'function-length', find: functionLengths, reason: 'a function fits on a screen' },
  { name: 'line-length', find: lineLengths, reason: 'a line can be read beside another' },

  { name: 'abbreviations', find: abbreviations, reason: 'names are full words from the field' },

  { name: 'links', find: links, reason: 'a broken link costs every reader' },
  { name: 'broken-tables', find: brokenTables, reason: 'such a row is shown as text full of bars' },
  { name: 'record-lengths', find: recordLengths, reason: 'a decision record gives its reasons on one page' },
  { name: 'dependency-reasons', find: dependencyReasons, reason: 'every dependency earns its place' },
  { name: 'machine-paths', find: machinePaths, reason: 'the path exists on no other machine' },
  { name: 'lock-addresses', find: lockAddresses, reason: 'an address ties every install to one registry' },
  { name: 'words', find: forbiddenWords(FORBIDDEN_WORDS), reason: 'the word stands in the table of words' },
];
