import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exampleOf } from '../../../src/platform/http/openapi/openapi-schema.ts';
import type { Operation } from '../../../src/platform/http/route/operation.ts';
import type { RouteCases } from '../battery.ts';
import { type FieldSchema, fieldsOf, typesOf } from '../body-fields.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** What a case tells by itself, as it is written in its file: a line each. */
type Lines = string[];

/**
 * What the cases lack of what the routes demand: for each route that lacks something, where it belongs and the lines to paste. A route
 * without a case lacks all of it.
 */
export function findLacks(operations: readonly Operation[], cases: RouteCases): string[] {
  const lacking = operations.flatMap((operation) => {
    const route = `${operation.method} ${operation.url}`;
    const entry = cases[route];
    if (entry === undefined) return [{ operation, lines: wholeCase(operation) }];
    const { parameters = {}, limit, longTexts = {}, within } = entry;
    const names = Object.keys(propertiesOf(operation.query)).filter((name) => !(name in parameters));
    const texts = longTextsOf(operation).filter(([name, length]) => longTexts[name] !== length);
    const idCount = operation.url.match(/:\w+/g)?.length ?? 0;
    const lines = [
      ...(names.length > 0 || (operation.query !== undefined && entry.parameters === undefined)
        ? parameterLines(names)
        : []),
      ...(needsLimit(operation) && limit === undefined ? [LIMIT_LINE] : []),
      ...(texts.length > 0 ? [longTextLine(texts)] : []),
      ...(idCount > 1 && within === undefined ? [WITHIN_LINE] : []),
    ];
    return lines.length === 0 ? [] : [{ operation, lines: [`'${route}': {`, ...lines.map(indent), '},'] }];
  });
  const byFile = Map.groupBy(lacking, ({ operation }) => fileOf(operation));
  return [...byFile].map(([file, routes]) =>
    describeFile(
      file,
      routes.flatMap(({ lines }) => lines),
    ),
  );
}

/** What the cases have that no route has: a case without a route, a parameter, a limit or a long text that there is not. */
export function findSurplus(operations: readonly Operation[], cases: RouteCases): string[] {
  return Object.entries(cases).flatMap(([route, { parameters = {}, limit, longTexts = {} }]) => {
    const operation = operations.find(({ method, url }) => `${method} ${url}` === route);
    if (operation === undefined) return [`${route} has a case, but there is no such route`];
    const query = propertiesOf(operation.query);
    const texts = Object.fromEntries(longTextsOf(operation));
    return [
      ...Object.keys(parameters).flatMap((name) => (name in query ? [] : [`${route} takes no parameter ${name}`])),
      ...(limit !== undefined && !needsLimit(operation) ? [`${route} never answers limit_reached`] : []),
      ...(limit !== undefined && 'testedIn' in limit && !existsSync(join(ROOT, limit.testedIn))
        ? [`${route}: there is no file ${limit.testedIn}`]
        : []),
      ...Object.keys(longTexts).flatMap((name) => (name in texts ? [] : [`${route} has no long text ${name}`])),
    ];
  });
}

const LIMIT_LINE = "limit: { table: '…', most: 1_000 },";
const WITHIN_LINE = 'within: ({ admin }) => [admin.companyId],';
const indent = (line: string) => `  ${line}`;

const needsLimit = ({ errors }: Operation) => errors.includes('limit_reached');

