import type { Queryable } from '../../platform/database/database.ts';
import { type NewEvent, recordingParts } from './events.queries.ts';

/** Writes many events, of whatever companies. */
export async function insertEvents(db: Queryable, events: readonly NewEvent[]): Promise<void> {
  await db`
    WITH changes AS (
      SELECT "companyId" AS company_id, id, type, data
      FROM json_to_recordset(${writeRows(events)}::text::json) AS given ("companyId" uuid, id uuid, type text, data json)
    ), ${recordingParts(db)}
    SELECT 1`;
}

/** JSON text in which `data` stands as it is, digit for digit. */
function writeRows(events: readonly NewEvent[]): string {
  const rows = events.map(({ data, ...event }) => `${JSON.stringify(event).slice(0, -1)},"data":${data}}`);
  return `[${rows.join()}]`;
}

/** Removes events of more than ninety days ago, up to a limit. @returns how many there were */
export async function removeOldEvents(db: Queryable, limit: number): Promise<number> {
  const [row] = await db<[{ removed: number }]>`SELECT remove_old_events(${limit}::integer) AS removed`;
  return row.removed;
}
