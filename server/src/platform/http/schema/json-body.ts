import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'secure-json-parse';
import { ApiError } from '../../errors.ts';

const MAX_DEPTH = 32;
/** Twice what the longest list of any route needs. Names cost most: 50,000 different ones took 40 ms to parse. */
export const MAX_VALUES = 25_000;
/** Where numbers are read as text, which doubles the time. */
export const MAX_VALUES_WITH_EXACT_NUMBERS = 12_500;
/** Far more than any amount has. Expanding a longer number takes quadratic time. */
const MAX_WRITTEN_OUT_LENGTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Accepts only `application/json` in UTF-8. An empty body means no body. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  acceptJson(app, ['application/json']);
}

/** Also accepts these media types, which are JSON and follow the same rules. */
export function acceptJson(app: FastifyInstance, mediaTypes: string[]): void {
  app.addContentTypeParser(mediaTypes, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseBody(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Ignores the media type of a request without a body on a route that takes none, because clients send one anyway, such
 * as axios `application/x-www-form-urlencoded` on every PUT and POST. A body of that type is still refused.
 */
export function ignoreTypeOfEmptyBody({ headers }: FastifyRequest): void {
  if (headers['content-type'] === undefined || headers['transfer-encoding'] !== undefined) return;
  if ((headers['content-length'] ?? '0') === '0') headers['content-type'] = undefined;
}

function parseBody(request: FastifyRequest, body: Buffer): unknown {
  refuseOtherCharsets(request.headers['content-type'] ?? '');
  refuseEncodings(request.headers['content-encoding'] ?? 'identity');
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new ApiError('invalid_request', 'The body is not valid UTF-8.');
  const { config, schema } = request.routeOptions;
  refuseDeepOrLarge(body, config.exactNumbers?.length ? MAX_VALUES_WITH_EXACT_NUMBERS : MAX_VALUES);
  const text = body.toString('utf8');
  const value = parseJson(text, null);
  if (config.keepsBodyBytes) request.bodyBytes = body;
  if (config.exactNumbers?.length) {
    keepNumberTexts(schema?.body as BodySchema, value, parseJson(text, readNumberText), config.exactNumbers);
  }
  // In valid UTF-8 only an escape can add half a surrogate pair, or U+0000.
  if (text.includes('\\u')) refuseUnstorableText(value);
  return value;
}

function refuseOtherCharsets(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ApiError('unsupported_media_type', 'The body must be JSON in UTF-8.');
  }
}

/** Refuses a compressed body, whose real size is unknown: 415, as RFC 9110 (15.5.16) says. */
function refuseEncodings(encoding: string): void {
  if (!/^identity$/i.test(encoding)) {
    throw new ApiError('unsupported_media_type', 'The body must be sent as it is, without Content-Encoding.');
  }
}

/**
 * Counts a value for each comma and each opened list or object, in one pass before parsing: the parser itself accepts
 * any depth, but later code does not.
 */
function refuseDeepOrLarge(body: Buffer, maxValues: number): void {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === QUOTE) index = endOfString(body, index + 1);
    else if (byte === COMMA) values += 1;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    if (depth > MAX_DEPTH) throw new ApiError('invalid_request', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    if (values > maxValues) throw new ApiError('invalid_request', `The body contains more than ${maxValues} values.`);
  }
}

/** Where a string ends whose first character is there. Most of a body is in strings, so this is a loop of its own. */
function endOfString(body: Buffer, start: number): number {
  let index = start;
  while (index < body.length && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1;
  return index;
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

function parseJson(text: string, reviver: Reviver | null): unknown {
  try {
    return parse(text, reviver, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid JSON, or has a key that is not allowed.');
  }
}

/** A number as the text that the client wrote (JSON.parse source text access, ECMAScript 2026). */
function readNumberText(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

/**
 * `1.5e-3` becomes `0.0015`, and `12.0` becomes `12`: JSON Schema calls both an integer. A number beyond any amount is
 * left for the field's rule to refuse.
 */
function writeOutNumber(source: string): string {
  if (source.length > MAX_WRITTEN_OUT_LENGTH) return source;
  const parts = /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d{1,2})$/i.exec(source);
  if (parts === null) return source.replace(/\.0+$/, '');
  const [, sign = '', whole = '', fraction = '', exponent = ''] = parts;
  const zeros = '0'.repeat(Math.abs(Number(exponent)));
  const digits = `${zeros}${whole}${fraction}${zeros}`;
  const point = zeros.length + whole.length + Number(exponent);
  const number = `${digits.slice(0, point)}.${digits.slice(point)}`;
  return sign + number.replace(/^0+(?=\d)/, '').replace(/\.?0*$/, '');
}

type BodySchema = { properties?: Record<string, BodySchema>; items?: BodySchema };

/**
 * Replaces a number by its text, so that 90071992547409.93, which a binary float can't represent, stays exact. Only in
 * schema fields with one of these names, not in free-form objects.
 */
function keepNumberTexts(schema: BodySchema, value: unknown, texts: unknown, names: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  const fieldTexts = texts as Record<string, unknown>;
  for (const [key, item] of Object.entries(fields)) {
    const inside = schema.items ?? schema.properties?.[key];
    if (inside === undefined) continue;
    if (typeof item === 'number' && names.includes(key)) fields[key] = writeOutNumber(String(fieldTexts[key]));
    else keepNumberTexts(inside, item, fieldTexts[key], names);
  }
}

function refuseUnstorableText(value: unknown): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed() || value.includes('\0')) {
      throw new ApiError('invalid_request', 'The body contains text with U+0000 or half a surrogate pair.');
    }
  } else if (Array.isArray(value)) {
    for (const item of value) refuseUnstorableText(item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      refuseUnstorableText(key);
      refuseUnstorableText(item);
    }
  }
}
