import type { Schema } from './document.ts';

const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * Writes the TypeScript type of a JSON Schema, with its descriptions as comments. Named components are referred to by name. Patterns and
 * limits are left to the service.
 */
export function typeOf(schema: Schema | boolean, indent = ''): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    if (schema.properties === undefined) return union(choices.map((choice) => typeOf(choice, indent)));
    const kinds = union(choices.map((choice) => objectType(narrow(schema, choice), indent)));
    return `${objectType(schema, indent)} & (${kinds})`;
  }
  const references = schema.allOf?.filter(({ $ref }) => $ref !== undefined) ?? [];
  if (references.length > 0) {
    const own = schema.properties === undefined ? [] : [objectType(schema, indent)];
    return [...references.map((reference) => typeOf(reference)), ...own].join(' & ');
  }
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  return ofTypes(schema, indent);
}

/** Returns the fields about which a variant of an object says more: that they are required, absent, or have certain values. */
function narrow({ properties = {}, required = [] }: Schema, kind: Schema): Schema {
  const names = [...new Set([...Object.keys(kind.properties ?? {}), ...(kind.required ?? [])])];
  const fields = names.map((name) => {
    const field = kind.properties?.[name] ?? properties[name] ?? {};
    return [name, typeof field === 'boolean' ? field : { ...field, description: undefined }];
  });
  return {
    properties: Object.fromEntries(fields),
    required: names.filter((name) => [...required, ...(kind.required ?? [])].includes(name)),
  };
}

function ofTypes(schema: Schema, indent: string): string {
  const types = [schema.type ?? (schema.properties === undefined ? [] : 'object')].flat();
  // Any JSON value.
  if (types.length === 0 || (types.includes('object') && types.includes('string'))) return 'unknown';
  return union(
    types.map((type) => {
      if (type === 'array') return arrayOf(schema.items === undefined ? 'unknown' : typeOf(schema.items, indent));
      if (type === 'object') return objectType(schema, indent);
      return PRIMITIVES[type] ?? 'unknown';
    }),
  );
}

/** Writes the described fields of an object. Other fields are not typed, so that a misspelled field is an error. */
function objectType(
  { properties, required = [], additionalProperties, patternProperties }: Schema,
  indent: string,
): string {
  if (properties === undefined) {
    const values = [...Object.values(patternProperties ?? {}), additionalProperties].filter(
      (value) => typeof value === 'object',
    );
    return `Record<string, ${values.length === 0 ? 'unknown' : union(values.map((value) => typeOf(value, indent)))}>`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    const description = typeof field === 'boolean' ? undefined : field.description;
    return `${comment(description, inner)}${inner}${keyOf(name)}${mark}: ${typeOf(field, inner)};\n`;
  });
  return fields.length === 0 ? 'unknown' : `{\n${fields.join('')}${indent}}`;
}

/** Writes a name as the key of an object, quoted if necessary. */
export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

/** Writes a description as a doc comment with a line end; an empty text without a description. */
export function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

/** Joins types without duplicates. With `unknown` among them, the whole is `unknown`. */
function union(types: string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');
}

function arrayOf(item: string): string {
  return /^[\w.]+$/.test(item) || (item.startsWith('{') && !item.includes('} | ')) ? `${item}[]` : `(${item})[]`;
}
