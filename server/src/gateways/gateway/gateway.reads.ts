/** Enough that many objects are read within a call's time limit, and few enough for a gateway's rate limit. */
const READ_CONCURRENCY = 10;

/** Reads something about each item, several at once. @returns what was read, in the order of the items */
export async function readTogether<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): Promise<Read[]> {
  const found: Read[] = [];
  for (let first = 0; first < items.length; first += READ_CONCURRENCY) {
    found.push(...(await Promise.all(items.slice(first, first + READ_CONCURRENCY).map(read))));
  }
  return found;
}
