import { join } from 'node:path';

/** What `npm start` sets too: a program is compiled once, and processes that tests start after the first one start sooner. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/paydesk') };
