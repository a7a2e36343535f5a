import { v7 as uuidv7 } from 'uuid';
import type { Part, Queryable } from '../../platform/database/database.ts';
import type { EventDeclaration } from '../../platform/http/openapi/openapi-webhooks.ts';
import { ownerOf } from '../../platform/operator-scope.ts';
import { type EventSubject, insertEvent, recordingParts } from './events.queries.ts';
import { insertEvents } from './events.worker.queries.ts';

// For statements that make a change and record its event at once.
export { removeOldEvents } from './events.worker.queries.ts';

/**
 * `data` is the object as the API shows it after the change (before it, if it was deleted): an object, or JSON text.
 */
export type EventInput<Type extends string> = { type: Type; data: object | string };

/** With a `subject` to which the event happens once, it has the same id when it is recorded again after a restore. */
type SingleEvent<Type extends string> = EventInput<Type> & { subject?: EventSubject };

/** The events of one feature. */
export type FeatureEvents<Type extends string> = {
  declarations: Readonly<Record<Type, EventDeclaration>>;
  /**
   * Records an event for the operator's list and for the webhook endpoints that are subscribed to it. Call it in the
   * transaction that makes the change, so that the event exists exactly when the change does. `data` must not hold
   * what the API does not show to the event's audience.
   * @param companyId - the company that it is about; null for none
   */
  record: (db: Queryable, companyId: string | null, event: SingleEvent<Type>) => Promise<void>;
  /** Records many events, of any companies, in one statement. */
  recordMany: (db: Queryable, events: readonly (EventInput<Type> & { companyId: string })[]) => Promise<void>;
  /**
   * Parts that record events of this type in the statement that makes the changes: `WITH … changes AS (…), <these>`, where
   * `changes` has the columns company_id, id, type and data.
   */
  recordingParts: (db: Queryable, type: Type) => Part;
};

/**
 * Declares a feature's events. The result goes into the feature's entry, and only these events can be recorded with it.
 */
export function declareEvents<Type extends string>(
  declarations: Readonly<Record<Type, EventDeclaration>>,
): FeatureEvents<Type> {
  return {
    declarations,
    record: (db, companyId, { type, data, subject }) => {
      const named = subject === undefined ? { id: uuidv7() } : { subject };
      const owner = ownerOf(declarations[type].audience, companyId);
      return insertEvent(db, owner, { ...named, type, data: toJson(data) });
    },
    recordMany: async (db, events) => {
      if (events.length === 0) return;
      await insertEvents(
        db,
        events.map(({ companyId, type, data }) => {
          const owner = ownerOf(declarations[type].audience, companyId);
          return { companyId: owner, id: uuidv7(), type, data: toJson(data) };
        }),
      );
    },
    recordingParts: (db, type) => recordingParts[declarations[type].audience](db),
  };
}

function toJson(data: object | string): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
