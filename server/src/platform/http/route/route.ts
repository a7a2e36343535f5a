import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Db, Queryable, Tx } from '../../database/database.ts';
import { transaction } from '../../database/database.ts';
import type { DatabaseGuard } from '../../database/guard.ts';
import { untilInside } from '../../outside-first.ts';
import type { PermissionSet } from '../../permissions.ts';
import type { ExternalIds } from '../company-ids/external-ids.ts';
import { type Given, idsOfRoute, type RouteIds, withExternalIds } from '../company-ids/route-ids.ts';
import { createRateLimiter, type RateLimiter } from '../limits/rate-limits.ts';
import { isLongRead, isStreamed, type Shares } from '../limits/shares.ts';
import type { Json, JsonParts } from '../schema/json.ts';
import { acceptJson, ignoreTypeOfEmptyBody } from '../schema/json-body.ts';
import type { IdNames } from '../schema/path-ids.ts';
import { type Result, send, sendResult, serialize } from './answer.ts';
import { type RecordAudit, type RouteAudit, recordChange } from './audit.ts';
import { authorize, authorizeAgain, operatorRoleOf } from './credentials.ts';
import { type Answer, createOnce, readIdempotencyKey, runOnce, type Vault } from './idempotency.ts';
import type { Operation } from './operation.ts';
import type { Access, Authenticate, CustomerPages, OperatorCaller, Principal, UserPrincipal } from './types.ts';
import { bodySchemaOf, refuseUnknownFields } from './unknown-fields.ts';

/** What all routes share; `buildApp` decorates the server with it as `app.http`. */
export type HttpDependencies = {
  db: Db;
  guard: DatabaseGuard;
  authenticate: Authenticate;
  limitRate: RateLimiter;
  hashRequest: (text: string) => Buffer;
  vault: Vault;
  shares: Shares;
  /** @throws ApiError charges_held for an operation that is held now */
  refuseIfHeld: (heldWithCharges: NonNullable<Operation['heldWithCharges']>) => void;
  /** Waits until the journal has what an earlier request has committed, whose process may have died before. */
  beforeReplay: () => Promise<void>;
  recordAudit: RecordAudit;
  externalIds: ExternalIds;
  customerPages: CustomerPages;
  /** Every route in order of registration, for the API reference and the tests. */
  operations: Operation[];
};

declare module 'fastify' {
  interface FastifyInstance {
    http: HttpDependencies;
  }
}

type Context<Body, Query, Url extends string, A extends Access> = {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The UUIDs in the path, by name. */
  ids: Record<IdNames<Url>, string>;
  body: Body;
  query: Query;
} & Caller<A>;

/** The caller, as far as the route's access determines it. */
type Caller<A extends Access> = A extends 'public'
  ? unknown
  : A extends 'user'
    ? { user: UserPrincipal }
    : A extends 'operator'
      ? { operator: OperatorCaller }
      : { companyId: string; userId: string; permissions: PermissionSet };

type Responses = Record<number, TSchema | null>;

/**
 * What a handler may return: a value of one of its responses, its JSON text, whole or in parts, or the bytes of a file.
 */
type AnswerOf<R extends Responses> = {
  [Status in keyof R]: R[Status] extends TSchema
    ? Static<R[Status]> | Json<R[Status]> | JsonParts<R[Status]> | Uint8Array
    : null;
}[keyof R];

/**
 * A route has exactly one of the two handlers. JSON text made by PostgreSQL is sent as it is; bytes are a file of the
 * response's media type (see `fileContent`), and only reads may return them.
 */
type Handlers<Body, Query, Url extends string, A extends Access, Prepared, Answered> =
  | {
      handler: (context: Context<Body, Query, Url, A>, db: Queryable) => Promise<Answered>;
      transaction?: never;
      prepare?: never;
      unkeyed?: never;
    }
  | {
      /** Runs before the transaction, for slow work (hashing, a gateway). Its result is passed to `transaction`. */
      prepare?: (context: Context<Body, Query, Url, A>) => Promise<Prepared>;
      transaction: (context: Context<Body, Query, Url, A>, tx: Tx, prepared: Prepared) => Promise<Answered>;
      /**
       * Does the same in transactions of its own, for requests without an idempotency key; only for routes that the audit log does not
       * record.
       */
      unkeyed?: (context: Context<Body, Query, Url, A>, prepared: Prepared) => Promise<Answered>;
      handler?: never;
    };

