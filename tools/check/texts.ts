import { isProductSource } from './folders.ts';
import { findingAt, type Rule } from './project.ts';

const CODE = /\.(ts|mts|js|mjs)$/;
const DOCUMENT = /\.md$/;
const LOCK = /(^|\/)package-lock\.json$/;
const GLOSSARY = 'docs/glossary.md';

/** These name what they forbid. */
const RULES_FOLDER = 'tools/check/';

type ForbiddenText = { pattern: RegExp; isIn: (path: string) => boolean; message: string };

/** No class but errors: functions and plain values. */
export const classes = forbid({
  pattern: /^(export )?(abstract )?class (?!\w+ extends [\w.]*Error\b)/gm,
  isIn: (path) => CODE.test(path),
  message: 'a class that is no error: write functions',
});

/** Work that is left over belongs in an issue, and types are checked in every file. */
export const leftovers = forbid({
  pattern: /\b(TODO|FIXME)\b|@ts-nocheck\b/g,
  isIn: (path) => !LOCK.test(path) && !path.startsWith(RULES_FOLDER),
  message: 'work that is left over: do it now, or open an issue and remove the note',
});

/** The formatter wraps code; this holds comments, strings and new SQL. Dumps, tables and one old migration are long. */
export const lineLengths = forbid({
  pattern: /^.{141,}$/gm,
  isIn: (path) =>
    /\.(ts|mts|js|mjs|css|html|sh|yml|yaml)$|^server\/migrations\/(?!0011_)/.test(path) &&
    !path.endsWith('.generated.ts'),
  message: 'a line of more than 140 characters: wrap it',
});

/** Paths that exist on one person's machine. */
export const machinePaths = forbid({
  pattern: /(?<![\w./:-])\/(work|root|home|Users)(?![\w'"-])/g,
  isIn: (path) => !LOCK.test(path),
  message: 'a path of one machine: write it relative to the root of the project',
});

/** The lock file has names, versions and hashes. Who installs chooses the registry. */
export const lockAddresses = forbid({
  pattern: /"resolved": *"(git\+)?https?:[\s\S]*"/g,
  isIn: (path) => LOCK.test(path),
  message: 'addresses of a registry: remove the lines "resolved"',
});

/** A table's first row is followed by a line of dashes. Without it, the rows are shown as text. */
export const brokenTables = forbid({
  pattern: /(?<!\|\n)^\|.*$(?!\n\|[ :|-]+\|$)/gm,
  isIn: (path) => DOCUMENT.test(path),
  message: 'a row outside of a table: remove the empty line above it, or add a line of dashes below it',
});

/** A decision record can be read at once. */
export const recordLengths = forbid({
  pattern: /^(.*\n){70}\s*\S/g,
  isIn: (path) => /^docs\/decisions\/\d{4}-/.test(path),
  message: 'a record of more than 70 lines: shorten it',
});

/** The glossary's words to avoid, as far as they have no other meaning. Migrations stay as they are. */
export const words = forbid({
  pattern: /\b(bring on|happenings?|tid(y|ies)|under way|what became of)\b/gi,
  isIn: (path) => (CODE.test(path) || DOCUMENT.test(path)) && path !== GLOSSARY && !path.startsWith(RULES_FOLDER),
  message: `"$&" is a word to avoid: take the one that ${GLOSSARY} gives`,
});

const METHOD = '(get|post|put|patch|delete|head|options|all|route)';

/** A route by the helper has access, schemas and limits, which its type demands. */
export const routes = forbid({
  pattern: new RegExp(
    `\\b((app|application|server|fastify|instance|router|scope)\\.${METHOD}\\(|\\w+\\.${METHOD}\\('/)`,
    'g',
  ),
  isIn: (path) => isProductSource(path) && !/^(packages|server\/src\/(platform\/http|gateways))\//.test(path),
  message: 'a route without access, schemas and limits: use route(app, { ... })',
});

/** Finds a pattern in the files that `isIn` accepts. `$&` in the message is what was found. */
function forbid({ pattern, isIn, message }: ForbiddenText): Rule {
  return ({ files }) =>
    files
      .filter(({ path }) => isIn(path))
      .flatMap((file) =>
        [...file.text.matchAll(pattern)].map(({ 0: found, index }) =>
          findingAt(file, index, message.replace('$&', found)),
        ),
      );
}
