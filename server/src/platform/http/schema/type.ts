/**
 * JSON schemas with TypeScript types: the subset of TypeBox's builders used here, with TypeBox's types. Importing its
 * nearly 400 modules took a sixth of every start, while each builder is one line.
 */
import type TypeBox from 'typebox';
import type { TSchema } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  'Array' | 'Boolean' | 'Enum' | 'Integer' | 'Null' | 'Number' | 'Object' | 'Optional' | 'String' | 'Union' | 'Unsafe'
>;

/** Marks a property as optional. `Type.Optional` puts the mark on a copy, so the original stays required. */
const optional = new WeakSet<object>();

export const Type = {
  Array: (items: TSchema, options?: TSchema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: TSchema) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: TSchema) => ({ enum: values, ...options }),
  Integer: (options?: TSchema) => ({ type: 'integer', ...options }),
  Null: (options?: TSchema) => ({ type: 'null', ...options }),
  Number: (options?: TSchema) => ({ type: 'number', ...options }),
  Object: (properties: Record<string, TSchema>, options?: TSchema) => {
    const required = Object.keys(properties).filter((name) => !optional.has(properties[name] ?? {}));
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  Optional: (schema: TSchema) => {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  String: (options?: TSchema) => ({ type: 'string', ...options }),
  Union: (anyOf: TSchema[], options?: TSchema) => ({ anyOf, ...options }),
  Unsafe: (schema: TSchema) => schema,
} as unknown as Builders;
