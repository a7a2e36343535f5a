import {
  type Described,
  type Document,
  firstSuccessOf,
  listOf,
  type Operation,
  parametersIn,
  resolve,
  type Schema,
  takesSession,
} from './document.ts';
import { nameOperations, toName } from './names.ts';
import { comment, keyOf, typeOf } from './types.ts';

/** Files of the client, by their name in packages/client/src/calls. */
export type ClientFiles = Record<'api.generated.ts' | 'operations.generated.ts', string>;

const HEAD = '// Made from docs/openapi.json by `npm run openapi`. Not edited by hand.\n\n';

/**
 * Generates the client's knowledge of the API: the types of everything that is sent, and how each operation is called.
 */
export function generateClient(document: Document): ClientFiles {
  const operations = nameOperations(document);
  return {
    'api.generated.ts': HEAD + describeApi(operations, document),
    'operations.generated.ts': HEAD + describeOperations(operations, document),
  };
}

function describeApi(operations: Map<string, Operation>, document: Document): string {
  const { Error: _ofRefusals, ...components } = document.components.schemas;
  if (components.ErrorCode === undefined) throw new Error('The document does not name the error codes ErrorCode.');
  const schemas = Object.entries(components).map(([name, schema]) => {
    return `${comment(schema.description, '')}export type ${name} = ${typeOf(schema)};\n`;
  });
  const bodies = [...operations].flatMap(([name, { described }]) => aliasesOf(name, described, document));
  return [
    "import type { List, RequestOptions } from './types.ts';\n",
    ...schemas,
    ...bodies,
    webhookEvents(document),
    `/** Every operation of the API. */\nexport type Api = ${tree(operations, document)};\n`,
  ].join('\n');
}

function webhookEvents({ webhooks }: Document): string {
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = Object.values(post.requestBody.content)[0]?.schema ?? {};
    return `${comment(post.summary, '  ')}  ${keyOf(type)}: ${typeOf(schema, '  ')};\n`;
  });
  return [
    `/** What is sent to webhook endpoints, by its type. */\nexport type WebhookEvents = {\n${events.join('')}};\n`,
    'export type WebhookEvent = WebhookEvents[keyof WebhookEvents];\n',
  ].join('\n');
}

/** Declares names for the body, the query and the answer of an operation that are not named in the components. */
function aliasesOf(name: string, described: Described, document: Document): string[] {
  const prefix = aliasPrefix(name);
  const body = bodyType(described);
  const query = queryType(described, document);
  const list = listOf(described, document);
  const answer = list === null ? answerType(described) : listAnswerType(described);
  const types = {
    Body: body,
    Query: query,
    [list === null ? 'Answer' : 'Page']: answer,
    Item: list && typeOf(list.item),
  };
  return Object.entries(types).flatMap(([suffix, type]) => {
    return type === null || isNamed(type) ? [] : [`export type ${prefix}${suffix} = ${type};\n`];
  });
}

/** Returns the name of a type, or its alias. */
function named(type: string, alias: string): string {
  return isNamed(type) ? type : alias;
}

function isNamed(type: string): boolean {
  return /^[A-Za-z]\w*(<\w+>)?(\[\])?$/.test(type);
}

