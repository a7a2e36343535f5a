import type { TSchema } from 'typebox';
import { named, namedObject } from './named.ts';
import { Type } from './type.ts';

const MAX_PAGE = 1_000_000;
const MAX_PER_PAGE = 1_000;

/** `page` and `perPage` of a list's query. Out of range is a 400, never clamped. */
export const pageQuery = {
  page: named('Page', pageNumber()),
  perPage: named('PerPage', pageSize()),
};

/** The number of a page, from 1; default 1. */
export function pageNumber() {
  return Type.Integer({
    minimum: 1,
    maximum: MAX_PAGE,
    default: 1,
    description: 'The number of the page, from 1.',
    examples: [1],
  });
}

/** How many items a page has, 1 to 1000; default 10. */
export function pageSize() {
  return Type.Integer({
    minimum: 1,
    maximum: MAX_PER_PAGE,
    default: 10,
    description: 'The number of items on a page.',
    examples: [10],
  });
}

/** A page of a list: its number, its size, how many items there are in all, and the items. */
export function pageOf<Row extends TSchema>(name: string, row: Row) {
  return namedObject(name, { ...pageHead(), data: Type.Array(row) });
}

/** As `pageOf`, in the form of the routes whose names are in snake case. */
export function snakeCasePageOf<Row extends TSchema>(name: string, row: Row) {
  const { total, page, perPage } = pageHead();
  return namedObject(name, { total, page, per_page: perPage, data: Type.Array(row) });
}

/** What a page has beside its items. */
export function pageHead() {
  return {
    total: Type.Integer({ examples: [1] }),
    page: Type.Integer({ examples: [1] }),
    perPage: Type.Integer({ examples: [10] }),
  };
}
