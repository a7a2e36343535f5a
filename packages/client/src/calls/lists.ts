import type { Query } from './request.ts';
import type { List, Operation } from './types.ts';

type Numbered = { total?: number; perPage?: number; per_page?: number };
/** The parts of a page that lead to the next one. Some lists are plain arrays without them. */
type Page = readonly unknown[] | (Numbered & { data: readonly unknown[]; nextCursor?: string | null });

/** Creates a list that requests each page when it is needed. */
export function createList(
  { list = 'whole' }: Operation,
  query: Query,
  readPage: (query: Query) => Promise<unknown>,
): List<unknown, unknown> {
  let first: Promise<unknown> | undefined;
  const readFirst = () => {
    first ??= readPage(query);
    return first;
  };
  async function* pages() {
    let page = await readFirst();
    yield page;
    for (let next = findNext(list, query, page); next !== null; next = findNext(list, next, page)) {
      page = await readPage(next);
      yield page;
    }
  }
  return {
    [Symbol.toStringTag]: 'List',
    // biome-ignore lint/suspicious/noThenProperty: awaiting a list requests its first page.
    then: (taken, refused) => readFirst().then(taken, refused),
    catch: (refused) => readFirst().catch(refused),
    finally: (ended) => readFirst().finally(ended),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* itemsOf(page);
    },
  };
}

function itemsOf(page: unknown): readonly unknown[] {
  const list = page as Page;
  return 'data' in list ? list.data : list;
}

/** Returns the query for the page after this one; null after the last. */
function findNext(list: NonNullable<Operation['list']>, query: Query, page: unknown): Query | null {
  const {
    data,
    nextCursor,
    total = 0,
    perPage,
    per_page: size = perPage ?? 0,
  } = page as Exclude<Page, readonly unknown[]>;
  if (list === 'whole') return null;
  if (list === 'cursor') return nextCursor ? { ...query, cursor: nextCursor } : null;
  const number = Number(query[list] ?? 1);
  return data.length === 0 || number * size >= total ? null : { ...query, [list]: number + 1 };
}
