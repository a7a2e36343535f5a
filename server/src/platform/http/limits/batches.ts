import type { TSchema } from 'typebox';
import {
  afterData,
  beforeData,
  type HeadOf,
  type Json,
  type JsonList,
  type JsonParts,
  withData,
} from '../schema/json.ts';

const FIRST_BATCH = 1;
const MAX_BATCH = 100;
/** Long items may follow short ones. */
const MAX_GROWTH = 4;
/** The intended length of a batch as text. */
const BATCH_CHARACTERS = 256 * 1024;
/** The most items that are read and held at once. */
const HELD_ITEMS = 100;

/** The first items of a list, which are read already: how many, and their text. */
export type FirstItems<Schema extends TSchema> = { count: number; data: JsonList<Schema> };

/** Writes a list whose first items are read: at once when these are all, else in batches as the reader takes them. */
export function writeFrom<Schema extends TSchema, Item>(
  first: FirstItems<Schema>,
  head: HeadOf<Schema>,
  items: readonly Item[],
  readBatch: (batch: readonly Item[]) => Promise<JsonList<Schema>>,
): Json<Schema> | JsonParts<Schema> {
  return first.count === items.length ? withData(head, first.data) : writeInBatches(head, items, readBatch, first);
}

/**
 * A list as JSON text in parts: the first batch of its items with the text before them, further batches, and the end. The size of a batch
 * follows from the length of the items so far. Without a `head` the list is the whole answer.
 */
export async function* writeInBatches<Schema extends TSchema, Item>(
  head: HeadOf<Schema>,
  items: readonly Item[],
  readBatch: (batch: readonly Item[]) => Promise<JsonList<Schema>>,
  first: FirstItems<Schema> = { count: 0, data: '[]' as JsonList<Schema> },
): JsonParts<Schema> {
  let before = `${beforeData(head)}[`;
  let [start, batch] = [first.count, first];
  for (;;) {
    const text = batch.data.trim().slice(1, -1);
    // Removed items leave nothing behind.
    if (text !== '') {
      yield before + text;
      before = ',';
    }
    if (start >= items.length) break;
    const next = items.slice(start, start + sizeAfter(batch.count, text.length));
    batch = { count: next.length, data: await readBatch(next) };
    start += next.length;
  }
  yield `${before === ',' ? '' : before}]${afterData(head)}`;
}

/** How many items the next batch has, after one of so many items and characters. */
function sizeAfter(items: number, characters: number): number {
  if (items === 0) return FIRST_BATCH;
  const fitting = Math.floor((items * BATCH_CHARACTERS) / Math.max(1, characters));
  return Math.max(1, Math.min(MAX_BATCH, items * MAX_GROWTH, fitting));
}

export type ListOfRows<Schema extends TSchema, Row extends { id: string }> = {
  /** The fields of the answer beside `data`; null when the list is the whole answer. */
  head: HeadOf<Schema>;
  /** The most items that there can be. */
  limit: number;
  /** Reads the first `limit` items. */
  readFirst: (limit: number) => Promise<readonly Row[]>;
  /** Reads the ids of all items, in order. */
  readIds: (limit: number) => Promise<readonly string[]>;
  /** Reads the items with these ids, in order, without removed ones. */
  readItems: (ids: readonly string[]) => Promise<readonly Row[]>;
  /** An item as JSON text. */
  write: (row: Row) => string;
  /** More items than this are read in batches. */
  heldItems?: number;
};

/**
 * Writes a list as JSON text: at once when it is short, else in batches as the reader takes them, so that only a part
 * is in memory. The set of items is fixed at the start; each is as of its batch.
 */
export async function writeList<Schema extends TSchema, Row extends { id: string }>({
  head,
  limit,
  readFirst,
  readIds,
  readItems,
  write,
  heldItems = HELD_ITEMS,
}: ListOfRows<Schema, Row>): Promise<Json<Schema> | JsonParts<Schema>> {
  const first = await readFirst(Math.min(limit, heldItems + 1));
  const toText = (rows: readonly Row[]) => `[${rows.map(write).join()}]` as JsonList<Schema>;
  if (first.length <= heldItems) return withData(head, toText(first));
  const ids = await readIds(limit);
  // The list may have changed between the two reads.
  const areFirst = first.every(({ id }, place) => id === ids[place]);
  const firstItems = areFirst ? { count: first.length, data: toText(first) } : undefined;
  return writeInBatches(head, ids, async (some) => toText(await readItems(some)), firstItems);
}
