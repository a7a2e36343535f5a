import type { Static, TArray, TObject, TSchema } from 'typebox';

declare const schema: unique symbol;

/** JSON text of a value of this schema, made by PostgreSQL or a function of this file. It is sent as it is. */
export type Json<Schema extends TSchema> = string & { readonly [schema]: Schema };

/** The same in parts, for an answer too long to hold in memory. */
export type JsonParts<Schema extends TSchema> = AsyncGenerator<string, void, undefined> & {
  readonly [schema]?: Schema;
};

/** The fields of an object beside `data`, or null where the list is the whole answer. */
export type HeadOf<Schema extends TSchema> = Schema extends TObject ? Omit<Static<Schema>, 'data'> : null;

/** The items of an answer: of its `data`, or of the answer itself. */
type ItemsOf<Schema extends TSchema> =
  Schema extends TArray<infer Item>
    ? Item
    : Schema extends TObject<{ data: TArray<infer Item extends TSchema> }>
      ? Item
      : never;

/** The list of an answer as JSON text. */
export type JsonList<Schema extends TSchema> = Json<TArray<ItemsOf<Schema>>>;

/** An answer of plain fields and, after them, the list in `data`. */
export function withData<Schema extends TSchema>(head: HeadOf<Schema>, data: JsonList<Schema>): Json<Schema> {
  return `${beforeData(head)}${data}${afterData(head)}` as Json<Schema>;
}

/** An object of plain fields and, after them, of others that are JSON text already. */
export function withParts<Schema extends TObject, Part extends keyof Schema['properties'] & string>(
  fields: Omit<Static<Schema>, Part>,
  parts: { [Name in Part]: Json<Schema['properties'][Name]> },
): Json<Schema> {
  const texts = Object.entries<string>(parts).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `${openObject(fields)}${texts.join()}}` as Json<Schema>;
}

/** An object that is JSON text already, and plain fields after its own. */
export function withFields<Schema extends TObject, Part extends TObject>(
  json: Json<Part>,
  fields: Omit<Static<Schema>, keyof Static<Part>>,
): Json<Schema> {
  return `${json.slice(0, -1)},${JSON.stringify(fields).slice(1)}` as Json<Schema>;
}

/** The text before the list: `{"total":2,"data":`. */
export function beforeData(head: object | null): string {
  return head === null ? '' : `${openObject(head)}"data":`;
}

/** An object without its end, ready for another field. */
function openObject(fields: object): string {
  const written = JSON.stringify(fields).slice(0, -1);
  return written === '{' ? written : `${written},`;
}

/** The text after the list. */
export function afterData(head: object | null): string {
  return head === null ? '' : '}';
}
