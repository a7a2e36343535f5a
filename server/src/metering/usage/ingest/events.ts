import { hash } from 'node:crypto';
import type { ErrorDetail } from '../../../platform/errors.ts';
import { INSTANT_PATTERN, parseInstant } from '../../../platform/http/schema/instants.ts';
import { checkCompanyId, documentedRule } from '../../../platform/http/schema/text-rules.ts';
import { hideCardNumbers, holdsCardNumber } from '../../../platform/logging/card-numbers.ts';

/** The `type` of the events that count as usage. */
export const USAGE_EVENT_TYPE = 'paydesk.usage';

/** So many of it in one quarter of an hour as would overflow its sum, of 64 bits, can't come. */
export const MAX_QUANTITY = 1_000_000_000;

/** What CloudEvents 1.0 lets the attributes of an event be called, its own and extensions ("Naming Conventions"). */
export const ATTRIBUTE_NAME = /^[a-z0-9]+$/;

const MAX_TEXT_CHARACTERS = 255;
/** An earlier event is one whose sender took seconds for milliseconds. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);

/** An event that is well-formed. Whether its company exists and its time has come, the database knows. */
export type UsageEvent = {
  companyId: string;
  /** Source and id as they are kept: machines make them, so what looks like a card number is masked, not refused. */
  source: string;
  id: string;
  /** 128 bits of SHA-256 over source and id, as hexadecimal digits: what repeats are known by. */
  digest: string;
  happenedAtMs: number;
  path: string;
  quantity: number;
};

/** The rule for the time of an event. */
export const checkEventTime = documentedRule({ pattern: INSTANT_PATTERN }, (text) => {
  const ms = readTime(text);
  if (Number.isNaN(ms)) return ['must be a date-time with a zone, such as 2026-10-01T00:00:00Z'];
  return ms < EARLIEST_MS ? ['must not be before the year 2000'] : [];
});

const TIME_IN_UTC = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
let lastDate = '';

/** In milliseconds since 1970; NaN for what is no instant. Most events are of the day of the one before, whose date is known to exist. */
function readTime(text: string): number {
  const date = text.slice(0, 10);
  if (date === lastDate && TIME_IN_UTC.test(text.slice(10))) return Date.parse(text);
  const instant = parseInstant(text);
  if (instant === null) return Number.NaN;
  lastDate = date;
  return instant.getTime();
}

/**
 * Reads a CloudEvent 1.0 of usage, or says which of its attributes breaks a rule; the field is empty for what is no object. The rules
 * are those of `UsageCloudEventBody`, which takes longer over a thousand of them. Extension attributes are passed over.
 */
export function readUsageEvent(value: unknown): UsageEvent | ErrorDetail {
  if (!isObject(value)) return { field: '', message: 'must be an object' };
  if (value.specversion !== '1.0') return { field: 'specversion', message: 'must be 1.0' };
  if (value.type !== USAGE_EVENT_TYPE) return { field: 'type', message: `must be ${USAGE_EVENT_TYPE}` };
  const id = readText(value.id);
  if (id === null) return { field: 'id', message: TEXT_RULE };
  const source = readText(value.source);
  if (source === null) return { field: 'source', message: TEXT_RULE };
  const subject = readText(value.subject) ?? '';
  for (const message of checkCompanyId(subject)) return { field: 'subject', message };
  const time = readText(value.time) ?? '';
  const happenedAtMs = readTime(time);
  if (!(happenedAtMs >= EARLIEST_MS)) return { field: 'time', message: checkEventTime(time).join() };
  if (!isObject(value.data)) return { field: 'data', message: 'must be an object' };
  const path = readText(value.data.path);
  if (path === null) return { field: 'data.path', message: TEXT_RULE };
  if (holdsCardNumber(path)) return { field: 'data.path', message: 'must not hold a card number' };
  const { quantity = 1 } = value.data;
  if (!isQuantity(quantity)) {
    return { field: 'data.quantity', message: `must be a whole number from 0 to ${MAX_QUANTITY}` };
  }
  const unknown = findUnknown(value, value.data);
  if (unknown !== null) return { field: cutText(unknown), message: 'is not a field of this request' };
  // The length keeps "a" + "bc" and "ab" + "c" apart.
  const digest = hash('sha256', `${source.length} ${source}${id}`).slice(0, 32);
  const kept = { source: hideCardNumbers(source), id: hideCardNumbers(id) };
  return { companyId: subject.toLowerCase(), ...kept, digest, happenedAtMs, path, quantity };
}

/** The first name that no attribute has, or that is none of the data's: a misspelt `quantity` would count as 1. */
function findUnknown(event: Record<string, unknown>, data: Record<string, unknown>): string | null {
  for (const name in event) if (!ATTRIBUTE_NAME.test(name)) return name;
  for (const name in data) if (name !== 'path' && name !== 'quantity') return `data.${name}`;
  return null;
}

const TEXT_RULE = `must be a text of 1 to ${MAX_TEXT_CHARACTERS} characters`;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Trimmed; null for what is no text, empty or too long. Characters count as code points, as they do everywhere else. */
function readText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text === '' || (text.length > MAX_TEXT_CHARACTERS && [...text].length > MAX_TEXT_CHARACTERS)) return null;
  return text;
}

/** As much of a text as it may have; half a character is never left of one. */
export function cutText(text: string): string {
  return text.length > MAX_TEXT_CHARACTERS ? [...text].slice(0, MAX_TEXT_CHARACTERS).join('') : text;
}

function isQuantity(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_QUANTITY;
}
