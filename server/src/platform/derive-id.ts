import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/**
 * The id of something that has this name for ever, so it outlives the database (RFC 9562, version 7: the time is given,
 * the other bits are a hash).
 */
export function deriveId(name: string, at: Date): string {
  return uuidv7({ msecs: at.getTime(), random: createHash('sha256').update(name).digest() });
}
