import type { TSchema } from 'typebox';
import { ERROR_CODES, type ErrorCode } from '../../errors.ts';
import type { Operation } from '../route/operation.ts';
import { mediaTypeOf } from '../schema/fields.ts';
import { resourceOf } from '../schema/path-ids.ts';
import { describeType } from '../schema/validation.ts';
import { ANY_VALUE, EXAMPLE_ID, exampleOf, type Json, publicSchema, requestSchema } from './openapi-schema.ts';
import { HEADERS, introduction, SUCCESSES, TAG_DESCRIPTIONS, UNDECIDED } from './openapi-text.ts';
import { describeWebhooks, eventTable, type WebhookCatalogue } from './openapi-webhooks.ts';

/** The OpenAPI 3.1 document of operations and of what is sent out. Their schemas are JSON Schema already, so they go in as they are. */
export function describeApi(operations: readonly Operation[], webhooks: WebhookCatalogue, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Paydesk',
      version,
      description: introduction(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: describeTags(operations, webhooks),
    paths,
    webhooks: describeWebhooks(webhooks, jsonContent),
    components: {
      schemas: { Error: errorSchema(), AnyValue: ANY_VALUE },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
      ),
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'From sign-up or login: `data.access_token`.',
        },
        operatorKey: { type: 'http', scheme: 'bearer', description: "The operator's key, `opk_…`." },
      },
    },
  };
}

/** In the order of their descriptions; those without one stand last. */
function describeTags(operations: readonly Operation[], webhooks: WebhookCatalogue): Json[] {
  const names = new Set(operations.map(({ tag }) => tag));
  const known = Object.keys(TAG_DESCRIPTIONS).filter((name) => names.has(name));
  return [...new Set([...known, ...names])].map((name) => {
    const description = TAG_DESCRIPTIONS[name];
    if (name === 'Webhooks') return { name, description: `${description}\n\n${eventTable(webhooks)}` };
    return description === undefined ? { name } : { name, description };
  });
}

function describeOperation(operation: Operation): Json {
  const { operationId, tag, summary, description, access, body, mediaTypes } = operation;
  const permission = access.includes('.') ? `Needs the permission \`${access}\`.` : '';
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, permission].filter(Boolean).join('\n\n'),
    security: access === 'public' ? [] : [{ [access === 'operator' ? 'operatorKey' : 'accessToken']: [] }],
    parameters: parametersOf(operation),
    ...(body === undefined ? {} : { requestBody: { required: true, content: bodyContent(body, mediaTypes) } }),
    responses: { ...successesOf(operation), ...refusalsOf(operation) },
  };
}

function parametersOf({ url, query, idempotency, resource }: Operation): Json[] {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = ''], index, all) => ({
    name,
    in: 'path',
    required: true,
    description: `The id of the ${resourceOf(name, { isLast: index === all.length - 1, resource })}.`,
    schema: { type: 'string', format: 'uuid' },
  }));
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && schema.default === undefined,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    schema: requestSchema(schema),
  }));
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repeat safe: for 24 hours the same key answers with the first answer and `Idempotent-Replayed: true`.',
    // A header has no space at its ends (RFC 9110, 5.5).
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~](?:[ -~]*[!-~])?$' },
  };
  return [...inPath, ...inQuery, ...(idempotency === undefined ? [] : [key])];
}

function successesOf({ response, examples, idempotency }: Operation): Json {
  const isUndecided = (status: string) => status === '202' && idempotency === 'run';
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => [
      status,
      {
        description: isUndecided(status) ? UNDECIDED : (SUCCESSES[status] ?? 'Done.'),
        ...headersOf([
          ...(isUndecided(status) ? (['Retry-After'] as const) : []),
          ...(idempotency === undefined ? [] : (['Idempotent-Replayed'] as const)),
        ]),
        ...(schema === null ? {} : { content: jsonContent(schema, examples?.[Number(status)]) }),
      },
    ]),
  );
}

