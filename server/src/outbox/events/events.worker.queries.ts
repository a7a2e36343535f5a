import type { Queryable } from '../../platform/database/database.ts';
import { type NewEvent, recordingParts } from './events.queries.ts';

/** Inserts many events, of any companies. */
export async function insertEvents(db: Queryable, events: readonly NewEvent[]): Promise<void> {
  await db`
    WITH changes AS (
      SELECT "companyId" AS company_id, id, type, data
      FROM json_to_recordset(${writeRows(events)}::text::json) AS given ("companyId" uuid, id uuid, type text, data json)
    ), ${recordingParts.company(db)}
    SELECT 1`;
}

/** JSON text that contains `data` verbatim, so that numbers keep every digit. */
function writeRows(events: readonly NewEvent[]): string {
  const rows = events.map(({ data, ...event }) => `${JSON.stringify(event).slice(0, -1)},"data":${data}}`);
  return `[${rows.join()}]`;
}

/** Removes up to `limit` events that are older than ninety days. @returns how many were removed */
export async function removeOldEvents(db: Queryable, limit: number): Promise<number> {
  const [row] = await db<[{ removed: number }]>`SELECT remove_old_events(${limit}::integer) AS removed`;
  return row.removed;
}
