import { join } from 'node:path';

/**
 * The compile cache that `npm start` also uses. Processes that tests start after the first one start faster with it, because the program is
 * compiled only once.
 */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/paydesk') };
