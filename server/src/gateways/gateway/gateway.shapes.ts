import { Ajv, type ValidateFunction } from 'ajv';
import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from '../../platform/http/schema/type.ts';

/** Patterns count UTF-16 units. The schemas are ours, so they are not validated themselves: that would take the first check 0.1 seconds. */
const validator = new Ajv({
  strict: false,
  ownProperties: true,
  unicodeRegExp: false,
  meta: false,
  validateSchema: false,
});
/** Each is compiled at its first use. */
const compiled = new WeakMap<TSchema, ValidateFunction>();

/** Whether untrusted JSON has this shape: what a gateway answered or sent. */
export function matches<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = validator.compile(schema);
    compiled.set(schema, validate);
  }
  return validate(value);
}

/** A text that matches. Anchor the pattern, which has no flags: `[\s\S]` is any character. */
export function textLike(pattern: RegExp) {
  return Type.String({ pattern: pattern.source });
}

/** An object with these fields and no others. `Type.Object` permits others. */
export function closedObject<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}
