import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../platform/database/database.ts';
import type { EventDeclaration } from '../../platform/http/openapi/openapi-webhooks.ts';
import { insertEvent } from './events.queries.ts';
import { insertEvents } from './events.worker.queries.ts';

// For statements that change something and record it at once.
export { recordingParts } from './events.queries.ts';
export { removeOldEvents } from './events.worker.queries.ts';

/** `data` is what the API shows of the object after the change (before it, when it is deleted): an object, or JSON text. */
export type EventInput<Type extends string> = { type: Type; data: object | string };

/** The events of a feature. */
export type FeatureEvents<Type extends string> = {
  declarations: Readonly<Record<Type, EventDeclaration>>;
  /**
   * Records that something happened, for the operator's list and for the webhook endpoints that asked for it. Call it in the
   * transaction that makes the change: then an event is there exactly when the change is. `data` never holds what the API does not show.
   */
  record: (db: Queryable, companyId: string, event: EventInput<Type>) => Promise<void>;
  /** The same for many at once, of whatever companies, in one statement. */
  recordMany: (db: Queryable, events: readonly (EventInput<Type> & { companyId: string })[]) => Promise<void>;
};

/** Declares the events of a feature, which puts them on its list entry; only these can be recorded with what comes back. */
export function declareEvents<Type extends string>(
  declarations: Readonly<Record<Type, EventDeclaration>>,
): FeatureEvents<Type> {
  return {
    declarations,
    record: (db, companyId, { type, data }) => insertEvent(db, companyId, { id: uuidv7(), type, data: toJson(data) }),
    recordMany: async (db, events) => {
      if (events.length === 0) return;
      await insertEvents(
        db,
        events.map(({ companyId, type, data }) => ({ companyId, id: uuidv7(), type, data: toJson(data) })),
      );
    },
  };
}

function toJson(data: object | string): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
