import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { Type } from '../schema/type.ts';
import type { Access } from './types.ts';

type Described = {
  method: string;
  access: Access;
  query?: TSchema;
  body?: TSchema;
  bodyIsOptional?: true;
  mediaTypes?: Record<string, TSchema>;
};

type Schema = {
  properties?: Record<string, object>;
  items?: object;
  anyOf?: object[];
  additionalProperties?: boolean | object;
};

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false });
/** Fastify validates an absent body as null. */
const NO_FIELDS = Type.Unsafe({ type: ['object', 'null'], properties: {}, additionalProperties: false });

/**
 * The operation with schemas that refuse unknown names: query parameters on every route, and fields of the operator's
 * bodies. Companies may send back an object that they read, so unknown fields of their bodies are ignored.
 */
export function refuseUnknownFields<O extends Described>(operation: O): O {
  const { access, query, body, mediaTypes } = operation;
  const closed = { ...operation, ...(query === undefined ? {} : { query: closeObjects(query) }) };
  if (access !== 'operator' || body === undefined) return closed;
  const types = Object.entries(mediaTypes ?? {}).map(([type, schema]) => [type, closeObjects(schema)]);
  return { ...closed, body: closeObjects(body), ...(mediaTypes ? { mediaTypes: Object.fromEntries(types) } : {}) };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page of the dashboard, whose script reads the query. */
    isPage?: true;
  }
}

/** Makes every route but pages check its query: without a schema, it takes no parameters. */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (options) => {
    if (options.config?.isPage) return;
    options.schema = { ...options.schema, querystring: options.schema?.querystring ?? NO_PARAMETERS };
  });
}

/** The schema by which Fastify validates the body. */
export function bodySchemaOf(operation: Described): object | undefined {
  const { body, bodyIsOptional, mediaTypes } = operation;
  if (body === undefined) return noBodySchemaOf(operation);
  // Fastify validates an absent body as null.
  return bodyIsOptional ? { ...body, type: ['object', 'null'] } : bodySchemas(body, mediaTypes);
}

/** One schema, or one per media type in Fastify's form. */
function bodySchemas(body: TSchema, mediaTypes: Record<string, TSchema> | undefined): object {
  if (mediaTypes === undefined) return body;
  const schemas = Object.entries({ 'application/json': body, ...mediaTypes });
  return { content: Object.fromEntries(schemas.map(([type, schema]) => [type, { schema }])) };
}

/** The schema of a body where the operation takes none: on the operator's routes any field is unknown. */
function noBodySchemaOf({ access, method }: Described): TSchema | undefined {
  return access === 'operator' && method !== 'GET' ? NO_FIELDS : undefined;
}

/** Closes every object that names its properties. Others, such as `metadata`, accept any content. */
function closeObjects<S extends object>(schema: S): S {
  const { properties, items, anyOf, additionalProperties } = schema as Schema;
  const inside = Object.entries(properties ?? {}).map(([name, property]) => [name, closeObjects(property)]);
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(inside) }),
    ...(properties === undefined || additionalProperties !== undefined ? {} : { additionalProperties: false }),
    ...(items === undefined ? {} : { items: closeObjects(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(closeObjects) }),
  };
}
