/** The part of an OpenAPI 3.1 document from which the client is generated. */
export type Document = {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: { summary: string; requestBody: { content: Content } } }>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, unknown> };
};

export type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; $ref?: string }>;
};

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
export type Content = Record<string, { schema: Schema }>;

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string | undefined;
  properties?: Record<string, Schema | boolean>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

/** An operation with its method and path. */
export type Operation = { method: string; path: string; described: Described };

/** Returns the operations that a client calls: all except the webhooks, which gateways sign and send, and those that redirect a browser. */
export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, described]) => ({ method, path, described })))
    .filter(({ path, described }) => !path.endsWith('/webhooks') && described.responses['302'] === undefined);
}

/** Returns the target of a `$ref`, and any other value itself. @throws Error if the document has no such target */
export function resolve<Value extends object>(value: Value | { $ref: string }, document: Document): Value {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value;
  const steps = value.$ref.split('/').slice(1);
  const found = steps.reduce<unknown>((from, step) => (from as Record<string, unknown> | undefined)?.[step], document);
  if (found === undefined) throw new Error(`${value.$ref} is not in the document.`);
  return resolve(found as Value | { $ref: string }, document);
}

/** Returns an operation's parameters with this `in`: `path`, `query` or `header`, without the one that the client sets itself. */
export function parametersIn(location: string, described: Described, document: Document): Parameter[] {
  return allParameters(described, document).filter((one) => one.in === location && one.name !== SESSION_PARAMETER);
}

/** Whether the refresh token of an operation may be in a cookie, which is an option of the client and not of each call. */
export function takesSession(described: Described, document: Document): boolean {
  return allParameters(described, document).some(({ name }) => name === SESSION_PARAMETER);
}

const SESSION_PARAMETER = 'session';

function allParameters({ parameters = [] }: Described, document: Document): Parameter[] {
  return parameters.map((parameter) => resolve<Parameter>(parameter, document));
}

/** Returns the first successful response. */
export function firstSuccessOf({ responses }: Described): { content?: Content } {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  if (success === undefined) throw new Error('An operation has no answer of success.');
  return success;
}

/** How the next page of a list is requested: by its number, by the cursor of the last answer, or not at all. */
export type Paging = 'page' | 'current_page' | 'cursor' | null;

/**
 * Returns what an operation lists and how; null if its answer is not a list. A list is an array, or an object with an array named `data`.
 */
export function listOf(described: Described, document: Document): { item: Schema; paging: Paging } | null {
  const answer = firstSuccessOf(described).content?.['application/json']?.schema;
  if (answer === undefined) return null;
  const schema = resolve<Schema>(answer, document);
  const { data: field } = schema.properties ?? {};
  const data = typeof field === 'object' ? resolve<Schema>(field, document) : schema;
  if (data.type !== 'array' || data.items === undefined) return null;
  const names = parametersIn('query', described, document).map(({ name }) => name);
  const paging = (['cursor', 'page', 'current_page'] as const).find((name) => names.includes(name)) ?? null;
  return { item: data.items, paging };
}