type Definition<
  B extends TSchema,
  Q extends TSchema,
  Url extends string,
  A extends Access,
  Prepared,
  R extends Responses,
> = Omit<Operation, 'audit'> & {
  response: R;
  url: Url;
  access: A;
  body?: B;
  query?: Q;
  audit?: RouteAudit<Context<Static<B>, Static<Q>, Url, A>>;
} & Handlers<Static<B>, Static<Q>, Url, A, Prepared, AnswerOf<R>>;

/** A definition with its types erased. */
type AnyDefinition = Definition<TSchema, TSchema, string, 'public', unknown, Responses>;
type AnyContext = Context<unknown, unknown, string, 'public'>;

/**
 * Registers a route. The order of checks is the same for all: credential (401), permission (403), media type and size
 * (415, 413), validation (400), then the handler with its own refusals.
 */
export function route<
  B extends TSchema,
  Q extends TSchema,
  Url extends string,
  A extends Access,
  R extends Responses,
  Prepared = unknown,
>(app: FastifyInstance, given: Definition<B, Q, Url, A, Prepared, R>): void {
  const definition = refuseUnknownFields(given) as unknown as AnyDefinition;
  app.http.operations.push(definition);
  const { mediaTypes } = definition;
  if (mediaTypes === undefined) addRoute(app, definition);
  else {
    // In its own scope, so that other routes do not accept these types.
    app.register(async (scope) => {
      acceptJson(scope, Object.keys(mediaTypes));
      addRoute(scope, definition);
    });
  }
}

function addRoute(app: FastifyInstance, definition: AnyDefinition): void {
  const { requestsPerMinute } = definition;
  const body = bodySchemaOf(definition);
  const http =
    requestsPerMinute === undefined ? app.http : { ...app.http, limitRate: createRateLimiter(requestsPerMinute) };
  const routeIds = idsOfRoute(definition);
  app.route({
    method: definition.method as HTTPMethods,
    url: definition.url,
    ...(definition.bodyLimitBytes === undefined ? {} : { bodyLimit: definition.bodyLimitBytes }),
    config: {
      access: definition.access,
      exactNumbers: definition.exactNumbers ?? [],
      keepsBodyBytes: definition.keepsBodyBytes ?? false,
    },
    schema: {
      ...(body === undefined ? {} : { body }),
      ...(definition.query ? { querystring: definition.query } : {}),
      response: Object.fromEntries(Object.entries(definition.response).filter(([, schema]) => schema !== null)),
    },
    // Returns a promise only when needed, else calls `done`: most callers are cached.
    onRequest: (request, reply, done) => {
      if (definition.body === undefined || definition.bodyIsOptional) ignoreTypeOfEmptyBody(request);
      const authorized = authorize(http, definition, request, reply);
      if (authorized === undefined) done();
      return authorized;
    },
    handler: async (request, reply) => {
      if (definition.method !== 'GET') await authorizeAgain(http, definition, request);
      const work = respond(http, { definition, routeIds }, request, reply);
      return http.guard.guarded(work, definition.method === 'GET' ? 'read' : 'write');
    },
  });
}

