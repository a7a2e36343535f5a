import { deadExports, deadFiles } from './dead.ts';
import { brokenTables, dependencyReasons, links, lockAddresses, machinePaths, recordLengths } from './documents.ts';
import { frozenMigrations } from './frozen-migrations.ts';
import { domainImports, domainOrder, folderCircles, importCycles, layers } from './imports.ts';
import {
  anyTypes,
  barrels,
  classes,
  defaultExports,
  enums,
  leftovers,
  skippedTests,
  syntax,
  typeSilencers,
} from './language.ts';
import { fileLengths, functionLengths, lineLengths } from './lengths.ts';
import { abbreviations } from './names.ts';
import type { Rule } from './project.ts';
import { sqlPlacement, tenantFirst } from './queries.ts';
import { consoleCalls, docComments, environment, routes } from './server.ts';
import { migrations, rooms } from './structure.ts';
import { FORBIDDEN_WORDS, forbiddenWords } from './words.ts';

/** Every rule of the house, with the reason that is printed beside a finding. */
export const RULES: Rule[] = [
  { name: 'syntax', find: syntax, reason: 'what cannot be parsed cannot be checked' },

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
  { name: 'environment', find: environment, reason: 'settings are checked once, at the start' },
  { name: 'console', find: consoleCalls, reason: 'only the logger redacts' },
  { name: 'routes', find: routes, reason: 'a route without access or response schema leaks' },
  { name: 'doc-comments', find: docComments, reason: 'what others call says its units, errors and source' },

  { name: 'barrels', find: barrels, reason: 'an import names the file that holds the thing' },
  { name: 'default-exports', find: defaultExports, reason: 'a thing has the same name everywhere' },
  { name: 'enums', find: enums, reason: 'Node strips types and generates nothing' },
  { name: 'classes', find: classes, reason: 'functions and plain values; only errors are classes' },
  { name: 'any', find: anyTypes, reason: 'any switches the type checker off for all that it touches' },
  { name: 'type-silencers', find: typeSilencers, reason: 'a silenced error hides the next one' },
  { name: 'leftovers', find: leftovers, reason: 'work left over belongs in an issue' },
  { name: 'skipped-tests', find: skippedTests, reason: 'a test that does not run proves nothing' },

  { name: 'function-length', find: functionLengths, reason: 'a function fits on a screen' },
  { name: 'file-length', find: fileLengths, reason: 'a file that nobody splits keeps growing' },
  { name: 'line-length', find: lineLengths, reason: 'a line can be read beside another' },

  { name: 'dead-files', find: deadFiles, reason: 'code that nothing runs is read and kept for nothing' },
  { name: 'dead-exports', find: deadExports, reason: 'an export promises a use' },
  { name: 'abbreviations', find: abbreviations, reason: 'names are full words from the field' },

  { name: 'links', find: links, reason: 'a broken link costs every reader' },
  { name: 'broken-tables', find: brokenTables, reason: 'such a row is shown as text full of bars' },
  { name: 'record-lengths', find: recordLengths, reason: 'a decision record gives its reasons on one page' },
  { name: 'dependency-reasons', find: dependencyReasons, reason: 'every dependency earns its place' },
  { name: 'machine-paths', find: machinePaths, reason: 'the path exists on no other machine' },
  { name: 'lock-addresses', find: lockAddresses, reason: 'an address ties every install to one registry' },
  { name: 'words', find: forbiddenWords(FORBIDDEN_WORDS), reason: 'the word stands in the table of words' },
];
