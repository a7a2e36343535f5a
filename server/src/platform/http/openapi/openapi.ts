import { isOpenToIntegrations, staffRoleFor } from '../../operator-roles.ts';
import { COMPANY_ID_IN_PATH, COMPANY_ID_PATTERN } from '../company-ids/company-id.ts';
import { acceptsApiKeys, type Operation } from '../route/operation.ts';
import { NOT_IDS, resourceOf } from '../schema/path-ids.ts';
import { type Components, createComponents, type Json, pascalCase } from './openapi-components.ts';
import { describeAnswer, describeBody } from './openapi-content.ts';
import { addHeaders, headersOf } from './openapi-headers.ts';
import { addErrorSchema, describeRefusals } from './openapi-refusals.ts';
import { ANY_VALUE, nameOf, requestSchema } from './openapi-schema.ts';
import { introduction, OUTCOME_PENDING, SUCCESSES, TAG_DESCRIPTIONS } from './openapi-text.ts';
import { describeWebhooks, eventTable, type WebhookCatalogue } from './openapi-webhooks.ts';

/**
 * The OpenAPI 3.1 document of operations and of what is sent out. Their schemas are JSON Schema already, so they go in as they are;
 * what has a name stands under `components`, once.
 */
export function describeApi(operations: readonly Operation[], webhooks: WebhookCatalogue, version: string): Json {
  const components = createComponents();
  addErrorSchema(components);
  addHeaders(components);
  components.add('schemas', 'AnyValue', ANY_VALUE);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation, components) };
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
    webhooks: describeWebhooks(webhooks, components),
    components: {
      ...components.toJson(),
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `data.access_token` of a sign-up or a login, or the `token` of a customer session.',
        },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the company, `pdk_…`.' },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'An operator key, `opk_…`.' },
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

/** The credentials that the operation takes, each by itself. */
function describeCredentials(operation: Operation): Json[] {
  const { access, url } = operation;
  if (access === 'public') return [];
  // Staff have access tokens.
  if (access === 'operator')
    return [{ operatorKey: [] }, ...(url.startsWith('/operator/') ? [{ accessToken: [] }] : [])];
  return [{ accessToken: [] }, ...(acceptsApiKeys(operation) ? [{ apiKey: [] }] : [])];
}

function describeOperation(operation: Operation, components: Components): Json {
  const { operationId, tag, summary, description, access, body, bodyIsOptional = false, mediaTypes } = operation;
  const permission = access.includes('.') ? `Needs the permission \`${access}\`.` : '';
  const membership = access === 'member' ? 'Every member of the company can call this operation.' : '';
  const role = access === 'operator' && tag !== 'Operations' ? describeRole(operation) : '';
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, permission, membership, role].filter(Boolean).join('\n\n'),
    security: describeCredentials(operation),
    parameters: describeParameters(operation, components),
    ...(body === undefined
      ? {}
      : { requestBody: { required: !bodyIsOptional, content: describeBody(body, mediaTypes, components) } }),
    responses: { ...describeSuccesses(operation, components), ...describeRefusals(operation, components) },
  };
}

function describeRole(operation: Operation): string {
  const alternative = isOpenToIntegrations(operation) ? ' or `integration`' : '';
  return `Needs the role \`${staffRoleFor(operation)}\`${alternative}.`;
}

function describeParameters({ url, query, idempotency, resource }: Operation, components: Components): Json[] {
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = ''], index, all) =>
    components.add('parameters', pascalCase(name), {
      name,
      in: 'path',
      required: true,
      ...describePathId(name, resourceOf(name, { isLast: index === all.length - 1, resource })),
    }),
  );
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inQuery = Object.entries(properties).map(([name, field]) => {
    const { description, ...schema } = field;
    const parameter = {
      name,
      in: 'query',
      required: required.includes(name) && schema.default === undefined,
      ...(description === undefined ? {} : { description }),
      schema: requestSchema(schema, components),
    };
    const shared = nameOf(field);
    return shared === undefined ? parameter : components.add('parameters', shared, parameter);
  });
  return [...inPath, ...inQuery, ...(idempotency === undefined ? [] : [describeIdempotencyKey(components)])];
}

function describePathId(name: string, resource: string): Json {
  if (name in NOT_IDS) return { description: NOT_IDS[name], schema: { type: 'string' } };
  if (name === COMPANY_ID_IN_PATH) {
    const description = 'The id of the company: a UUID, or `external:` followed by its external id, percent-encoded.';
    return { description, schema: { type: 'string', pattern: COMPANY_ID_PATTERN } };
  }
  return { description: `The id of the ${resource}.`, schema: { type: 'string', format: 'uuid' } };
}

function describeIdempotencyKey(components: Components): Json {
  return components.add('parameters', 'IdempotencyKey', {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A key that makes it safe to repeat the request. For 24 hours, a request with the same key gets the first ' +
      'answer again, with `Idempotent-Replayed: true`.',
    // A header has no space at its ends (RFC 9110, 5.5).
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~](?:[ -~]*[!-~])?$' },
  });
}

function describeSuccesses({ response, examples, idempotency }: Operation, components: Components): Json {
  const isUndecided = (status: string) => status === '202' && idempotency === 'run';
  const describe = ([status, schema]: [string, Operation['response'][number]]) => {
    const success = {
      description: isUndecided(status) ? OUTCOME_PENDING : (SUCCESSES[status] ?? 'Done.'),
      ...headersOf([
        ...(isUndecided(status) ? (['Retry-After'] as const) : []),
        ...(status === '302' ? (['Location'] as const) : []),
        ...(idempotency === undefined ? [] : (['Idempotent-Replayed'] as const)),
      ]),
      ...(schema === null ? {} : { content: describeAnswer(schema, components, examples?.[Number(status)]) }),
    };
    return [status, success];
  };
  return Object.fromEntries(Object.entries(response).map(describe));
}
