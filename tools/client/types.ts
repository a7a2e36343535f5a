import type { Schema } from './document.ts';

const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * The TypeScript type of a JSON Schema, with its descriptions as comments. What has a name among the components is called by it.
 * Patterns and bounds are left to the service.
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

/** The fields of an object that one of its kinds says more about: that they are required, or absent, or which values they have. */
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
  // Whatever there is.
  if (types.length === 0 || (types.includes('object') && types.includes('string'))) return 'unknown';
  return union(
    types.map((type) => {
      if (type === 'array') return arrayOf(schema.items === undefined ? 'unknown' : typeOf(schema.items, indent));
      if (type === 'object') return objectType(schema, indent);
      return PRIMITIVES[type] ?? 'unknown';
    }),
  );
}

/** The fields that are described; what else an object may hold is not typed, so that a misspelled field is an error. */
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

/** A name as the key of an object, in quotes where it needs them. */
export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

/** A description as a doc comment with the line's end, or nothing without one. */
export function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

/** Each once. What may be anything makes the whole so. */
function union(types: string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');
}

function arrayOf(item: string): string {
  return /^[\w.]+$/.test(item) || (item.startsWith('{') && !item.includes('} | ')) ? `${item}[]` : `(${item})[]`;
}