function aliasPrefix(name: string): string {
  return name
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** The union over all media types. */
function bodyType({ requestBody }: Described): string | null {
  if (requestBody === undefined) return null;
  const types = new Set(Object.values(requestBody.content).map(({ schema }) => typeOf(schema)));
  return [...types].join(' | ');
}

function queryType(described: Described, document: Document): string | null {
  const parameters = parametersIn('query', described, document);
  if (parameters.length === 0) return null;
  const fields = parameters.map(({ name, required = false, description, schema }) => {
    return `${comment(description, '  ')}  ${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema, '  ')};\n`;
  });
  return `{\n${fields.join('')}}`;
}

/** The union over all successful responses: bytes, text, JSON, or nothing. */
function answerType({ responses }: Described): string {
  const contents = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = contents.flatMap(([, { content }]) => {
    const [media] = Object.entries(content ?? {});
    return media === undefined ? ['void'] : [mediaTypeOf(media[0], media[1].schema)];
  });
  return [...new Set(types)].join(' | ');
}

function mediaTypeOf(type: string, schema: Schema): string {
  if (type.includes('json')) return typeOf(schema);
  return type.startsWith('text/') ? 'string' : 'Uint8Array<ArrayBuffer>';
}

function listAnswerType(described: Described): string {
  const schema = firstSuccessOf(described).content?.['application/json']?.schema;
  return schema === undefined ? 'never' : typeOf(schema);
}

/** Generates a type with the methods by resource. */
function tree(operations: Map<string, Operation>, document: Document): string {
  const root: Branch = new Map();
  for (const [name, operation] of operations) {
    const resources = name.split('.');
    const method = resources.pop() ?? '';
    const branch = resources.reduce(descend, root);
    if (branch.has(method)) throw new Error(`${name} is both a method and a resource.`);
    branch.set(method, signature(name, operation, document));
  }
  return writeBranch(root, '');
}

type Branch = Map<string, Branch | Signature>;
type Signature = { comment: string; type: string };

function descend(branch: Branch, name: string): Branch {
  const inner = branch.get(name) ?? new Map();
  if (!(inner instanceof Map)) throw new Error(`${name} is both a method and a resource.`);
  branch.set(name, inner);
  return inner;
}

function writeBranch(branch: Branch, indent: string): string {
  const inner = `${indent}  `;
  const members = [...branch].map(([name, member]) => {
    if (member instanceof Map) return `${inner}${name}: ${writeBranch(member, inner)};\n`;
    return `${comment(member.comment, inner)}${inner}${name}${member.type};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

function signature(name: string, { method, path, described }: Operation, document: Document): Signature {
  const prefix = aliasPrefix(name);
  const body = bodyType(described);
  const query = queryType(described, document);
  const list = listOf(described, document);
  const isQueryNeeded = parametersIn('query', described, document).some(({ required }) => required === true);
  const parameters = [
    ...idsIn(path).map((id) => `${id}: string`),
    ...(body === null ? [] : [`body: ${named(body, `${prefix}Body`)}`]),
    ...(query === null ? [] : [`query${isQueryNeeded ? '' : '?'}: ${named(query, `${prefix}Query`)}`]),
    'options?: RequestOptions',
  ];
  const answer =
    list === null
      ? `Promise<${named(answerType(described), `${prefix}Answer`)}>`
      : `List<${named(typeOf(list.item), `${prefix}Item`)}, ${named(listAnswerType(described), `${prefix}Page`)}>`;
  const text = [`${described.summary}: \`${method.toUpperCase()} ${path}\``, described.description];
  return { comment: text.filter(Boolean).join('\n\n'), type: `(${parameters.join(', ')}): ${answer}` };
}

function idsIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => toName(name));
}

function describeOperations(operations: Map<string, Operation>, document: Document): string {
  const rows = [...operations].map(([name, operation]) => {
    return `  '${name}': ${JSON.stringify(rowOf(operation, document))},\n`;
  });
  return `import type { Operation } from './types.ts';

/** How each operation is sent, by its name in the client. */
export const OPERATIONS: Record<string, Operation> = {
${rows.join('')}};
`;
}

/** Returns what a client needs to send an operation, without the defaults. */
function rowOf({ method, path, described }: Operation, document: Document): object {
  const scheme = Object.keys(described.security[0] ?? {})[0];
  const list = listOf(described, document);
  const bodies = Object.entries(described.requestBody?.content ?? {});
  const batch = bodies.find(([, { schema }]) => resolve<Schema>(schema, document).type === 'array');
  const [media] = Object.keys(firstSuccessOf(described).content ?? {});
  return {
    method: method.toUpperCase(),
    path,
    ...(scheme === undefined ? {} : { credential: scheme }),
    ...(parametersIn('header', described, document).some(({ name }) => name === 'Idempotency-Key') && {
      takesKey: true,
    }),
    ...(bodies.length > 0 && { takesBody: true }),
    ...(bodies.length > 1 && batch !== undefined && { batchMediaType: batch[0] }),
    ...(parametersIn('query', described, document).length > 0 && { takesQuery: true }),
    ...(takesSession(described, document) && { takesSession: true }),
    ...(list !== null && { list: list.paging ?? 'whole' }),
    ...(media !== undefined && !media.includes('json') && { answer: media.startsWith('text/') ? 'text' : 'bytes' }),
  };
}
