import type { Components, Json } from './openapi-components.ts';
import { HEADERS } from './openapi-text.ts';

/** Adds what the headers of answers say. */
export function addHeaders(components: Components): void {
  for (const [name, description] of Object.entries(HEADERS)) {
    components.add('headers', name, { description, schema: { type: 'string' } });
  }
}

/** The headers of an answer. */
export function headersOf(names: readonly (keyof typeof HEADERS)[]): Json {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}
