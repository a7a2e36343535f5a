import { constantPart, type Part, type Tx } from '../../../platform/database/database.ts';
import type { UsageEvent } from './events.ts';

/**
 * The columns of events, one array each, which PostgreSQL reads faster than JSON: digest, happened_ms, quantity, path, source, event.
 * The arguments of `unnest`, after others.
 */
export function eventArrays(tx: Tx, events: readonly UsageEvent[]): Part {
  return tx`
    ${listOf(events, ({ digest }) => digest)}::text::uuid[],
    ${listOf(events, ({ happenedAtMs }) => happenedAtMs)}::text::bigint[],
    ${listOf(events, ({ quantity }) => quantity)}::text::bigint[],
    ${textListOf(events, ({ path }) => path)}::text::text[],
    ${textListOf(events, ({ source }) => source)}::text::text[],
    ${textListOf(events, ({ id }) => id)}::text::text[]`;
}

/** The columns that `eventArrays` makes. */
export const EVENT_COLUMNS = 'digest, happened_ms, quantity, path, source, event';

/** An array in PostgreSQL's text form. */
export function listOf<Event>(events: readonly Event[], value: (event: Event) => string | number): string {
  return `{${events.map(value).join()}}`;
}

function textListOf<Event>(events: readonly Event[], value: (event: Event) => string): string {
  if (events.length === 0) return '{}';
  const texts = events.map((event) => {
    const text = value(event);
    return /[\\"]/.test(text) ? text.replace(/[\\"]/g, '\\$&') : text;
  });
  return `{"${texts.join('","')}"}`;
}

/**
 * Parts of a `WITH`: stores the rows of `accepted` (company_id and the columns above) as events, and adds them to the sums of their
 * companies, so that both happen or neither.
 */
export const storeAccepted = constantPart(
  (db) => db`
    stored AS (
      INSERT INTO usage_events (company_id, stored_at, digest, happened_at, quantity, path, source, event)
      SELECT company_id, now(), digest, timestamptz '1970-01-01T00:00:00Z' + happened_ms * interval '1 millisecond', quantity,
             path, source, event
      FROM accepted
    ), added AS (
      INSERT INTO usage_deltas (company_id, hour, path, quarter_1, quarter_2, quarter_3, quarter_4)
      SELECT company_id, timestamptz '1970-01-01T00:00:00Z' + hour * interval '1 hour', path,
             coalesce(sum(quantity) FILTER (WHERE quarter = 0), 0), coalesce(sum(quantity) FILTER (WHERE quarter = 1), 0),
             coalesce(sum(quantity) FILTER (WHERE quarter = 2), 0), coalesce(sum(quantity) FILTER (WHERE quarter = 3), 0)
      FROM (
        SELECT company_id, path, quantity, happened_ms / 3600000 AS hour, happened_ms / 900000 % 4 AS quarter FROM accepted
      ) AS accepted
      GROUP BY company_id, hour, path
    )`,
);
