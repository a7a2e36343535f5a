import { MAX_VALUES, MAX_VALUES_WITH_EXACT_NUMBERS } from '../server/src/platform/http/schema/json-body.ts';

/** As much of JSON Schema as the bodies of the API reference use. */
export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  maxItems?: number;
  maxLength?: number;
  example?: unknown;
  examples?: unknown[];
};

/** What a body is made of, for people, and its text. */
export type Body = { kind: string; text: string };

const LIMIT_BYTES = 1024 * 1024;
/** As many as bodies may hold, on most routes and on those that read exact numbers, less what else is in them. */
const MOST_VALUES = [MAX_VALUES - 50, MAX_VALUES_WITH_EXACT_NUMBERS - 50];
const TEXTS: Record<string, string> = {
  letters: 'a',
  spaces: ' ',
  digits: '7',
  'wide letters': '𝒳',
  escapes: '\\u0041',
};

/** So many of a part as a body has room for, beside what else it holds. */
function repeat(part: string, room: number, most = Number.POSITIVE_INFINITY, separator = ''): string {
  const each = Buffer.byteLength(part) + separator.length;
  return Array(Math.max(1, Math.min(most, Math.floor(room / each))))
    .fill(part)
    .join(separator);
}

/** How many values and bytes a part of a body may have, and how many items a list. */
type Room = { bytes: number; values: number; items?: number | undefined };

