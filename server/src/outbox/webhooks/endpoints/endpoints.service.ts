import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Queryable, Tx } from '../../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { writeList } from '../../../platform/http/limits/batches.ts';
import { parseInstant } from '../../../platform/http/schema/instants.ts';
import type { Json, JsonParts } from '../../../platform/http/schema/json.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { createSecret } from '../sending/secrets.ts';
import { allowedHostsOf, findUrlProblem } from '../sending/target.ts';
import {
  abandonDeliveries,
  countEndpoints,
  deleteEndpoint,
  insertEndpoint,
  insertPing,
  lockEndpoints,
  replaceSecret,
  replayEvent,
  replayRange,
  selectDeliveredEvents,
  selectDeliveries,
  selectEndpoint,
  selectEndpoints,
  selectEndpointToSend,
  updateEndpoint,
} from './endpoints.queries.ts';
import type {
  CreateEndpointBody,
  DeliveryList,
  DeliveryQuery,
  Endpoint,
  EndpointWithSecret,
  Replay,
  ReplayBody,
  UpdateEndpointBody,
} from './endpoints.schema.ts';

/*
 * Of every function here, the company is whose endpoint it is; `OPERATOR_SCOPE` stands for the operator, which is told of all companies.
 */

export type EndpointDependencies = { keyring: Keyring; allowedHosts: readonly string[] };

/** The list is not paged, and each change reads all of them. */
const MAX_ENDPOINTS = 20;
/** More are not held in memory at once, as each has its attempts with the answers. */
const HELD_DELIVERIES = 20;
const BOTH_SECRETS_HOURS = 24;
const MAX_REPLAYED = 10_000;
const DAY_MS = 86_400_000;

/** Adds an endpoint; its secret is shown only in this answer. @throws ApiError 400 on url, limit_reached */
export async function createEndpoint(
  tx: Tx,
  companyId: string,
  { keyring, allowedHosts }: EndpointDependencies,
  { url, description = '', types = [] }: CreateEndpointBody,
): Promise<EndpointWithSecret> {
  refuseUrl(companyId, url, allowedHosts);
  // Serializes parallel creates, so that each counts the other's endpoint.
  await lockEndpoints(tx, companyId);
  if ((await countEndpoints(tx, companyId)) >= MAX_ENDPOINTS) {
    throw new ApiError('limit_reached', `There can be at most ${MAX_ENDPOINTS} webhook endpoints.`);
  }
  const id = uuidv7();
  const secret = createSecret(keyring, { companyId, endpointId: id });
  const endpoint = await insertEndpoint(tx, companyId, { id, url, description, types, secret: secret.kept });
  return { ...endpoint, secret: secret.shown };
}

function refuseUrl(companyId: string, url: string, allowedHosts: readonly string[]): void {
  const problem = findUrlProblem(url, allowedHostsOf(companyId, allowedHosts));
  if (problem === null) return;
  const { message, allowing } = problem;
  const isRemedied = allowing !== null && companyId === OPERATOR_SCOPE;
  throw invalidField('url', isRemedied ? `${message}, unless WEBHOOK_ALLOWED_HOSTS has ${allowing}` : message);
}

/** All endpoints, newest first. */
export async function listEndpoints(db: Queryable, companyId: string): Promise<{ data: Endpoint[] }> {
  return { data: await selectEndpoints(db, companyId) };
}

/** Reads one endpoint. @throws ApiError not_found */
export async function readEndpoint(db: Queryable, companyId: string, id: string): Promise<Endpoint> {
  return (await selectEndpoint(db, companyId, id)) ?? refuseUnknown();
}

/**
 * Writes the given fields. Disabling an endpoint gives up its waiting deliveries. @throws ApiError not_found, 400 on
 * url
 */
export async function changeEndpoint(
  tx: Tx,
  companyId: string,
  id: string,
  allowedHosts: readonly string[],
  { url = null, description = null, types = null, status = null }: Nullable<UpdateEndpointBody>,
): Promise<Endpoint> {
  if (url !== null) refuseUrl(companyId, url, allowedHosts);
  const endpoint = await updateEndpoint(tx, companyId, id, { url, description, types, status });
  if (status === 'disabled') await abandonDeliveries(tx, companyId, id);
  return endpoint ?? refuseUnknown();
}

type Nullable<T> = { [Key in keyof T]: T[Key] | null };

