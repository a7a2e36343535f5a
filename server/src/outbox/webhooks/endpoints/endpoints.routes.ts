import type { FastifyInstance, FastifyReply } from 'fastify';
import { createRateLimiter } from '../../../platform/http/limits/rate-limits.ts';
import { route } from '../../../platform/http/route/route.ts';
import type { OperatorCaller } from '../../../platform/http/route/types.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import {
  ANY_URL,
  DeliveryList,
  DeliveryQuery,
  Endpoint,
  type EndpointBodies,
  EndpointList,
  EndpointWithSecret,
  endpointBodies,
  Ping,
  Replay,
  SECURE_URL,
} from './endpoints.schema.ts';
import {
  changeEndpoint,
  createEndpoint,
  type EndpointDependencies,
  listDeliveries,
  listEndpoints,
  pingEndpoint,
  readEndpoint,
  removeEndpoint,
  replay,
  rotateSecret,
} from './endpoints.service.ts';

const tag = 'Webhooks';
const resource = 'webhook endpoint';
const nameOf = ({ url }: { url?: unknown }) => url;

/**
 * The routes exist twice: for the operator, who gets the events of all companies, and for a company, which gets its
 * own.
 */
type Side = {
  prefix: string;
  /** In operation ids and the names of bodies. */
  name: string;
  whose: string;
  view: 'operator' | 'platform.applications.view';
  all: 'operator' | 'platform.applications.all';
  url: typeof ANY_URL;
};

type Owner = { operator: OperatorCaller } | { companyId: string };

const SIDES: Side[] = [
  {
    prefix: '/operator/webhook-endpoints',
    name: 'OperatorWebhook',
    whose: 'the operator',
    view: 'operator',
    all: 'operator',
    url: ANY_URL,
  },
  {
    prefix: '/payments/webhook-endpoints',
    name: 'Webhook',
    whose: 'the company',
    view: 'platform.applications.view',
    all: 'platform.applications.all',
    url: SECURE_URL,
  },
];

/** Webhook endpoints, their deliveries and attempts. */
export function registerWebhookRoutes(
  app: FastifyInstance,
  { eventTypes, ...dependencies }: EndpointDependencies & { eventTypes: readonly string[] },
): void {
  for (const side of SIDES) {
    const bodies = endpointBodies(eventTypes, side);
    registerEndpointRoutes(app, side, dependencies, bodies);
    registerSecretRoutes(app, side, dependencies, bodies);
    registerDeliveryRoutes(app, side, bodies);
  }
}

/** The owner of the endpoints: the operator calls without a company. */
function ownerOf(caller: Owner): string {
  return 'operator' in caller ? OPERATOR_SCOPE : caller.companyId;
}

function registerEndpointRoutes(
  app: FastifyInstance,
  { prefix, name, whose, view, all }: Side,
  { allowedHosts }: EndpointDependencies,
  bodies: EndpointBodies,
): void {
  route(app, {
    method: 'GET',
    url: prefix,
    operationId: `list${name}Endpoints`,
    tag,
    summary: `List the webhook endpoints of ${whose}`,
    description: 'The newest endpoint comes first.',
    access: view,
    response: { 200: EndpointList },
    errors: [],
    handler: (context, db) => listEndpoints(db, ownerOf(context)),
  });
  route(app, {
    method: 'GET',
    url: `${prefix}/:endpoint_id`,
    operationId: `get${name}Endpoint`,
    tag,
    summary: `Read a webhook endpoint of ${whose}`,
    access: view,
    resource,
    response: { 200: Endpoint },
    errors: [],
    handler: (context, db) => readEndpoint(db, ownerOf(context), context.ids.endpoint_id),
  });
  route(app, {
    method: 'PUT',
    url: `${prefix}/:endpoint_id`,
    operationId: `update${name}Endpoint`,
    tag,
    summary: `Change a webhook endpoint of ${whose}`,
    description: 'Fields that are absent keep their values.',
    access: all,
    resource,
    body: bodies.update,
    response: { 200: Endpoint },
    errors: [],
    audit: {
      audience: 'company',
      action: 'webhook_endpoint.updated',
      name: nameOf,
      before: (context, tx) => readEndpoint(tx, ownerOf(context), context.ids.endpoint_id),
    },
    transaction: (context, tx) =>
      changeEndpoint(tx, ownerOf(context), context.ids.endpoint_id, allowedHosts, context.body),
  });
}

