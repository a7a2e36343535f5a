import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../database/database.ts';
import { insertEvent, insertEvents } from './events.queries.ts';
import type { EventType } from './events.schema.ts';

// For statements that change something and record it at once.
export { NO_COMPANY, recordingParts, removeOldEvents } from './events.queries.ts';

/** `data` is what the API shows of the thing after the change (before it, when it is deleted): an object, or JSON text. */
export type Happening = { type: EventType; data: object | string };

/**
 * Writes down that something happened, for the operator's list and for the webhook endpoints that asked for it. Call it in the
 * transaction that makes the change: then an event is there exactly when the change is. `data` never holds what the API does not show.
 */
export async function recordEvent(db: Queryable, companyId: string, { type, data }: Happening): Promise<void> {
  await insertEvent(db, companyId, { id: uuidv7(), type, data: toJson(data) });
}

/** The same for many at once, of whatever companies, in one statement. */
export async function recordEvents(
  db: Queryable,
  happenings: readonly (Happening & { companyId: string })[],
): Promise<void> {
  if (happenings.length === 0) return;
  const events = happenings.map(({ companyId, type, data }) => ({ companyId, id: uuidv7(), type, data: toJson(data) }));
  await insertEvents(db, events);
}

function toJson(data: object | string): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