/** Removes the endpoint with its deliveries. @throws ApiError not_found */
export async function removeEndpoint(db: Queryable, companyId: string, id: string): Promise<void> {
  if (!(await deleteEndpoint(db, companyId, id))) refuseUnknown();
}

/**
 * Gives the endpoint a new secret, shown only in this answer. The old one also signs for a day. @throws ApiError
 * not_found
 */
export async function rotateSecret(
  tx: Tx,
  companyId: string,
  id: string,
  keyring: Keyring,
): Promise<EndpointWithSecret> {
  const secret = createSecret(keyring, { companyId, endpointId: id });
  const endpoint = await replaceSecret(tx, companyId, id, { secret: secret.kept, bothForHours: BOTH_SECRETS_HOURS });
  return { ...(endpoint ?? refuseUnknown()), secret: secret.shown };
}

/** Sends a ping to this endpoint only. @throws ApiError not_found, webhook_endpoint_disabled */
export async function pingEndpoint(tx: Tx, companyId: string, id: string): Promise<{ eventId: string }> {
  const { url } = await readEnabled(tx, companyId, id);
  const eventId = uuidv7();
  const data = JSON.stringify({ endpointId: id, url });
  await insertPing(tx, companyId, { endpointId: id, eventId, data });
  return { eventId };
}

/** A page of the endpoint's deliveries as JSON text, newest events first. @throws ApiError not_found */
export async function listDeliveries(
  db: Queryable,
  companyId: string,
  endpointId: string,
  { perPage, cursor, state }: DeliveryQuery,
): Promise<Json<typeof DeliveryList> | JsonParts<typeof DeliveryList>> {
  await readEndpoint(db, companyId, endpointId);
  const filter = { state: state ?? null, before: cursor?.split('_')[1] ?? null };
  const found = await selectDeliveredEvents(db, companyId, endpointId, filter, perPage + 1);
  const ids = found.slice(0, perPage).map(({ id }) => id);
  const last = found[perPage - 1];
  const next = found.length > perPage && last !== undefined ? `${last.at.getTime()}_${last.id}` : null;
  const readItems = (events: readonly string[]) => selectDeliveries(db, companyId, endpointId, events);
  return writeList({
    head: { perPage, nextCursor: next },
    limit: perPage,
    readFirst: (limit) => readItems(ids.slice(0, limit)),
    readIds: async () => ids,
    readItems,
    write: ({ json }) => json,
    heldItems: HELD_DELIVERIES,
  });
}

/** Sends one event again, or the events of a range. @throws ApiError 400, not_found, webhook_endpoint_disabled */
export async function replay(
  tx: Tx,
  companyId: string,
  endpointId: string,
  { eventId, startAt, endAt }: ReplayBody,
): Promise<Replay> {
  const isRange = startAt !== undefined && endAt !== undefined;
  if ((eventId === undefined) !== isRange)
    throw invalidField('eventId', 'or startAt and endAt are required, but not both');
  await readEnabled(tx, companyId, endpointId);
  const allCompanies = companyId === OPERATOR_SCOPE;
  if (eventId !== undefined) {
    const event = { endpointId, eventId, allCompanies };
    const found = isUuid(eventId) && (await replayEvent(tx, companyId, event));
    if (!found) throw invalidField('eventId', 'must be the id of an event');
    return { scheduled: 1, continueAt: null };
  }
  const [from, to] = [parseInstant(startAt ?? ''), parseInstant(endAt ?? '')];
  if (from === null || to === null || to <= from) throw invalidField('endAt', 'must be after startAt');
  return replayRange(tx, companyId, {
    endpointId,
    allCompanies,
    startAt: from,
    endAt: to,
    lastId: firstIdOf(to.getTime() + DAY_MS),
    limit: MAX_REPLAYED,
  });
}

/** The smallest UUID version 7 of an instant. The clocks of service and database differ by less than a day. */
function firstIdOf(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

async function readEnabled(tx: Tx, companyId: string, id: string): Promise<Endpoint> {
  const endpoint = (await selectEndpointToSend(tx, companyId, id)) ?? refuseUnknown();
  if (endpoint.status !== 'disabled') return endpoint;
  throw new ApiError('webhook_endpoint_disabled', 'The webhook endpoint is disabled; enable it first.');
}

function refuseUnknown(): never {
  throw notFound('webhook endpoint');
}
