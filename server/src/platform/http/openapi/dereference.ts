import type { Json } from './openapi-components.ts';

/**
 * The document with what it refers to in place of the references, but for schemas that contain themselves. What is referred to
 * more than once is the same object everywhere.
 */
export function dereference<Document extends object>(document: Document): Document {
  const resolved = new Map<string, unknown>();
  const underWay = new Set<string>();
  const containThemselves = new Set<string>();

  const expand = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string') return resolve($ref);
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, expand(inside)]));
  };
  const resolve = (reference: string): unknown => {
    if (resolved.has(reference)) return resolved.get(reference);
    if (underWay.has(reference)) {
      containThemselves.add(reference);
      return { $ref: reference };
    }
    underWay.add(reference);
    const expanded = expand(find(document, reference));
    const result = containThemselves.has(reference) ? { $ref: reference } : expanded;
    resolved.set(reference, result);
    return result;
  };
  return expand(document) as Document;
}

/** @throws Error where a reference leads nowhere */
function find(document: object, reference: string): unknown {
  const path = reference.replace(/^#\//, '').split('/');
  const found = path.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);
  if (found === undefined) throw new Error(`${reference} leads nowhere.`);
  return found;
}
