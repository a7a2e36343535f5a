import type { TextRule } from '../schema/text-rules.ts';

export type Json = Record<string, unknown>;

export const EXAMPLE_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';

/** No text of a request may hold U+0000. */
const NO_NULL_CHARACTER = '^[^\\u0000]*$';
const NOT_BLANK = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

const ANY_VALUE_REFERENCE = { $ref: '#/components/schemas/AnyValue' };
const STORABLE_NAMES = { propertyNames: { pattern: NO_NULL_CHARACTER } };

/** What may stand where a request takes whatever the client sends. */
export const ANY_VALUE: Json = {
  description: 'Anything, but no text or name with U+0000.',
  type: ['string', 'number', 'boolean', 'null', 'array', 'object'],
  pattern: NO_NULL_CHARACTER,
  items: ANY_VALUE_REFERENCE,
  additionalProperties: ANY_VALUE_REFERENCE,
  ...STORABLE_NAMES,
};

/**
 * The schema of what a request sends, with what our validator and the handlers check besides and JSON Schema can say: the rules of
 * texts, texts that are trimmed before, what `x-documented` holds, and that there is no U+0000.
 */
export function requestSchema(schema: Json): Json {
  const { properties, patternProperties, items, anyOf } = schema as {
    properties?: Record<string, Json>;
    patternProperties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
  };
  const types = [schema.type].flat();
  return {
    ...(publicSchema(schema) as Json),
    ...(types.includes('string') ? describeText(schema) : {}),
    ...(types.includes('object') ? describeNames(schema) : {}),
    ...(types.includes('array') ? { items: items === undefined ? ANY_VALUE_REFERENCE : requestSchema(items) } : {}),
    ...(properties === undefined ? {} : { properties: mapValues(properties) }),
    ...(patternProperties === undefined ? {} : { patternProperties: mapValues(patternProperties) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(requestSchema) }),
    ...(schema['x-documented'] as Json | undefined),
  };
}

function mapValues(schemas: Record<string, Json>): Json {
  const described = Object.entries(schemas).map(([name, schema]) => [
    name,
    Object.keys(schema).length === 0 ? ANY_VALUE_REFERENCE : requestSchema(schema),
  ]);
  return Object.fromEntries(described);
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

/** The schema without what only our validator reads. */
export function publicSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(publicSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => !key.startsWith('x-') && typeof value !== 'function');
  return Object.fromEntries(entries.map(([key, value]) => [key, publicSchema(value)]));
}

/** An example put together from the fields' own examples. */
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
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0]);
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]));
  }
  if (items !== undefined) return [exampleOf(items)];
  if (format === 'uuid') return EXAMPLE_ID;
  const defaults: Record<string, unknown> = { boolean: true, integer: 1, number: 1, null: null, object: {}, array: [] };
  const [first] = [type].flat();
  return first !== undefined && first in defaults ? defaults[first] : '';
}
