import type { Streamed } from './shares.ts';

const FIRST_BATCH = 1;
const MAX_BATCH = 500;
/** What a batch is meant to be as text. */
const BATCH_CHARACTERS = 256 * 1024;

/**
 * A list as JSON text in parts: what stands before its items, batches of them, and the end. How many items a batch has follows from how
 * long they were so far.
 */
export async function* writeInBatches<Item>(
  head: string,
  items: readonly Item[],
  readBatch: (batch: readonly Item[]) => Promise<string>,
): Streamed {
  yield `${head}[`;
  let [size, separator] = [FIRST_BATCH, ''];
  for (let start = 0; start < items.length; ) {
    const batch = items.slice(start, start + size);
    const text = (await readBatch(batch)).trim().slice(1, -1);
    // What was removed meanwhile leaves nothing behind.
    if (text !== '') yield separator + text;
    if (text !== '') separator = ',';
    start += batch.length;
    size = Math.max(1, Math.min(MAX_BATCH, Math.floor((batch.length * BATCH_CHARACTERS) / Math.max(1, text.length))));
  }
  yield ']}';
}
