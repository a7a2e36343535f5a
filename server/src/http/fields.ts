import Type, { type TString, type TUnsafe } from 'typebox';

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
