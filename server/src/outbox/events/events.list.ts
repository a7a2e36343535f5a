import type { Queryable } from '../../platform/database/database.ts';
import type { NameParts } from '../../platform/database/name-parts.ts';
import { invalidField } from '../../platform/errors.ts';
import { writeFrom } from '../../platform/http/limits/batches.ts';
import { parseEnd, parseStart } from '../../platform/http/schema/instants.ts';
import type { Json, JsonList, JsonParts } from '../../platform/http/schema/json.ts';
import { type Position, selectEventBatch, selectEvents } from './events.operator.queries.ts';
import type { EventList, EventQuery } from './events.schema.ts';

/** A page of events as JSON text, newest first. Filters combine with AND. @throws ApiError 400 */
export async function listEvents(
  db: Queryable,
  query: EventQuery,
  names: NameParts,
): Promise<Json<EventList> | JsonParts<EventList>> {
  const { perPage, companyId = null, type = null, startAt, endAt } = query;
  const filter = {
    companyId,
    type,
    startAt: parseStart(startAt),
    endAt: parseEnd(endAt),
    after: readCursor(query.cursor),
  };
  if (filter.startAt !== null && filter.endAt !== null && filter.startAt >= filter.endAt) {
    throw invalidField('startAt', 'must not be after endAt');
  }
  const found = await selectEvents(db, filter, { names, limit: perPage + 1 });
  const page = found.slice(0, perPage);
  const nextCursor = writeCursor(found, perPage);
  const head = { perPage, nextCursor };
  const read = page.map(({ json }) => json).filter((json) => json !== null);
  const first = { count: read.length, data: `[${read.join()}]` as JsonList<EventList> };
  return writeFrom(first, head, page, (batch) => selectEventBatch(db, batch, names));
}

function readCursor(cursor: string | undefined): Position | null {
  const [ms, id] = cursor?.split('_') ?? [];
  return ms === undefined || id === undefined ? null : { at: new Date(Number(ms)), id };
}

/** The next page's cursor; null on the last page. */
function writeCursor(found: readonly Position[], perPage: number): string | null {
  const last = found[perPage - 1];
  return found.length <= perPage || last === undefined ? null : `${last.at.getTime()}_${last.id}`;
}
