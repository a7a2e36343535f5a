import { isProductSource } from './folders.ts';
import { type Finding, findingAt, type Project, type Rule } from './project.ts';

const CODE = /\.(tsx?|mts|js|mjs)$/;
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

/**
 * The formatter wraps code; this holds comments, strings and new SQL. Dumps, tables and one old migration are long, and a catalogue has
 * each text in one string, however long it is.
 */
export const lineLengths = forbid({
  pattern: /^.{141,}$/gm,
  isIn: (path) =>
    /\.(tsx?|mts|js|mjs|css|html|sh|yml|yaml)$|^server\/migrations\/(?!0011_)/.test(path) &&
    !path.endsWith('.generated.ts') &&
    !/^dashboard\/src\/.*\/messages\//.test(path),
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

/** The glossary's words to avoid, by their rows there. A word with another meaning too is found beside what gives it the one to avoid. */
export const AVOIDED: Record<string, RegExp> = {
  'notice (of a gateway)':
    /\b(gateway|stripe|paypal)(['’]s)? notices?\b|\bnotices? (of|from) (a|the|each|every) gateway\b/,
  happening: /\bhappenings?\b/,
  'place (in code)': /\b(its|their|['’]s|the) place in (?!which)/,
  'look (at a gateway)': /\blook(s|ed|ing)? (at|into) (a|the|each|every) gateway\b(?!['’])/,
  'to tell (an endpoint)':
    /\b(tells?|told|telling) ((a|an|the|each|every|all|webhook) ){0,2}endpoints?\b|\bendpoints? (is|are|was|were) (never )?told\b/,
  tidy: /\btid(y|ies|ied|ying)\b/,
  'to bring on (runs)': /\b(brings?|bringing|brought) on\b/,
  'what became of': /\bwhat (became|becomes|has become) of\b/,
  'to give back (money)':
    /\bg(ive[ns]?|ave|iving) ((\w+ )?(money|amount|payment|capture)s? back|back (\w+ )?(money|amount|payment|capture)s?)\b/,
  'under way': /\bunder way\b/,
};
const AVOIDED_WORDS = new RegExp(
  Object.values(AVOIDED)
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

const findAvoidedWords = forbid({
  pattern: AVOIDED_WORDS,
  isIn: (path) => (CODE.test(path) || DOCUMENT.test(path)) && path !== GLOSSARY && !path.startsWith(RULES_FOLDER),
  message: `"$&" is a word to avoid: take the one that ${GLOSSARY} gives`,
});

/** The glossary's words to avoid. Migrations stay as they are. */
export const words: Rule = (project) => [...findAvoidedWords(project), ...compareWithGlossary(project)];

/** The rows of the glossary's table that `AVOIDED` lacks, and the other way round. */
function compareWithGlossary({ files }: Project): Finding[] {
  const glossary = files.find(({ path }) => path === GLOSSARY);
  const start = glossary?.text.indexOf('\n## Words to avoid\n') ?? -1;
  if (glossary === undefined || start === -1) return [];
  const rows = [...glossary.text.slice(start).matchAll(/^\| (?!Instead of )([^|]+?) \|/gm)];
  const listed = new Set(rows.map(({ 1: word = '' }) => word));
  return [
    ...rows
      .filter(({ 1: word = '' }) => AVOIDED[word] === undefined)
      .map(({ 1: word = '', index }) =>
        findingAt(
          glossary,
          start + index,
          `"${word}" is in no pattern of the rule words: add one to tools/check/texts.ts`,
        ),
      ),
    ...Object.keys(AVOIDED)
      .filter((word) => !listed.has(word))
      .map((word) => findingAt(glossary, start + 1, `the rule words avoids "${word}", which is not in the table`)),
  ];
}

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
