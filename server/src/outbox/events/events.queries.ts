import { constantPart, type Part, type Queryable } from '../../platform/database/database.ts';
import type { Audience } from '../../platform/operator-scope.ts';
import { lastingId } from './events.parts.queries.ts';

const operatorScope = constantPart((db) => db`'00000000-0000-0000-0000-000000000000'::uuid`);

/**
 * Two parts that continue a statement `WITH … changes AS (…), <these>`: an event for each row (company_id, id, type,
 * data) of `changes`, and a delivery to each endpoint of the operator that is subscribed to it, and of its company if that is the audience.
 * So events commit with the changes. One with a `lastingId` that is there already is not recorded again. It waits for an
 * endpoint that is being deleted, and skips it once it is gone.
 */
export const recordingParts: Readonly<Record<Audience, (db: Queryable) => Part>> = {
  company: partsFor(constantPart((db) => db`changes.company_id`)),
  operator: partsFor(operatorScope),
};

function partsFor(owner: (db: Queryable) => Part): (db: Queryable) => Part {
  return constantPart(
    (db) => db`
    recorded AS (
      INSERT INTO events (company_id, id, type, data) SELECT ${owner(db)}, id, type, data FROM changes
      ON CONFLICT DO NOTHING
    ), addressed AS (
      INSERT INTO webhook_deliveries (company_id, endpoint_id, event, about, next_attempt_at)
      SELECT endpoints.company_id, endpoints.id, changes.id, ${owner(db)}, now()
      FROM changes
      JOIN webhook_endpoints AS endpoints ON endpoints.company_id = ANY(ARRAY[${owner(db)}, ${operatorScope(db)}])
      WHERE endpoints.status <> 'disabled'
        AND (endpoints.types = '{}' OR changes.type = ANY(endpoints.types)
             OR split_part(changes.type, '.', 1) || '.*' = ANY(endpoints.types))
      FOR KEY SHARE OF endpoints
      ON CONFLICT DO NOTHING
    )`,
  );
}

/** `data` is JSON text. */
export type NewEvent = { companyId: string; id: string; type: string; data: string };

/** Of an event that happens to this record once, or with this detail once. */
export type EventSubject = { id: string; detail?: string };

/** Inserts one event, with a new id or the `lastingId` of its subject. */
export async function insertEvent(
  db: Queryable,
  companyId: string,
  { type, data, ...named }: Pick<NewEvent, 'type' | 'data'> & ({ id: string } | { subject: EventSubject }),
): Promise<void> {
  const id = 'id' in named ? db`${named.id}::uuid` : nameEvent(db, companyId, type, named.subject);
  await db`
    WITH changes AS (SELECT ${companyId}::uuid AS company_id, ${id} AS id, ${type} AS type, ${data}::text::json AS data),
    ${recordingParts.company(db)}
    SELECT 1`;
}

function nameEvent(db: Queryable, companyId: string, type: string, { id, detail }: EventSubject): Part {
  return lastingId(db, {
    companyId: db`${companyId}::uuid`,
    type: db`${type}::text`,
    id: db`${id}::uuid`,
    ...(detail === undefined ? {} : { detail: db`${detail}::text` }),
  });
}