async function respond(
  http: HttpDependencies,
  { definition, routeIds }: { definition: AnyDefinition; routeIds: RouteIds },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const given: Given = {
    ids: request.params as Record<string, string>,
    query: request.query,
    body: definition.bodyIsOptional ? (request.body ?? {}) : request.body,
  };
  const named = await routeIds.resolve(http.externalIds, given);
  if (definition.heldWithCharges !== undefined) http.refuseIfHeld(definition.heldWithCharges);
  const { principal } = request;
  const companyId = principal === null || principal.kind === 'operator' ? null : principal.companyId;
  const context = {
    request,
    reply,
    ...named,
    ...describeCaller(principal),
  } as AnyContext;
  reply.code(Number(Object.keys(definition.response)[0]));
  const key = definition.idempotency === undefined ? undefined : readIdempotencyKey(request);
  if (key === undefined) {
    const owner = companyId ?? '';
    const result = isLongRead(request.query)
      ? await http.shares.takeTurns(owner, () => run(http, definition, context))
      : await run(http, definition, context);
    const shown = await show(http, routeIds, result, reply);
    return sendResult(http.shares, owner, { result: shown, schema: definition.response[reply.statusCode] }, reply);
  }

  const { db, hashRequest, beforeReplay } = http;
  const vault = definition.answersSecret ? http.vault : null;
  const mayBeJournaled =
    definition.heldWithCharges !== undefined || (principal !== null && operatorRoleOf(principal) !== null);
  const { shownOnce = [] } = definition;
  const once = {
    db,
    request,
    companyId,
    key,
    hashRequest,
    vault,
    shownOnce,
    beforeReplay: mayBeJournaled ? beforeReplay : null,
  };
  const toAnswer = (result: Result): Answer => ({ status: reply.statusCode, body: serialize(reply, result) });
  const answer =
    definition.idempotency === 'run'
      ? await runOnce(once, async () => toAnswer(await run(http, definition, context)))
      : await createPrepared(http, once, definition, context, toAnswer);
  if (answer.replayed) reply.header('idempotent-replayed', 'true');
  reply.code(answer.status);
  return send(reply, await show(http, routeIds, answer.body, reply));
}

/** The result with the external ids of its companies, which are not kept with the answer: they may change. */
async function show(
  { externalIds }: HttpDependencies,
  routeIds: RouteIds,
  result: Result,
  reply: FastifyReply,
): Promise<Result> {
  const places = routeIds.placesIn(reply.statusCode);
  if (places === null || result === null || result instanceof Uint8Array) return result;
  return withExternalIds(externalIds, places, isStreamed(result) ? result : serialize(reply, result));
}

/** The properties of `Caller` common to every access that the route allows. */
function describeCaller(principal: Principal | null): object {
  if (principal === null) return {};
  if (principal.kind === 'operator') return { operator: principal };
  const { companyId, permissions } = principal;
  // What a customer session makes has its id, since its person is no user.
  const isOfNoUser = principal.kind === 'customer_session' || principal.kind === 'view';
  const userId = isOfNoUser ? principal.sessionId : principal.userId;
  if (principal.kind === 'user' && principal.staffRole !== null) return { user: principal, operator: principal };
  const user = principal.kind === 'user' ? { user: principal } : {};
  return companyId === null ? user : { ...user, companyId, userId, permissions };
}

/** Outside an idempotency key's transaction. */
async function run(http: HttpDependencies, definition: AnyDefinition, context: AnyContext): Promise<Result> {
  const { audit, handler, unkeyed } = definition;
  const isRecorded = audit !== undefined && 'action' in audit;
  if (handler !== undefined && !isRecorded) return handler(context, http.db);
  const prepared = await definition.prepare?.(context);
  if (unkeyed !== undefined && !isRecorded) return unkeyed(context, prepared);
  return untilInside(() => transaction(http.db, (tx) => change(http, definition, context, tx, prepared)));
}

/** The work of a route in a transaction, with its entry of the audit log. */
function change(
  { recordAudit }: HttpDependencies,
  definition: AnyDefinition,
  context: AnyContext,
  tx: Tx,
  prepared: unknown,
): Promise<Result> {
  const work = () => (definition.handler ?? definition.transaction)(context, tx, prepared);
  return recordChange(recordAudit, definition.audit, { context, tx, work });
}

async function createPrepared(
  http: HttpDependencies,
  once: Parameters<typeof createOnce>[0],
  definition: AnyDefinition,
  context: AnyContext,
  toAnswer: (result: Result) => Answer,
) {
  return untilInside(() =>
    createOnce(once, {
      prepare: async () => definition.prepare?.(context),
      work: async (tx, prepared) => toAnswer(await change(http, definition, context, tx, prepared)),
    }),
  );
}
