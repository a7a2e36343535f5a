import type { TSchema, TString, TUnsafe } from 'typebox';
import { Type } from './type.ts';

/** An id, UUID version 7: ids made later sort later. */
export function uuid(description?: string): TString {
  return Type.String({
    format: 'uuid',
    examples: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'],
    ...(description ? { description } : {}),
  });
}

/** An instant in answers: ISO 8601, UTC, with milliseconds. Serialized from a `Date`. */
export function timestamp(example = '2026-10-01T00:00:00.000Z'): TUnsafe<Date> {
  return Type.Unsafe<Date>({ type: 'string', format: 'date-time', examples: [example] });
}

/** The content of a file of this media type: its bytes, as a handler returns them. */
export function fileContent(mediaType: string): TString {
  return Type.String({ format: 'binary', 'x-media-type': mediaType });
}

/** The media type that an answer of this schema has. */
export function mediaTypeOf(schema: TSchema | null | undefined): string {
  return (schema as { 'x-media-type'?: string } | null | undefined)?.['x-media-type'] ?? 'application/json';
}
