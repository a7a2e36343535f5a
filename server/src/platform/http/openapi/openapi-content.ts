import type { TSchema } from 'typebox';
import { mediaTypeOf } from '../schema/fields.ts';
import type { Components, Json } from './openapi-components.ts';
import { describeSchema, exampleOf } from './openapi-schema.ts';

/** What a request sends, by media type. */
export function describeBody(body: TSchema, mediaTypes: Record<string, TSchema> = {}, components: Components): Json {
  const types = Object.entries({ 'application/json': body, ...mediaTypes });
  return Object.fromEntries(
    types.map(([type, schema]) => [type, { schema: describeSchema(schema as Json, 'request', components) }]),
  );
}

/**
 * What an answer or an event holds, by media type. An example stands there where it is not what the fields' own examples add up to
 * (see `exampleOf`): where `differences` are given.
 */
export function describeAnswer(schema: TSchema, components: Components, differences?: object): Json {
  const example = differences === undefined ? {} : { example: merge(exampleOf(schema as Json), differences) };
  return { [mediaTypeOf(schema)]: { schema: describeSchema(schema as Json, 'answer', components), ...example } };
}

/** The example with some of its values replaced. In lists, items are paired by their place. */
function merge(example: unknown, differences: unknown): unknown {
  if (differences === undefined) return example;
  if (Array.isArray(example) && Array.isArray(differences)) {
    return differences.map((difference, index) => merge(example[index], difference));
  }
  if (!isObject(example) || !isObject(differences)) return differences;
  const replaced = Object.entries(differences).map(([name, value]) => [name, merge(example[name], value)]);
  return { ...example, ...Object.fromEntries(replaced) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