function propertiesOf(schema: object | undefined): Record<string, object> {
  return (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {};
}

/** The texts of a body that may have more than 255 characters, and no rule of their own. The body's size bounds the longest. */
function longTextsOf({ body = {} as NonNullable<Operation['body']> }: Operation): [name: string, length: number][] {
  return fieldsOf(body as FieldSchema).flatMap(({ name, schema }) => {
    const { maxLength = 0 } = schema;
    const isLong =
      typesOf(schema).includes('string') && maxLength > 256 && maxLength < 100_000 && !('x-rule' in schema);
    return isLong ? [[name.replaceAll('[0]', '[]'), maxLength] as [string, number]] : [];
  });
}

function longTextLine(texts: [name: string, length: number][]): string {
  const fields = texts.map(([name, length]) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ${length}`);
  return `longTexts: { ${fields.join(', ')} },`;
}

function parameterLines(names: string[]): Lines {
  const isPaged = names.includes('page') && names.includes('perPage');
  const others = names.filter((name) => !isPaged || !['page', 'perPage'].includes(name));
  const lines = [
    ...(isPaged ? ['...PAGES,'] : []),
    ...others.map((name) => `${name}: { takes: ['…'], refuses: ['', 'x'] },`),
  ];
  return lines.length === 1 && isPaged ? ['parameters: PAGES,'] : ['parameters: {', ...lines.map(indent), '},'];
}

function wholeCase(operation: Operation): Lines {
  const { method, url, access, body, query } = operation;
  const ids = url.match(/:\w+/g) ?? [];
  const lines = [
    `access: '${access}',`,
    ...(body === undefined ? [] : [`body: () => (${JSON.stringify(exampleOf(body as never))}),`]),
    ...(operation.resource === undefined ? [] : [`names: ${namedBy(ids.at(-1) ?? '')},`]),
    ...(ids.length > 1 ? [WITHIN_LINE] : []),
    ...(query === undefined ? [] : parameterLines(Object.keys(propertiesOf(query)))),
    ...(needsLimit(operation) ? [LIMIT_LINE] : []),
    ...(longTextsOf(operation).length > 0 ? [longTextLine(longTextsOf(operation))] : []),
  ];
  return [`'${method} ${url}': {`, ...lines.map(indent), '},'];
}

/** `:note_id` is named by the constant NOTE. */
const namedBy = (id: string) => id.slice(1).replace(/_id$/, '').toUpperCase();

/** The file of cases in the folder of the file that declares the operation. */
function fileOf({ operationId }: Operation): string | undefined {
  const sources = globSync('server/src/**/*.routes.ts', { cwd: ROOT });
  const declaring = sources.find((path) => readFileSync(join(ROOT, path), 'utf8').includes(`'${operationId}'`));
  if (declaring === undefined) return undefined;
  const folder = dirname(declaring);
  const [existing] = globSync(`${folder}/*.test-cases.ts`, { cwd: ROOT });
  return existing ?? `${folder}/${basename(folder)}.test-cases.ts`;
}

function describeFile(file: string | undefined, lines: Lines): string {
  if (file === undefined) return `the case file beside the routes lacks:\n\n${lines.map(indent).join('\n')}`;
  if (existsSync(join(ROOT, file))) return `${file} lacks:\n\n${lines.map(indent).join('\n')}`;
  return `${file} is missing:\n\n${[...headOf(file, lines), ...lines.map(indent), '};'].join('\n')}`;
}

/** The beginning of a new file with these lines. */
function headOf(file: string, lines: Lines): Lines {
  const text = lines.join('\n');
  const tests = relative(dirname(file), 'server/test/battery');
  const constants = [...new Set([...text.matchAll(/names: (\w+),/g)].map(([, name = '']) => name))];
  const own = constants.filter((name) => name !== 'COMPANY');
  return [
    `import type { ${own.length > 0 ? 'Named, ' : ''}RouteCases } from '${tests}/battery.ts';`,
    ...(constants.includes('COMPANY') ? [`import { COMPANY } from '${tests}/cases/named.ts';`] : []),
    ...(text.includes('PAGES') ? [`import { PAGES } from '${tests}/cases/query-values.ts';`] : []),
    '',
    ...own.flatMap((name) => [
      `/** A new one of the actor. */`,
      `const ${name}: Named = { table: '${name.toLowerCase()}s', make: async (service, actor) => '…' };`,
      '',
    ]),
    'export const CASES: RouteCases = {',
  ];
}
