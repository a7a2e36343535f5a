/** The part of JSON Schema that the bodies of the API use. */
export type FieldSchema = {
  type?: string | string[];
  enum?: string[];
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  items?: FieldSchema;
};

export type Field = { path: (string | number)[]; name: string; schema: FieldSchema; required: boolean };

/** Returns every field of a body at any depth. The first item of a list represents all of its items. */
export function fieldsOf(schema: FieldSchema, path: Field['path'] = [], required = true): Field[] {
  const own = path.length === 0 ? [] : [{ path, name: nameOf(path), schema, required }];
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    fieldsOf(property, [...path, key], schema.required?.includes(key) ?? false),
  );
  return [...own, ...inside, ...(schema.items ? fieldsOf(schema.items, [...path, 0]) : [])];
}

/** Writes a path as errors name it: `['details', 0, 'title']` is `details[0].title`. */
function nameOf(path: Field['path']): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`))
    .join('');
}

/** Returns a copy of the body with one field changed; undefined removes it. */
export function withField(body: object, path: Field['path'], value: unknown): object {
  const copy = structuredClone(body);
  let parent = copy as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) {
    parent[part] ??= {};
    parent = parent[part] as Record<string | number, unknown>;
  }
  parent[path.at(-1) ?? ''] = value;
  return copy;
}

/** Returns the types that a field's schema allows. */
export function typesOf({ type, enum: values }: FieldSchema): string[] {
  return values === undefined ? [type ?? []].flat() : ['string'];
}
