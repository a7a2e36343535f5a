import { join } from 'node:path';

/** `npm start` sets it too. Processes that tests start after the first one start sooner, because the program is compiled only once. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/paydesk') };
