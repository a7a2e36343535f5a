import { named } from './named.ts';
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
  return Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1, description: 'The page, from 1.', examples: [1] });
}

/** How many items a page has, 1 to 1000; default 10. */
export function pageSize() {
  return Type.Integer({ minimum: 1, maximum: MAX_PER_PAGE, default: 10, description: 'Items a page.', examples: [10] });
}
