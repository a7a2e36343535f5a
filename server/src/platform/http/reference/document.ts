import { exampleOf } from '../openapi/openapi-schema.ts';

/** The part of an OpenAPI 3.1 document that the reference page shows, with what it refers to in place (see `dereference`). */
export type ApiDocument = {
  info: { title: string; version: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
};

export type DescribedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
};

export type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };
export type Header = { description?: string };
export type Response = { description: string; content?: Content; headers?: Record<string, Header> };
export type Content = Record<
  string,
  { schema: Schema; example?: unknown; examples?: Record<string, { summary?: string; value: unknown }> }
>;

/** What an operation takes or answers, of the first media type. */
export function bodyOf(content: Content): Content[string] {
  const [body = { schema: {} }] = Object.values(content);
  return body;
}

/** An example of it: its own, or what the examples of its fields add up to. */
export function exampleIn({ schema, example }: Content[string]): unknown {
  return example ?? exampleOf(schema);
}

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
};

/** An operation with its place: what a heading and a link need. */
export type PathOperation = { method: string; path: string; operation: DescribedOperation };

/** The operations that carry a tag, in the order of the document. */
export function operationsOf({ paths }: ApiDocument, tag: string): PathOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** A name as the fragment of an address: `Billing information` is `billing-information`. */
export function anchorOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]+/g, '-');
}
