import { hash } from 'node:crypto';
import type { ErrorDetail } from '../../../platform/errors.ts';
import { NO_COMPANY, readCompanyId } from '../../../platform/http/company-ids/company-id.ts';
import { INSTANT_PATTERN, parseInstant } from '../../../platform/http/schema/instants.ts';
import { documentedRule } from '../../../platform/http/schema/text-rules.ts';
import { hideCardNumbers, holdsCardNumber } from '../../../platform/logging/card-numbers.ts';

/** The `type` of usage events. */
export const USAGE_EVENT_TYPE = 'paydesk.usage';

/** Small enough that the 64-bit sum of a quarter of an hour can't overflow. */
export const MAX_QUANTITY = 1_000_000_000;

/** The allowed attribute names, its own and those of extensions (CloudEvents 1.0, "Naming Conventions"). */
export const ATTRIBUTE_NAME = /^[a-z0-9]+$/;

const MAX_TEXT_CHARACTERS = 255;
/** An earlier event comes from a sender that mistook seconds for milliseconds. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);

/** A well-formed event. Whether its company exists and whether its time is acceptable is checked by the database. */
export type UsageEvent = {
  /** The UUID; until it is looked up, `NO_COMPANY` for a company that was named by its external id. */
  companyId: string;
  /** By which the event names its company; null when it does so by the UUID. */
  externalId: string | null;
  /**
   * Source and id as stored. Machines generate them, so digits that look like a card number are masked instead of
   * refused.
   */
  source: string;
  id: string;
  /** 128 bits of SHA-256 over source and id, in hexadecimal, by which repeats are recognized. */
  digest: string;
  /** The first 48 bits of the digest: events are sorted by a number in half the time. */
  rank: number;
  happenedAtMs: number;
  path: string;
  quantity: number;
};

/** A well-formed event with its index in the request. */
export type IndexedEvent = UsageEvent & { index: number };

/** The rule for the time of an event. */
export const checkEventTime = documentedRule({ pattern: INSTANT_PATTERN }, (text) => {
  const ms = readTime(text);
  if (Number.isNaN(ms)) return ['must be a date-time with a zone, such as 2026-10-01T00:00:00Z'];
  return ms < EARLIEST_MS ? ['must not be before the year 2000'] : [];
});

const TIME_IN_UTC = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
let lastDate = '';

/**
 * Milliseconds since 1970; NaN when the text is not an instant. Most events are of the same day as the previous one,
 * whose date is known to exist.
 */
function readTime(text: string): number {
  const date = text.slice(0, 10);
  if (date === lastDate && TIME_IN_UTC.test(text.slice(10))) return Date.parse(text);
  const instant = parseInstant(text);
  if (instant === null) return Number.NaN;
  lastDate = date;
  return instant.getTime();
}

/**
 * Reads a usage event in CloudEvents 1.0 form, or says which attribute is invalid; the field is empty when the value is
 * not an object. The rules are those of `UsageCloudEventBody`, whose validation is slower for a thousand events.
 * Extension attributes are ignored.
 */
export function readUsageEvent(value: unknown, index: number): IndexedEvent | ErrorDetail {
  if (!isObject(value)) return { field: '', message: 'must be an object' };
  if (value.specversion !== '1.0') return { field: 'specversion', message: 'must be 1.0' };
  if (value.type !== USAGE_EVENT_TYPE) return { field: 'type', message: `must be ${USAGE_EVENT_TYPE}` };
  const id = readText(value.id);
  if (id === null) return { field: 'id', message: TEXT_RULE };
  const source = readText(value.source);
  if (source === null) return { field: 'source', message: TEXT_RULE };
  const company = typeof value.subject === 'string' ? readCompanyId(value.subject.trim()) : null;
  if (company === null) return { field: 'subject', message: 'must be the id of a company' };
  const time = readText(value.time) ?? '';
  const happenedAtMs = readTime(time);
  if (!(happenedAtMs >= EARLIEST_MS)) return { field: 'time', message: checkEventTime(time).join() };
  if (!isObject(value.data)) return { field: 'data', message: 'must be an object' };
  const path = readText(value.data.path);
  if (path === null) return { field: 'data.path', message: TEXT_RULE };
  if (holdsCardNumber(path)) return { field: 'data.path', message: 'must not contain a card number' };
  const { quantity = 1 } = value.data;
  if (!isQuantity(quantity)) {
    return { field: 'data.quantity', message: `must be a whole number from 0 to ${MAX_QUANTITY}` };
  }
  const unknown = findUnknown(value, value.data);
  if (unknown !== null) return { field: cutText(unknown), message: 'is not a field of this request' };
  // The length distinguishes "a" + "bc" from "ab" + "c".
  const digest = hash('sha256', `${source.length} ${source}${id}`).slice(0, 32);
  const isNamed = !('id' in company);
  return {
    index,
    companyId: isNamed ? NO_COMPANY : company.id,
    externalId: isNamed ? company.externalId : null,
    source: hideCardNumbers(source),
    id: hideCardNumbers(id),
    digest,
    rank: Number.parseInt(digest.slice(0, 12), 16),
    happenedAtMs,
    path,
    quantity,
  };
}

/** The first name that is neither an attribute nor a field of the data: a misspelt `quantity` would count as 1. */
function findUnknown(event: Record<string, unknown>, data: Record<string, unknown>): string | null {
  for (const name in event) if (!ATTRIBUTE_NAME.test(name)) return name;
  for (const name in data) if (name !== 'path' && name !== 'quantity') return `data.${name}`;
  return null;
}

const TEXT_RULE = `must be a text of 1 to ${MAX_TEXT_CHARACTERS} characters`;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The trimmed text; null when it is not text, empty or too long. Characters are code points. */
function readText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text === '' || (text.length > MAX_TEXT_CHARACTERS && [...text].length > MAX_TEXT_CHARACTERS)) return null;
  return text;
}

/** Truncates a text to the longest allowed length, without splitting a character. */
export function cutText(text: string): string {
  return text.length > MAX_TEXT_CHARACTERS ? [...text].slice(0, MAX_TEXT_CHARACTERS).join('') : text;
}

function isQuantity(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_QUANTITY;
}
