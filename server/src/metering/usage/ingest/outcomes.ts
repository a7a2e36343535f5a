import { invalidField } from '../../../platform/errors.ts';
import { type Json, withParts } from '../../../platform/http/schema/json.ts';
import { cutText } from './events.ts';
import type { IngestionResult } from './ingest.schema.ts';

/** Why an event is not stored. The message says what the field must be; without a field it is about the event. */
export type Refusal = { reason: RejectionReason; field: string; message: string } | 'duplicate';
type RejectionReason = 'invalid_event' | 'unknown_company' | 'time_in_future' | 'too_late';

/** Which events of a request were refused, and which wait for a company, by their indexes. The others are usage of their companies. */
export type Outcome = { refusals: ReadonlyMap<number, Refusal>; unattributed: ReadonlySet<number> };

export const UNKNOWN_COMPANY: Refusal = {
  reason: 'unknown_company',
  field: 'subject',
  message: 'must be the id of a company',
};

export const IN_FUTURE: Refusal = {
  reason: 'time_in_future',
  field: 'time',
  message: 'must not be more than 5 minutes in the future',
};

/** A repeat of an event that was removed after the retention time could not be recognized. */
export const BEFORE_RETENTION: Refusal = {
  reason: 'too_late',
  field: 'time',
  message: 'must not be before the oldest usage that is still kept',
};

/** The answer to a request with events of these ids, as JSON text. Most are accepted; their results are written as text directly. */
export function toAnswer(
  ids: readonly (string | null)[],
  { refusals, unattributed }: Outcome,
): Json<typeof IngestionResult> {
  const duplicate = [...refusals.values()].filter((refusal) => refusal === 'duplicate').length;
  const rejected = refusals.size - duplicate;
  const accepted = ids.length - refusals.size;
  const results = ids.map((given, index) => {
    const id = JSON.stringify(given);
    const refusal = refusals.get(index);
    if (refusal === 'duplicate') return `{"id":${id},"status":"duplicate","reason":null,"message":null}`;
    if (refusal !== undefined) {
      const { reason, field, message } = refusal;
      return `{"id":${id},"status":"rejected","reason":"${reason}","message":${JSON.stringify(`${field} ${message}`.trim())}}`;
    }
    const waits = unattributed.has(index) ? ',"unattributed":true' : '';
    return `{"id":${id},"status":"accepted","reason":null,"message":null${waits}}`;
  });
  const json = `[${results.join()}]` as Json<typeof IngestionResult.properties.results>;
  return withParts({ accepted, duplicate, rejected }, { results: json });
}

/** The answer to a request of one event. @throws ApiError 400 when it was refused, unless it is a duplicate */
export function toAnswerOfOne(ids: readonly (string | null)[], outcome: Outcome): Json<typeof IngestionResult> {
  const refusal = outcome.refusals.get(0);
  if (refusal !== undefined && refusal !== 'duplicate') throw invalidField(refusal.field, refusal.message);
  return toAnswer(ids, outcome);
}

/** The event's id in the result, truncated to the longest allowed length. */
export function idOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null || !('id' in item)) return null;
  return typeof item.id === 'string' ? cutText(item.id.trim()) : null;
}