/** These two answers contain a secret, so an idempotency key keeps them encrypted. */
function registerSecretRoutes(
  app: FastifyInstance,
  { prefix, name, whose, all }: Side,
  dependencies: EndpointDependencies,
  bodies: EndpointBodies,
): void {
  route(app, {
    method: 'POST',
    url: prefix,
    operationId: `create${name}Endpoint`,
    tag,
    summary: `Add a webhook endpoint of ${whose}`,
    description:
      'Only this answer contains the secret, and its repeats with the same `Idempotency-Key`. There can be at most 20 ' +
      'endpoints.',
    access: all,
    body: bodies.create,
    response: { 201: EndpointWithSecret },
    errors: ['limit_reached'],
    idempotency: 'create',
    answersSecret: true,
    audit: { audience: 'company', action: 'webhook_endpoint.created', name: nameOf },
    transaction: (context, tx) => createEndpoint(tx, ownerOf(context), dependencies, context.body),
  });
  route(app, {
    method: 'POST',
    url: `${prefix}/:endpoint_id/rotate-secret`,
    operationId: `rotate${name}EndpointSecret`,
    tag,
    summary: `Rotate the secret of a webhook endpoint of ${whose}`,
    description:
      'Only this answer contains the new secret. For 24 hours, Paydesk signs each event with both the new secret and the one ' +
      'before. If you rotate again in that time, only the two newest secrets sign.',
    access: all,
    resource,
    response: { 200: EndpointWithSecret },
    errors: [],
    idempotency: 'create',
    answersSecret: true,
    audit: {
      audience: 'company',
      action: 'webhook_endpoint.secret_rotated',
      name: nameOf,
      before: (context, tx) => readEndpoint(tx, ownerOf(context), context.ids.endpoint_id),
    },
    transaction: (context, tx) => rotateSecret(tx, ownerOf(context), context.ids.endpoint_id, dependencies.keyring),
  });
}

/** A ping goes to whatever address the endpoint has: this service must not be used to flood others. */
const PER_ENDPOINT_A_MINUTE = 10;
const PER_OWNER_A_MINUTE = 60;
const LIMITS =
  `The limit is ${PER_ENDPOINT_A_MINUTE} requests a minute for an endpoint and ${PER_OWNER_A_MINUTE} for all endpoints ` +
  'together. Further requests are answered with 429.';

/** Counts a request for its owner and its endpoint, before the work begins. */
function limitSending() {
  const [limitOwner, limitEndpoint] = [createRateLimiter(PER_OWNER_A_MINUTE), createRateLimiter(PER_ENDPOINT_A_MINUTE)];
  return async (context: { reply: FastifyReply; ids: { endpoint_id: string } } & Owner): Promise<void> => {
    const owner = ownerOf(context);
    limitOwner(context.reply, owner);
    limitEndpoint(context.reply, `${owner} ${context.ids.endpoint_id}`);
  };
}

function registerDeliveryRoutes(
  app: FastifyInstance,
  { prefix, name, whose, view, all }: Side,
  bodies: EndpointBodies,
): void {
  route(app, {
    method: 'POST',
    url: `${prefix}/:endpoint_id/test`,
    operationId: `test${name}Endpoint`,
    tag,
    summary: `Test a webhook endpoint of ${whose}`,
    description: `Sends a \`webhook.ping\`, whatever event types the endpoint gets. ${LIMITS}`,
    access: all,
    resource,
    response: { 201: Ping },
    errors: ['webhook_endpoint_disabled'],
    idempotency: 'create',
    audit: { unrecorded: 'The request sends an event and changes nothing.' },
    prepare: limitSending(),
    transaction: (context, tx) => pingEndpoint(tx, ownerOf(context), context.ids.endpoint_id),
  });
  route(app, {
    method: 'GET',
    url: `${prefix}/:endpoint_id/deliveries`,
    operationId: `list${name}Deliveries`,
    tag,
    summary: `List the deliveries to a webhook endpoint of ${whose}`,
    description: 'The newest event comes first. Each delivery has its attempts. Paydesk keeps deliveries for 90 days.',
    access: view,
    resource,
    query: DeliveryQuery,
    response: { 200: DeliveryList },
    errors: [],
    handler: (context, db) => listDeliveries(db, ownerOf(context), context.ids.endpoint_id, context.query),
  });
  route(app, {
    method: 'POST',
    url: `${prefix}/:endpoint_id/replay`,
    operationId: `replay${name}Events`,
    tag,
    summary: `Send events again to a webhook endpoint of ${whose}`,
    description:
      'Sends one event, whatever its type, or all events of a time range whose types the endpoint gets. The range includes ' +
      `events that the endpoint has never got. The events keep their ids, and their attempts start again from 1. ${LIMITS}`,
    access: all,
    resource,
    body: bodies.replay,
    response: { 200: Replay },
    errors: ['webhook_endpoint_disabled'],
    idempotency: 'create',
    audit: { unrecorded: 'The request sends events again and changes nothing.' },
    prepare: limitSending(),
    transaction: (context, tx) => replay(tx, ownerOf(context), context.ids.endpoint_id, context.body),
  });
  route(app, {
    method: 'DELETE',
    url: `${prefix}/:endpoint_id`,
    operationId: `delete${name}Endpoint`,
    tag,
    summary: `Delete a webhook endpoint of ${whose}`,
    description: 'Deletes the endpoint and its deliveries.',
    access: all,
    resource,
    response: { 204: null },
    errors: [],
    audit: {
      audience: 'company',
      action: 'webhook_endpoint.deleted',
      name: nameOf,
      before: (context, tx) => readEndpoint(tx, ownerOf(context), context.ids.endpoint_id),
    },
    handler: async (context, db) => {
      await removeEndpoint(db, ownerOf(context), context.ids.endpoint_id);
      return null;
    },
  });
}