function headersOf(names: readonly (keyof typeof HEADERS)[]): Json {
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

/** What an operation can be refused with: what its access, path and method imply, and what it says itself. */
function impliedErrors({ access, url, idempotency, method, heldWithCharges }: Operation): ErrorCode[] {
  const guarded: ErrorCode[] = access === 'public' ? [] : ['unauthenticated', 'forbidden'];
  const addressed: ErrorCode[] = url.includes(':') ? ['not_found'] : [];
  const bodied: ErrorCode[] = method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type'];
  const keyed: ErrorCode[] = idempotency === undefined ? [] : ['idempotency_key_in_use', 'idempotency_key_reused'];
  const held: ErrorCode[] = heldWithCharges ? ['charges_held'] : [];
  // Any request may hold U+0000 in its query, or a body that does not parse.
  const always: ErrorCode[] = ['invalid_request', 'rate_limited', 'internal_error', 'service_unavailable'];
  return [...guarded, ...addressed, ...bodied, ...keyed, ...held, ...always];
}

function refusalsOf(operation: Operation): Json {
  const codes = new Set([...operation.errors, ...(operation.tag === 'Operations' ? [] : impliedErrors(operation))]);
  const byStatus = Object.groupBy(codes, (code) => ERROR_CODES[code][0]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus = []]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${ERROR_CODES[code][1]}`).join('\n\n'),
        ...headersOf(ofStatus.some((code) => WAITING_CODES.has(code)) ? ['Retry-After'] : []),
        ...headersOf(status === '401' ? ['WWW-Authenticate'] : []),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(ofStatus.map((code) => [code, errorExample(code, operation)])),
          },
        },
      },
    ]),
  );
}

/** The codes that come with `Retry-After`. */
const WAITING_CODES = new Set<ErrorCode>([
  'payment_in_progress',
  'idempotency_key_in_use',
  'rate_limited',
  'charges_held',
  'service_unavailable',
]);

function errorExample(code: ErrorCode, operation: Operation): Json {
  const [, meaning] = ERROR_CODES[code];
  const detail = code === 'invalid_request' ? refusedField(operation) : undefined;
  const error = {
    code,
    message: detail === undefined ? meaning.replaceAll('`', '') : `${detail.field} ${detail.message}.`,
    details: detail === undefined ? [] : [detail],
    ...(code === 'card_declined' ? { declineCode: 'insufficient_funds' } : {}),
    requestId: EXAMPLE_ID,
  };
  return { summary: meaning, value: operation.url.startsWith('/auth/') ? { error, data: null } : { error } };
}

/** A field of the operation's own that an `invalid_request` may be about. */
function refusedField({ body, query }: Operation): { field: string; message: string } | undefined {
  const schema = (body ?? query) as { properties?: Record<string, Json>; required?: string[] } | undefined;
  const [name, field] = Object.entries(schema?.properties ?? {})[0] ?? [];
  if (name === undefined) return undefined;
  if (body !== undefined && schema?.required?.includes(name)) return { field: name, message: 'is required' };
  return { field: name, message: describeType((field?.type as string | string[] | undefined) ?? 'string') };
}

function errorSchema(): Json {
  const details = {
    type: 'array',
    items: {
      type: 'object',
      required: ['field', 'message'],
      properties: { field: { type: 'string' }, message: { type: 'string' } },
    },
  };
  const properties = {
    code: { type: 'string', enum: Object.keys(ERROR_CODES) },
    message: { type: 'string', description: 'For people.' },
    details: { ...details, description: 'The fields that break a rule; empty for other errors.' },
    declineCode: { type: 'string', description: "The bank's reason, with `card_declined`." },
    requestId: { type: 'string', description: 'The same as the `X-Request-Id` header.' },
  };
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'object', required: ['code', 'message', 'details', 'requestId'], properties },
      data: { type: 'null', description: 'Stands on `/auth/*` alone.' },
    },
  };
}

function bodyContent(body: TSchema, mediaTypes: Record<string, TSchema> = {}): Json {
  const types = Object.entries({ 'application/json': body, ...mediaTypes });
  return Object.fromEntries(
    types.map(([type, schema]) => [
      type,
      { schema: requestSchema(schema as Json), example: exampleOf(schema as Json) },
    ]),
  );
}

function jsonContent(schema: TSchema, differences?: object): Json {
  const mediaType = mediaTypeOf(schema);
  if ((schema as { format?: string }).format === 'binary') return { [mediaType]: { schema: publicSchema(schema) } };
  const example = merge(exampleOf(schema as Json), differences);
  return { [mediaType]: { schema: publicSchema(schema), example } };
}

/** The example with some of its values replaced. In lists, items are paired by their place. */
function merge(example: unknown, differences: unknown): unknown {
  if (differences === undefined) return example;
  if (Array.isArray(example) && Array.isArray(differences)) {
    return differences.map((difference, index) => merge(example[index], difference));
  }
  if (!isObject(example) || !isObject(differences)) return differences;
  const replaced = Object.entries(differences).map(([name, value]) => [name, merge(example[name], value)]);
  return { ...example, ...Object.fromEntries(replaced) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
