import type { TextRule } from '../schema/text-rules.ts';
import type { Components, Json } from './openapi-components.ts';

export const EXAMPLE_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';

/** No text of a request may hold U+0000. */
const NO_NULL_CHARACTER = '^[^\\u0000]*$';
const NOT_BLANK = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

const ANY_VALUE_REFERENCE = { $ref: '#/components/schemas/AnyValue' };
const STORABLE_NAMES = { propertyNames: { pattern: NO_NULL_CHARACTER } };

/** What may stand where a request takes whatever the client sends. */
export const ANY_VALUE: Json = {
  description: 'Any JSON value, except texts and names that contain U+0000.',
  type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
  pattern: NO_NULL_CHARACTER,
  items: ANY_VALUE_REFERENCE,
  additionalProperties: ANY_VALUE_REFERENCE,
  ...STORABLE_NAMES,
};

/** Who sends what a schema is about: a client in its request, or the service in an answer or an event. */
type Side = 'request' | 'answer';

/** What the document says of a schema: of one that has a name (see `named`), a reference to what the components say of it. */
export function describeSchema(schema: Json, side: Side, components: Components): Json {
  const described = side === 'request' ? requestSchema(schema, components) : answerSchema(schema, components);
  const name = nameOf(schema);
  return name === undefined ? described : components.add('schemas', name, described);
}

/** The name that a schema has, if any. */
export function nameOf(schema: object): string | undefined {
  return (schema as { 'x-name'?: string })['x-name'];
}

/**
 * The schema of what a request sends, with what our validator and the handlers check besides and JSON Schema can say: the rules of
 * texts, texts that are trimmed before, what `x-documented` holds, and that there is no U+0000.
 */
export function requestSchema(schema: Json, components: Components): Json {
  const types = [schema.type].flat();
  const describeInside = (inside: Json) =>
    Object.keys(inside).length === 0 ? ANY_VALUE_REFERENCE : describeSchema(inside, 'request', components);
  return {
    ...describeKeywords(schema, describeInside),
    ...(types.includes('string') ? describeText(schema) : {}),
    ...(types.includes('object') ? describeNames(schema) : {}),
    ...(types.includes('array') && schema.items === undefined ? { items: ANY_VALUE_REFERENCE } : {}),
    ...(schema['x-documented'] as Json | undefined),
  };
}

function answerSchema(schema: Json, components: Components): Json {
  return describeKeywords(schema, (inside) => describeSchema(inside, 'answer', components));
}

/** The schema without what only our validator reads, and with what stands inside it described. */
function describeKeywords(schema: Json, describeInside: (inside: Json) => Json): Json {
  const isPublic = ([key, value]: [string, unknown]) => !key.startsWith('x-') && typeof value !== 'function';
  const describe = ([key, value]: [string, unknown]) => {
    if (key === 'properties' || key === 'patternProperties') return [key, mapValues(value as Json, describeInside)];
    if (key === 'items' || isSchemaOfNames(key, value)) return [key, describeInside(value as Json)];
    if (key === 'anyOf') return [key, (value as Json[]).map(describeInside)];
    return [key, value];
  };
  return Object.fromEntries(Object.entries(schema).filter(isPublic).map(describe));
}

/** Of an object that names no properties: what its names and values have to be. */
function isSchemaOfNames(key: string, value: unknown): boolean {
  return (key === 'additionalProperties' || key === 'propertyNames') && typeof value === 'object' && value !== null;
}

function mapValues(schemas: Json, describe: (schema: Json) => Json): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, describe(schema as Json)]));
}

function describeText(schema: Json): Json {
  if (schema.enum !== undefined || schema.format === 'uuid' || schema.format === 'binary') return {};
  const documented = (schema['x-rule'] as TextRule | undefined)?.documented ?? {};
  if (documented.pattern === undefined) {
    return { pattern: schema.minLength ? NOT_BLANK : NO_NULL_CHARACTER, ...documented };
  }
  if (schema['x-trimmed'] !== true) return { ...documented, pattern: `^(?:${documented.pattern})$` };
  return describeTrimmed(schema, documented, documented.pattern);
}

/**
 * White space at the ends is in no count, so a pattern says how long a text may be. It is in no e-mail address either, so there is no
 * format beside the pattern.
 */
function describeTrimmed(schema: Json, documented: Json, pattern: string): Json {
  const maxLength = Number(documented.maxLength ?? schema.maxLength);
  const isUnbounded = /[*+]/.test(pattern.replace(/\[[^\]]*\]/g, ''));
  const bound = { pattern: `^\\s*(?:\\S(?:[^\\u0000]{0,${maxLength - 2}}\\S)?)?\\s*$` };
  return {
    ...documented,
    pattern: `^\\s*(?:${pattern})\\s*$`,
    ...(isUnbounded ? { allOf: [bound] } : {}),
    maxLength: undefined,
    format: undefined,
  };
}

/** An object without `additionalProperties` takes any other names. */
function describeNames({ additionalProperties = true, propertyNames }: Json): Json {
  if (additionalProperties !== true) return {};
  return {
    additionalProperties: ANY_VALUE_REFERENCE,
    propertyNames: { ...(propertyNames as Json | undefined), ...STORABLE_NAMES.propertyNames },
  };
}

/** An example put together from the fields' own examples, of a schema as the features have it or as the document does. */
export function exampleOf(schema: Json): unknown {
  const {
    examples,
    enum: values,
    properties,
    items,
    anyOf,
    type,
    format,
  } = schema as {
    examples?: unknown[];
    enum?: unknown[];
    properties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
    type?: string | string[];
    format?: string;
  };
  if (examples !== undefined) return examples[0];
  if (values !== undefined) return values[0];
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]));
  }
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0]);
  if (items !== undefined) return [exampleOf(items)];
  if (format === 'uuid') return EXAMPLE_ID;
  const defaults: Record<string, unknown> = { boolean: true, integer: 1, number: 1, null: null, object: {}, array: [] };
  const [first] = [type].flat();
  return first !== undefined && first in defaults ? defaults[first] : '';
}
