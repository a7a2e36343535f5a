import type { TObject, TObjectOptions, TProperties, TSchema } from 'typebox';
import { Type } from './type.ts';

/**
 * The schema with a name: the API reference has it under that name, wherever it stands, and clients made from the reference have
 * a type of it. Of a field of a query: the parameter has the name. Each name is one schema's.
 */
export function named<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, 'x-name': name };
}

/** An object with a name (see `named`). */
export function namedObject<P extends TProperties>(name: string, properties: P, options?: TObjectOptions): TObject<P> {
  return named(name, Type.Object(properties, options));
}