/** A JSON list of what is made for each place, as long as there is room. */
function listOf(make: (index: number) => string, { bytes, values, items = values }: Room): string {
  const list: string[] = [];
  for (let [usedBytes, usedValues] = [2, 1]; list.length < items; ) {
    const item = make(list.length);
    usedBytes += Buffer.byteLength(item) + 1;
    usedValues += 1 + (item.match(/[[{,]/g)?.length ?? 0);
    if (usedBytes > bytes || usedValues > values) break;
    list.push(item);
  }
  return `[${list.join()}]`;
}

/** An object with as many fields as there is room for. */
function fieldsLike(make: (index: number) => string, room: Room): string {
  return listOf(make, room).slice(1, -1);
}

/** Bodies that hold any route up, if anything does: they need not know what it takes. `sound` is a body that it takes. */
export function listGeneralBodies(sound: object): Body[] {
  const text = JSON.stringify(sound);
  const bytes = LIMIT_BYTES - text.length - 100;
  const withMore = (more: string) => (text === '{}' ? `{${more}}` : `{${more},${text.slice(1)}`);
  const listMany = (room: Room) => ({
    'a list of numbers': listOf(() => '0', room),
    'a list of lists': listOf(() => '[]', room),
    'unknown fields': withMore(fieldsLike((index) => `"unknown${index}":0`, room)),
    'unknown fields that look like prototypes': withMore(fieldsLike(() => '"__proto":{"constructor":0}', room)),
    'one name many times': withMore(fieldsLike(() => '"name":0', room)),
    'numbers with exponents': withMore(`"unknown":${listOf(() => '1.25e-90', room)}`),
    objects: withMore(`"unknown":${listOf((index) => `{"a${index}":{"b":{"c":""}}}`, room)}`),
    'deep lists': withMore(`"unknown":${listOf(() => `${'['.repeat(29)}${']'.repeat(29)}`, room)}`),
    'no JSON at its end': `${withMore(`"unknown":${listOf(() => '{"a":"\\u0041"}', room)}`)}}`,
  });
  const bodies = {
    'one text': `"${repeat('a', bytes)}"`,
    'a name that is long': withMore(`"${repeat('n', bytes)}":0`),
    'a number that is long': withMore(`"unknown":1${repeat('0', bytes)}`),
    'opened lists': repeat('[', bytes),
    'spaces around it': repeat(' ', bytes) + text,
  };
  const texts = Object.entries(TEXTS).map(([kind, letter]): [string, string] => [
    `${kind} in an unknown field`,
    withMore(`"unknown":"${repeat(letter, bytes)}"`),
  ]);
  const many = MOST_VALUES.flatMap((values) => Object.entries(listMany({ bytes, values })));
  return [...Object.entries(bodies), ...many, ...texts].map(([kind, body]) => ({ kind, text: body }));
}

const WHOLE: Room = { bytes: LIMIT_BYTES, values: MAX_VALUES };

/** The same of a list that is the whole body, whose example is one that is taken. */
export function listRootBodies(schema: Schema): Body[] {
  const [item] = exampleOf(schema) as object[];
  const distinct = (index: number) => JSON.stringify({ ...item, id: `event ${index}` });
  const sound = ['as many as it takes', listOf(distinct, { ...WHOLE, items: schema.maxItems })] as const;
  const others = listItems({ ...schema, items: {} }, WHOLE);
  return [...others, sound, ['one many times', listOf(() => JSON.stringify(item), WHOLE)] as const].map(
    ([kind, text]) => ({ kind, text }),
  );
}

type Path = (string | number)[];

/** For each field of a body what is worst for it, in a body that is sound otherwise. */
export function listFieldBodies(schema: Schema, sound: object, path: Path = []): Body[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    listFieldBodies(part, sound, [...path, name]),
  );
  const items = schema.items === undefined ? [] : listFieldBodies(schema.items, sound, [...path, 0]);
  return [
    ...(path.length === 0 ? [] : listValues(schema).map(([kind, value]) => put(sound, path, kind, value))),
    ...inside,
    ...items,
  ];
}

/** JSON texts, some 1 MiB long each. */
function listValues(schema: Schema): [kind: string, value: string][] {
  const bytes = LIMIT_BYTES - 40_000;
  const types = [schema.type].flat();
  if (types.includes('string'))
    return Object.entries(TEXTS).map(([kind, letter]) => [kind, `"${repeat(letter, bytes)}"`]);
  const rooms = MOST_VALUES.map((values) => ({ bytes, values }));
  if (types.includes('array')) return rooms.flatMap((room) => listItems(schema, room));
  if (types.includes('object') && schema.properties === undefined) {
    return rooms.flatMap((room) => [
      ['fields', `{${fieldsLike((index) => `"f${index}":${index}`, room)}}`],
      ['long texts', `{${fieldsLike((index) => `"f${index}":"${'a'.repeat(20_000)}"`, room)}}`],
      ['objects', `{"a":${listOf((index) => `{"a${index}":{"b":[]}}`, room)}}`],
    ]);
  }
  return rooms.map((room) => ['numbers', listOf(() => '1e9', room)]);
}

function listItems({ items = {}, maxItems }: Schema, room: Room): [kind: string, value: string][] {
  const longest = JSON.stringify(longestOf(items));
  const wrong = JSON.stringify(wrongOf(items));
  const taken = { ...room, items: maxItems };
  return [
    ['numbers', listOf(String, room)],
    ['texts', listOf((index) => `"text ${index}"`, room)],
    ['one text many times', listOf(() => '"a"', room)],
    ['as many items as it takes, all wrong', listOf(() => wrong, taken)],
    ['as many items as there is room for, all wrong', listOf(() => wrong, room)],
    ['as many items as it takes, as long as they may be', listOf(() => longest, taken)],
  ];
}

/** What fits a schema, with texts of the greatest length. */
function longestOf(schema: Schema): unknown {
  if (schema.properties !== undefined) return mapFields(schema.properties, longestOf);
  const example = exampleOf(schema);
  return typeof example === 'string' &&
    schema.maxLength !== undefined &&
    schema.maxLength <= 255 &&
    !/^[\d.A-Z]+$/.test(example)
    ? example.padEnd(schema.maxLength, 'a')
    : (example ?? 0);
}

/** What has something wrong in each of its fields. */
function wrongOf(schema: Schema): unknown {
  if (schema.properties !== undefined) return mapFields(schema.properties, wrongOf);
  return [schema.type].flat().includes('string') ? 'not this' : 'x';
}

function mapFields(properties: Record<string, Schema>, map: (schema: Schema) => unknown): object {
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, map(part)]));
}

export function exampleOf({ example, examples = [example] }: Schema): unknown {
  return examples[0];
}

const MARK = 'the value is put here';

function put(sound: object, path: Path, kind: string, value: string): Body {
  const body = structuredClone(sound) as Record<string | number, unknown>;
  let parent = body;
  for (const part of path.slice(0, -1)) {
    parent[part] ??= {};
    parent = parent[part] as Record<string | number, unknown>;
  }
  parent[path.at(-1) ?? ''] = MARK;
  return { kind: `${kind} in ${path.join('.')}`, text: JSON.stringify(body).replace(`"${MARK}"`, () => value) };
}
